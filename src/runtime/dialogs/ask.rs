//! Puts questions into words and buttons. Channels with buttons get one for every option; everywhere else options are
//! numbered, and the answer is a word or a number. Every question can be given up.

use uuid::Uuid;

use crate::{
    domain::{
        account::Account,
        ids::{ActorId, CallbackToken, ChannelKind, DialogId, TurnId},
        kind::Class,
        lang::Lang,
        message::Message,
        question::{Field, FieldKind, Form},
        reply::{Block, Button, ButtonKind, Expects, Reply, Span},
    },
    i18n::I18n,
    store::outbox::Callback,
};

/// Who is asked, and where.
#[derive(Clone, Copy)]
pub(crate) struct Asker<'a> {
    /// The texts.
    pub(crate) i18n: &'a I18n,
    /// The person's language.
    pub(crate) lang: Lang,
    /// The person.
    pub(crate) actor: &'a ActorId,
    /// The channel.
    pub(crate) channel: ChannelKind,
}

impl Asker<'_> {
    fn say(&self, key: &str) -> String {
        self.i18n.say(self.lang, &Message::new(key))
    }
}

/// Whether a channel can ask for a location with a button; a new channel must say so here.
pub(crate) fn shares_locations(channel: ChannelKind) -> bool {
    match channel {
        ChannelKind::Terminal | ChannelKind::Matrix => false,
        ChannelKind::Telegram => true,
    }
}

/// Whether a channel shows a button for each choice; elsewhere choices are numbered.
fn shows_choices(channel: ChannelKind) -> bool {
    match channel {
        ChannelKind::Terminal | ChannelKind::Matrix => false,
        ChannelKind::Telegram => true,
    }
}

/// Whether a channel can remove what a person wrote.
fn takes_back(channel: ChannelKind) -> bool {
    match channel {
        ChannelKind::Terminal => false,
        ChannelKind::Telegram | ChannelKind::Matrix => true,
    }
}

/// The question for the key of an account.
fn question_for(account: Account) -> &'static str {
    match account {
        Account::GooglePlaces => "account-ask-google-places",
    }
}

/// Where are you?
pub(crate) fn location(asker: &Asker<'_>, minutes: u64) -> Reply {
    let open = Message::new("question-open").with("minutes", minutes);
    let key = if shares_locations(asker.channel) {
        "location-ask"
    } else {
        "location-ask-in-words"
    };
    Reply {
        blocks: vec![Block::text(asker.say(key)), aside(asker.i18n.say(asker.lang, &open))],
        expects: expects_location(asker),
        ..Reply::default()
    }
}

fn aside(text: String) -> Block {
    Block::Paragraph(vec![Span::Italic(text)])
}

fn expects_location(asker: &Asker<'_>) -> Expects {
    if shares_locations(asker.channel) {
        Expects::Location {
            share: asker.say("button-share-location"),
            cancel: asker.say("button-cancel"),
        }
    } else {
        Expects::Anything
    }
}

