//! What both ways of using the terminal share: names for messages, which buttons the keys stand for, and the text of
//! a delivery. Pure; it neither reads nor writes.

use super::{
    attach,
    draw::{self, Look},
};
use crate::domain::{
    attachment::SentFile,
    delivery::{Delivery, Parcel},
    ids::{ChannelKind, ConversationId, MessageId},
    inbound::{Inbound, InboundBody},
    lang::Lang,
    reply::{Button, ButtonKind, TaskButton},
};

/// The one conversation of the terminal.
pub(super) const CONVERSATION: &str = "local";
/// Who sits at it.
const SENDER: &str = "local";
/// So many rings keep their keys.
const RINGING_MAX: usize = 8;

/// One start of the terminal.
#[derive(Debug)]
pub(super) struct Session {
    name: String,
    lang: Lang,
    look: Look,
    count: u64,
    /// The last answer with buttons: what the keys act on.
    keyed: Option<(MessageId, Vec<Button>)>,
    /// The buttons of what rang and was not answered with one of them, the latest last: their keys stay, whatever else
    /// is said.
    ringing: Vec<Vec<Button>>,
    /// What was said about the last key; an answer of the same words is not printed again.
    said: Option<String>,
}

/// A line somebody typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Nothing on it.
    Blank,
    /// A key for a button under the last answer.
    Tap(Button),
    /// A file to attach.
    File(SentFile),
    /// Everything else.
    Text(String),
}

/// A delivery, drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Drawn {
    /// What to print; `None` for nothing.
    pub(super) text: Option<String>,
    /// The name of the new message; `None` when an old one changed.
    pub(super) message: Option<MessageId>,
}

impl Session {
    /// A session with a name no other start has, so that its messages are new.
    pub(super) fn new(name: &str, lang: Lang, look: Look) -> Self {
        Self {
            name: name.to_owned(),
            lang,
            look,
            count: 0,
            keyed: None,
            ringing: Vec::new(),
            said: None,
        }
    }

    /// How things are drawn.
    pub(super) fn look(&self) -> Look {
        self.look
    }

    /// Reads a line: a key only where there is a button for it.
    pub(super) fn read(&self, line: &str) -> Line {
        let line = line.trim();
        if line.is_empty() {
            return Line::Blank;
        }
        if let Some(button) = kind_of(line).and_then(|kind| self.button(kind)) {
            return Line::Tap(button.clone());
        }
        match attach::read(line) {
            Some(file) => Line::File(file),
            None => Line::Text(line.to_owned()),
        }
    }

    /// The button of this kind under the last answer, or under what rang last.
    pub(super) fn button(&self, kind: ButtonKind) -> Option<&Button> {
        let rung = self.ringing.iter().rev().flatten();
        self.buttons().iter().chain(rung).find(|button| button.kind == kind)
    }

    /// The buttons the keys stand for now.
    pub(super) fn buttons(&self) -> &[Button] {
        self.keyed.as_ref().map_or(&[], |(_, buttons)| buttons)
    }

    /// Remembers what a pressed key was answered with.
    pub(super) fn said(&mut self, toast: &str) {
        self.said = Some(toast.to_owned());
    }

    /// A typed request.
    pub(super) fn text(&mut self, text: String) -> Inbound {
        self.set_question_aside();
        self.inbound("text", InboundBody::Text(text))
    }

    /// An attached file.
    pub(super) fn file(&mut self, file: SentFile) -> Inbound {
        self.set_question_aside();
        self.inbound("file", InboundBody::File(Box::new(file)))
    }

    /// A pressed key. A question can be answered once, so its keys become letters again.
    pub(super) fn tap(&mut self, button: &Button) -> Inbound {
        if matches!(
            button.kind,
            ButtonKind::Approve
                | ButtonKind::Refuse
                | ButtonKind::Amend
                | ButtonKind::Task(_)
                | ButtonKind::Resend
                | ButtonKind::Keep
                | ButtonKind::Unlearn
        ) {
            let is_it = |other: &Button| other.token == button.token;
            self.ringing.retain(|buttons| !buttons.iter().any(is_it));
            if self.buttons().iter().any(is_it) {
                self.keyed = None;
            }
        }
        self.inbound("tap", InboundBody::Button(button.token.clone()))
    }

