//! The questions of a first start: name, language, and where lists and notes go. Put once, in a terminal somebody sits
//! at or on the host's first phone; "skip" ends them, "ok" keeps what is there, and whatever is a request is answered
//! as one. Called by `turn` before anything else reads a message. It asks nothing of a pipe.

use super::Inner;
use crate::{
    domain::{
        actor::Actor,
        ids::{ChannelKind, ConversationId},
        lang::Lang,
        message::Message,
        reply::Reply,
    },
    language::Confirmation,
    store::{
        StoreError,
        inbox::Waiting,
        welcome::{Step, Welcome},
    },
};

/// Words of an answer, at most; what is longer is no name.
const ANSWER_WORDS_MAX: usize = 4;
/// Beside letters these stand in names, or end the answer.
const IN_NAMES: [char; 6] = [' ', '\'', '’', '-', '.', '!'];

/// The first question, if this person was never asked.
pub(super) async fn begin(
    inner: &Inner,
    actor: &Actor,
    channel: ChannelKind,
    conversation: &ConversationId,
) -> Result<Option<String>, StoreError> {
    let welcome = Welcome {
        channel,
        conversation: conversation.clone(),
        step: Step::Name,
    };
    let is_first = inner.parts.store.begin_welcome(&actor.id, &welcome).await?;
    Ok(is_first.then(|| inner.say(actor.lang, &question(inner, actor, Step::Name))))
}

/// What an answer to the open question comes to; `None` where none is open, or something else was said.
pub(super) async fn hear(
    inner: &Inner,
    waiting: &Waiting,
    actor: &Actor,
    text: &str,
) -> Result<Option<Reply>, StoreError> {
    let store = &inner.parts.store;
    let (channel, conversation) = (waiting.inbound.channel, &waiting.inbound.conversation);
    let open = store.welcome(&actor.id).await?;
    let Some(open) = open.filter(|open| open.channel == channel && open.conversation == *conversation) else {
        return Ok(None);
    };
    if is_skip(inner, text) {
        store.set_welcome(&actor.id, None).await?;
        return Ok(Some(said(inner, actor.lang, &Message::new("welcome-skipped"))));
    }
    if is_something_else(inner, actor, open.step, text) {
        store.set_welcome(&actor.id, None).await?;
        return Ok(None);
    }
    let keeps = inner.parts.engine.language().confirmation(text) == Some(Confirmation::Yes);
    if !keeps && let Some(wrong) = take(inner, actor, open.step, channel, text).await? {
        let again = question(inner, actor, open.step);
        let lines = [inner.say(actor.lang, &wrong), inner.say(actor.lang, &again)];
        return Ok(Some(Reply::text(lines.join("\n"))));
    }
    // The language may be another one now.
    let actor = store.actor(&actor.id).await?.unwrap_or_else(|| actor.clone());
    let next = match open.step {
        Step::Name => Some(Step::Language),
        Step::Language => Some(Step::Notes),
        Step::Notes => None,
    };
    let further = next.map(|step| Welcome { step, ..open });
    store.set_welcome(&actor.id, further.as_ref()).await?;
    let message = match next {
        Some(step) => question(inner, &actor, step),
        None => Message::new("welcome-over").with("name", actor.name.as_str()),
    };
    Ok(Some(said(inner, actor.lang, &message)))
}

/// Keeps lists and notes of a person in this folder from now on; the answer.
pub(super) async fn keep_notes(inner: &Inner, actor: &Actor, typed: &str) -> Result<Message, StoreError> {
    let Some(folder) = inner.parts.engine.keep_notes_in(actor, typed) else {
        return Ok(Message::new("welcome-notes-bad"));
    };
    inner.parts.store.set_notes_dir(&actor.id, &folder).await?;
    Ok(Message::new("me-notes").with("folder", format!("~/{folder}")))
}

/// Takes an answer; what is wrong with it, if it cannot be taken.
async fn take(
    inner: &Inner,
    actor: &Actor,
    step: Step,
    channel: ChannelKind,
    text: &str,
) -> Result<Option<Message>, StoreError> {
    let text = text.trim_end_matches(['.', '!']);
    match step {
        Step::Name => {
            let answer = inner.people.me(actor, channel, &format!("name {text}")).await?;
            Ok(answer.lines.into_iter().find(|line| line.key.to_string() == "name-bad"))
        }
        Step::Language => {
            let tongues = inner.parts.engine.language().tongues();
            let lang = tongues.named(text).filter(|lang| lang.is_built_in());
            match lang {
                Some(lang) => inner.parts.store.set_lang(&actor.id, lang).await.map(|()| None),
                None => Ok(Some(Message::new("welcome-language-bad"))),
            }
        }
        Step::Notes => {
            let answer = keep_notes(inner, actor, text).await?;
            Ok((answer.key.to_string() == "welcome-notes-bad").then_some(answer))
        }
    }
}

fn question(inner: &Inner, actor: &Actor, step: Step) -> Message {
    match step {
        Step::Name => Message::new("welcome-name").with("name", actor.name.as_str()),
        Step::Language => Message::new("welcome-language"),
        Step::Notes => Message::new("welcome-notes").with("folder", inner.parts.engine.notes_of(actor)),
    }
}

fn is_skip(inner: &Inner, text: &str) -> bool {
    let language = inner.parts.engine.language();
    let said = language.normal(text);
    let is_label = |lang: Lang| said == language.normal(&inner.say(lang, &Message::new("welcome-skip")));
    Lang::BUILT_IN.into_iter().any(is_label) || language.confirmation(text) == Some(Confirmation::No)
}

/// A command, a request, a question: nothing that answers ours.
fn is_something_else(inner: &Inner, actor: &Actor, step: Step, text: &str) -> bool {
    let engine = &inner.parts.engine;
    let now = inner.parts.clock.zoned(&actor.timezone);
    let is_path = text.starts_with("~/");
    let is_command = text.starts_with(['/', '!']) || text.contains('?');
    let is_long = text.split_whitespace().count() > ANSWER_WORDS_MAX;
    let is_no_name = step == Step::Name && text.chars().any(|one| !one.is_alphabetic() && !IN_NAMES.contains(&one));
    is_command
        || is_long
        || is_no_name
        || !is_path && (engine.says_what_to_do(text, actor, &now) || engine.asks_for_later(text, actor, &now))
}

fn said(inner: &Inner, lang: Lang, message: &Message) -> Reply {
    Reply::text(inner.say(lang, message))
}