/// The open question of a form, with its buttons.
pub(crate) fn field(asker: &Asker<'_>, dialog: &DialogId, turn: &TurnId, form: &Form) -> (Reply, Vec<Callback>) {
    let Some(field) = form.field() else {
        return (Reply::default(), Vec::new());
    };
    let question = match (&form.account, &field.prompt) {
        (Some(wanted), _) => asker.say(question_for(wanted.account)),
        (None, Some(prompt)) => prompt.clone(),
        (None, None) if form.password.is_some() => asker.say("unlock-ask"),
        (None, None) => asker.say(&form.login.as_ref().map_or_else(
            || words_for(field).to_owned(),
            |wanted| format!("login-{}-{}", wanted.service.as_str(), field.var),
        )),
    };
    // Why an account is needed is said once.
    let login = form.login.as_ref().filter(|_| form.at == 0);
    let why = form
        .account
        .as_ref()
        .map(|wanted| &wanted.why)
        .or(login.map(|wanted| &wanted.why))
        .or(form.password.as_ref().map(|wanted| &wanted.why));
    let mut blocks: Vec<Block> = why
        .into_iter()
        .map(|why| Block::text(asker.i18n.say(asker.lang, why)))
        .collect();
    blocks.push(Block::Paragraph(vec![Span::Bold(question)]));
    let callbacks: Vec<Callback> = kinds(asker.channel, form, field)
        .into_iter()
        .map(|kind| Callback {
            token: CallbackToken::from(Uuid::new_v4().simple().to_string()),
            actor: asker.actor.clone(),
            turn: turn.clone(),
            kind,
            dialog: Some(dialog.clone()),
        })
        .collect();
    if !shows_choices(asker.channel) && !field.options.is_empty() {
        let numbered = field.options.iter().zip(1..);
        blocks.push(Block::List(
            numbered
                .map(|(option, number)| vec![Span::Text(format!("{number} · {option}"))])
                .collect(),
        ));
    }
    let hint = match (&form.account, &form.password) {
        (Some(_), _) => Some(key_hint(asker.channel)),
        (None, Some(_)) => Some(password_hint(asker.channel)),
        (None, None) => opening_hint(asker.channel, field.kind),
    };
    blocks.extend(hint.map(|hint| aside(asker.say(hint))));
    let expects = match field.kind {
        FieldKind::Location => expects_location(asker),
        FieldKind::Secret => Expects::Secret,
        FieldKind::Text
        | FieldKind::YesNo
        | FieldKind::Choice
        | FieldKind::MultiChoice
        | FieldKind::Number
        | FieldKind::Date
        | FieldKind::FilePath => Expects::Anything,
    };
    let reply = Reply {
        blocks,
        buttons: buttons(asker, form, &callbacks),
        expects,
        ..Reply::default()
    };
    (reply, callbacks)
}

/// The buttons of the open question, those in force marked.
pub(crate) fn buttons(asker: &Asker<'_>, form: &Form, callbacks: &[Callback]) -> Vec<Button> {
    callbacks
        .iter()
        .filter_map(|callback| {
            let (label, chosen) = label(asker, form, callback.kind)?;
            Some(Button {
                kind: callback.kind,
                label,
                token: callback.token.clone(),
                chosen,
            })
        })
        .collect()
}

/// The words on a button of the open question and whether it is marked; `None` for one of another question.
fn label(asker: &Asker<'_>, form: &Form, kind: ButtonKind) -> Option<(String, bool)> {
    let is_open = |field: u8| usize::from(field) == form.at;
    match kind {
        ButtonKind::Choose { field, option } if is_open(field) => {
            let option = usize::from(option);
            let label = match form.field()?.kind {
                FieldKind::YesNo => asker.say(if option == 0 { "button-yes" } else { "button-no" }),
                FieldKind::Text
                | FieldKind::Secret
                | FieldKind::Choice
                | FieldKind::MultiChoice
                | FieldKind::Number
                | FieldKind::Date
                | FieldKind::FilePath
                | FieldKind::Location => form.field()?.options.get(option)?.clone(),
            };
            Some((label, form.picked.contains(&option)))
        }
        ButtonKind::Done { field } if is_open(field) => Some((asker.say("button-done"), false)),
        ButtonKind::Cancel { field } if is_open(field) && form.account.is_some() => {
            Some((asker.say("button-skip"), false))
        }
        ButtonKind::Cancel { field } if is_open(field) => Some((asker.say("button-cancel"), false)),
        ButtonKind::Confirm
        | ButtonKind::Reject
        | ButtonKind::Retry
        | ButtonKind::Approve
        | ButtonKind::Refuse
        | ButtonKind::Amend
        | ButtonKind::Choose { .. }
        | ButtonKind::Done { .. }
        | ButtonKind::Cancel { .. }
        | ButtonKind::Resend
        | ButtonKind::Keep
        | ButtonKind::Unlearn
        | ButtonKind::Task(_) => None,
    }
}