    /// Something else was said or answered: from now on the letters are words, and the runtime decides what a yes can
    /// still answer.
    fn set_question_aside(&mut self) {
        let asks = |button: &Button| matches!(button.kind, ButtonKind::Approve | ButtonKind::Refuse);
        if self.keyed.as_ref().is_some_and(|(_, buttons)| buttons.iter().any(asks)) {
            self.keyed = None;
        }
    }

    /// Draws a delivery and remembers its buttons.
    pub(super) fn draw(&mut self, delivery: &Delivery) -> Drawn {
        match &delivery.parcel {
            Parcel::Reply(reply) => {
                let message = MessageId::from(format!("answer:{}", delivery.id.0));
                let is_said = self
                    .said
                    .take()
                    .is_some_and(|said| said == reply.plain() && reply.buttons.is_empty());
                if delivery.turn.is_some() {
                    self.set_question_aside();
                }
                let mut text = draw::answer(reply, self.look);
                if let Some(keys) = draw::keys(&reply.buttons) {
                    text.push('\n');
                    text.push_str(&draw::aside(&keys, self.look));
                    if reply.buttons.iter().any(|button| is_of_ring(button.kind)) {
                        self.ringing.push(reply.buttons.clone());
                        let too_many = self.ringing.len().saturating_sub(RINGING_MAX);
                        self.ringing.drain(..too_many);
                    } else {
                        self.keyed = Some((message.clone(), reply.buttons.clone()));
                    }
                }
                Drawn {
                    text: (!is_said).then_some(text),
                    message: Some(message),
                }
            }
            // What was typed here is on the screen already; it was kept out of the history. Progress passes by itself.
            Parcel::Delete { .. } | Parcel::Retract { .. } => Drawn {
                text: None,
                message: None,
            },
            Parcel::Keyboard { message, buttons, .. } => {
                let is_shown = self.keyed.as_ref().is_some_and(|(keyed, _)| keyed == message);
                if is_shown {
                    self.keyed = Some((message.clone(), buttons.clone()));
                }
                let keys = draw::keys(buttons).filter(|_| is_shown);
                Drawn {
                    text: keys.map(|keys| draw::aside(&keys, self.look)),
                    message: None,
                }
            }
        }
    }

    fn inbound(&mut self, what: &str, body: InboundBody) -> Inbound {
        self.count += 1;
        Inbound {
            channel: ChannelKind::Terminal,
            conversation: ConversationId::from(CONVERSATION),
            sender: SENDER.into(),
            sender_name: None,
            lang_hint: Some(self.lang),
            message: format!("{what}:{}:{}", self.name, self.count).into(),
            body,
        }
    }
}

/// Whether a button stands under what rings.
fn is_of_ring(kind: ButtonKind) -> bool {
    matches!(
        kind,
        ButtonKind::Task(TaskButton::Done | TaskButton::Later | TaskButton::Tomorrow)
    )
}