/// Which buttons a question has. A location has them in place of the keyboard.
fn kinds(channel: ChannelKind, form: &Form, field: &Field) -> Vec<ButtonKind> {
    let Ok(at) = u8::try_from(form.at) else {
        return Vec::new();
    };
    if !shows_choices(channel) || field.kind == FieldKind::Location {
        return Vec::new();
    }
    let options = match field.kind {
        FieldKind::YesNo => 2,
        FieldKind::Choice | FieldKind::MultiChoice => u8::try_from(field.options.len()).unwrap_or(u8::MAX),
        FieldKind::Text
        | FieldKind::Secret
        | FieldKind::Number
        | FieldKind::Date
        | FieldKind::FilePath
        | FieldKind::Location => 0,
    };
    let mut kinds: Vec<ButtonKind> = (0..options)
        .map(|option| ButtonKind::Choose { field: at, option })
        .collect();
    if field.kind == FieldKind::MultiChoice {
        kinds.push(ButtonKind::Done { field: at });
    }
    kinds.push(ButtonKind::Cancel { field: at });
    kinds
}

/// The question where the plan has no words for it.
fn words_for(field: &Field) -> &'static str {
    match (field.kind, field.about) {
        (FieldKind::FilePath, Some(Class::Folder)) => "ask-folder",
        (FieldKind::FilePath, Some(Class::Target)) => "ask-destination",
        (FieldKind::FilePath, _) => "ask-file",
        (FieldKind::Text, Some(Class::Address)) => "ask-url",
        (FieldKind::Text, Some(Class::Words)) => "ask-query",
        (FieldKind::Text, Some(Class::Text)) => "ask-content",
        (FieldKind::Text, Some(Class::Moment)) => "ask-moment",
        (FieldKind::Text, _) => "ask-text",
        (FieldKind::Secret, _) => "ask-secret",
        (FieldKind::YesNo, _) => "ask-yes-no",
        (FieldKind::Choice, _) => "ask-choice",
        (FieldKind::MultiChoice, _) => "ask-multi-choice",
        (FieldKind::Number, _) => "ask-number",
        (FieldKind::Date, _) => "ask-date",
        (FieldKind::Location, _) => "location-ask-in-words",
    }
}

/// How to answer when the key of an account is asked for.
fn key_hint(channel: ChannelKind) -> &'static str {
    if takes_back(channel) {
        "account-taken-back"
    } else {
        "account-not-kept"
    }
}

/// What becomes of the password of a file, under the question for it.
fn password_hint(channel: ChannelKind) -> &'static str {
    match (takes_back(channel), shows_choices(channel)) {
        (true, true) => "unlock-taken-back",
        (true, false) => "unlock-taken-back-or-cancel",
        (false, _) => "unlock-not-kept",
    }
}

/// How to answer, under the question.
fn opening_hint(channel: ChannelKind, kind: FieldKind) -> Option<&'static str> {
    let buttons = shows_choices(channel);
    match kind {
        FieldKind::Choice => (!buttons).then_some("hint-one-of"),
        FieldKind::MultiChoice => (!buttons).then_some("hint-some-of"),
        FieldKind::Secret => Some(match (takes_back(channel), buttons) {
            (true, true) => "secret-taken-back",
            (true, false) => "secret-taken-back-or-cancel",
            (false, _) => "secret-not-kept",
        }),
        FieldKind::YesNo | FieldKind::Location => None,
        FieldKind::Text | FieldKind::Number | FieldKind::Date | FieldKind::FilePath => {
            (!buttons).then_some("hint-or-cancel")
        }
    }
}

/// What was wrong with an answer.
pub(crate) fn hint(form: &Form) -> &'static str {
    if form.account.is_some() {
        return "hint-key";
    }
    if form.field().is_some_and(|field| field.about == Some(Class::Moment)) {
        return "ask-moment";
    }
    match form.field().map(|field| field.kind) {
        Some(FieldKind::YesNo) => "hint-yes-or-no",
        Some(FieldKind::Choice) => "hint-one-of",
        Some(FieldKind::MultiChoice) => "hint-some-of",
        Some(FieldKind::Number) => "hint-number",
        Some(FieldKind::Date) => "hint-date",
        Some(FieldKind::FilePath) => "hint-path",
        Some(FieldKind::Location) => "location-no-such-place",
        Some(FieldKind::Text | FieldKind::Secret) | None => "hint-or-cancel",
    }
}