/// The button a whole line stands for. A line with anything else on it is a request, `yes?` included.
fn kind_of(line: &str) -> Option<ButtonKind> {
    match line.to_lowercase().as_str() {
        "+" | "✓" => Some(ButtonKind::Confirm),
        "-" | "✗" => Some(ButtonKind::Reject),
        "=" | "↺" => Some(ButtonKind::Retry),
        "y" | "yes" | "s" | "si" | "sì" | "si\u{300}" => Some(ButtonKind::Approve),
        "n" | "no" => Some(ButtonKind::Refuse),
        "c" => Some(ButtonKind::Amend),
        "d" | "done" | "fatto" => Some(ButtonKind::Task(TaskButton::Done)),
        "l" | "later" | "+10" => Some(ButtonKind::Task(TaskButton::Later)),
        "t" | "tomorrow" | "domani" => Some(ButtonKind::Task(TaskButton::Tomorrow)),
        "r" => Some(ButtonKind::Resend),
        "k" => Some(ButtonKind::Keep),
        "u" => Some(ButtonKind::Unlearn),
        "g" => Some(ButtonKind::Task(TaskButton::GoOn)),
        "p" => Some(ButtonKind::Task(TaskButton::Pause)),
        "x" => Some(ButtonKind::Task(TaskButton::Delete)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, Session};
    use crate::{
        channels::terminal::draw::Look,
        domain::{
            delivery::{Delivery, Parcel, Promise},
            ids::OutboxId,
            inbound::InboundBody,
            lang::Lang,
            reply::{Button, ButtonKind, Reply, TaskButton},
        },
    };

    fn session() -> Session {
        Session::new("s1", Lang::EN, Look::Plain)
    }

    fn button(kind: ButtonKind, label: &str) -> Button {
        Button {
            kind,
            label: label.into(),
            token: format!("token-{label}").into(),
            chosen: false,
        }
    }

    fn delivery(id: i64, parcel: Parcel) -> Delivery {
        Delivery {
            id: OutboxId(id),
            conversation: "local".into(),
            reply_to: None,
            turn: None,
            parcel,
            sent_parts: Vec::new(),
            promise: Promise::AtMostOnce,
            is_broken: false,
            runs: 1,
        }
    }

    fn reply(text: &str, buttons: Vec<Button>) -> Parcel {
        Parcel::Reply(Reply {
            buttons,
            ..Reply::text(text)
        })
    }

    #[test]
    fn keys_are_keys_only_under_their_buttons() {
        let mut session = session();
        assert_eq!(session.read("+"), Line::Text("+".into()));
        assert_eq!(session.read("  "), Line::Blank);
        session.draw(&delivery(1, reply("done", vec![button(ButtonKind::Confirm, "✓")])));
        for line in ["+", " ✓ "] {
            assert_eq!(
                session.read(line),
                Line::Tap(button(ButtonKind::Confirm, "✓")),
                "{line}"
            );
        }
        for line in ["-", "yes", "+ and more", "ok?"] {
            assert_eq!(session.read(line), Line::Text(line.into()), "{line}");
        }
    }

    #[test]
    fn only_a_whole_word_approves() {
        let mut session = session();
        let card = vec![
            button(ButtonKind::Approve, "approve"),
            button(ButtonKind::Refuse, "refuse"),
        ];
        session.draw(&delivery(1, reply("delete?", card)));
        for line in ["y", "Yes", "sì", "SI", "s"] {
            assert!(
                matches!(session.read(line), Line::Tap(tap) if tap.kind == ButtonKind::Approve),
                "{line}"
            );
        }
        for line in ["n", "NO"] {
            assert!(
                matches!(session.read(line), Line::Tap(tap) if tap.kind == ButtonKind::Refuse),
                "{line}"
            );
        }
        for line in ["yes?", "yes please", "come si fa?", "nope", "notes"] {
            assert!(matches!(session.read(line), Line::Text(_)), "{line}");
        }
        session.tap(&button(ButtonKind::Approve, "approve"));
        assert_eq!(session.read("y"), Line::Text("y".into()));
    }

    #[test]
    fn an_answer_without_buttons_leaves_the_keys_where_they_are() {
        let mut session = session();
        session.draw(&delivery(1, reply("one", vec![button(ButtonKind::Confirm, "✓")])));
        session.draw(&delivery(2, reply("two", Vec::new())));
        assert!(session.button(ButtonKind::Confirm).is_some());
    }

    #[test]
    fn letters_are_words_again_once_something_else_was_said_or_answered() {
        let card = || reply("delete?", vec![button(ButtonKind::Approve, "approve")]);
        let mut session = session();
        session.draw(&delivery(1, card()));
        session.text("the other one".into());
        assert_eq!(session.read("y"), Line::Text("y".into()));
        session.draw(&delivery(2, card()));
        session.draw(&delivery(3, reply("by the way", Vec::new())));
        assert!(matches!(session.read("y"), Line::Tap(_)), "a remark is no answer");
        let answer = Delivery {
            turn: Some("t2".into()),
            ..delivery(4, reply("another answer", Vec::new()))
        };
        session.draw(&answer);
        assert_eq!(session.read("y"), Line::Text("y".into()));
    }

    #[test]
    fn a_new_keyboard_replaces_the_one_it_names() {
        let mut session = session();
        let drawn = session.draw(&delivery(4, reply("done", vec![button(ButtonKind::Confirm, "✓")])));
        assert_eq!(drawn.text.as_deref(), Some("done\n[+ ✓]"));
        let chosen = Button {
            chosen: true,
            ..button(ButtonKind::Confirm, "✓")
        };
        let keyboard = |message: &str, buttons: Vec<Button>| {
            let message = message.into();
            delivery(
                5,
                Parcel::Keyboard {
                    message,
                    buttons,
                    words: None,
                },
            )
        };
        assert_eq!(session.draw(&keyboard("answer:99", vec![chosen.clone()])).text, None);
        assert_eq!(
            session.draw(&keyboard("answer:4", vec![chosen])).text.as_deref(),
            Some("[+ •✓]")
        );
        assert_eq!(session.draw(&keyboard("answer:4", Vec::new())).text, None);
        assert_eq!(session.read("+"), Line::Text("+".into()));
    }

    #[test]
    fn the_keys_of_what_rings_stay_until_one_of_them_is_used() {
        let ring = |label: &str| {
            let buttons = [TaskButton::Done, TaskButton::Later, TaskButton::Tomorrow];
            let buttons = buttons.map(|kind| button(ButtonKind::Task(kind), &format!("{label} {}", kind.as_str())));
            reply(label, buttons.to_vec())
        };
        let tapped = |line: &Line| match line {
            Line::Tap(button) => button.label.clone(),
            other @ (Line::Blank | Line::File(_) | Line::Text(_)) => format!("{other:?}"),
        };
        let mut session = session();
        session.draw(&delivery(1, reply("done", vec![button(ButtonKind::Confirm, "✓")])));
        session.draw(&delivery(2, ring("tea")));
        assert_eq!(tapped(&session.read("+")), "✓", "the answer keeps its keys");
        session.draw(&delivery(3, ring("eggs")));
        session.text("what time is it".into());
        let answer = Delivery {
            turn: Some("t2".into()),
            ..delivery(4, reply("ten", vec![button(ButtonKind::Confirm, "✓")]))
        };
        session.draw(&answer);
        for (line, rang) in [("d", "eggs done"), ("l", "tea later")] {
            let Line::Tap(button) = session.read(line) else {
                panic!("{line} is no key");
            };
            assert_eq!(button.label, rang);
            session.tap(&button);
        }
        assert_eq!(session.read("t"), Line::Text("t".into()));
        assert_eq!(tapped(&session.read("+")), "✓");
    }

    #[test]
    fn an_answer_that_repeats_the_words_of_a_key_is_not_printed_again() {
        let mut session = session();
        session.said("Nothing was done.");
        assert_eq!(
            session.draw(&delivery(1, reply("Nothing was done.", Vec::new()))).text,
            None
        );
        let again = session.draw(&delivery(2, reply("Nothing was done.", Vec::new())));
        assert_eq!(again.text.as_deref(), Some("Nothing was done."));
    }

    #[test]
    fn every_message_has_a_name_of_its_own() {
        let mut session = session();
        let first = session.text("hi".into());
        let second = session.text("hi".into());
        assert_ne!(first.message, second.message);
        assert_eq!(first.body, InboundBody::Text("hi".into()));
        let other = Session::new("s2", Lang::EN, Look::Plain).text("hi".into());
        assert_ne!(first.message, other.message);
    }
}
