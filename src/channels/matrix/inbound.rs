//! Turns what happened in rooms into what the runtime takes. Pure: what a message means, who may send it and whether it
//! was seen before is not asked here.

use metnos_matrix::{Body, Event, Message, Point};

use super::{
    name::{name, place},
    pieces::sent,
    signs,
};
use crate::domain::{
    feedback::Sign,
    ids::{ChannelKind, MessageId},
    inbound::{Inbound, InboundBody},
    location::{LocationSource, SharedLocation, Sharing},
    place::Point as OnEarth,
};

/// What to do with one event.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Arrival {
    /// Somebody said something.
    Said(Inbound),
    /// Somebody shares where they go: the beginning, if this is it, or else the next point.
    Moved {
        /// Under the name of the sharing, so that it begins once.
        begins: Inbound,
        /// The same point as one of many.
        goes_on: Inbound,
    },
    /// Somebody reacted with one of our signs.
    Reacted(Inbound),
    /// Somebody took something back; if it was a reaction, it no longer counts.
    Withdrew(Inbound),
    /// Somebody invites us.
    Invited {
        /// Where.
        room: String,
        /// Who.
        sender: String,
    },
    /// Somebody wants to verify us.
    Verifies {
        /// Who.
        sender: String,
        /// Which verification.
        flow: String,
    },
    /// Somebody called us where others listen.
    InGroup {
        /// Where.
        room: String,
    },
    /// Nothing for us, and why.
    Nothing(&'static str),
}

/// Reads one event; `now_ms` stands in for points that do not say when they were measured.
pub(super) fn read(event: Event, now_ms: i64) -> Arrival {
    match event {
        Event::Message(message) => read_message(message, now_ms),
        Event::Unreadable {
            room,
            sender,
            id,
            thread,
            is_private: true,
        } => {
            let name = name(&id, thread.as_deref());
            Arrival::Said(inbound(&room, &sender, name, InboundBody::Unreadable))
        }
        Event::Unreadable { .. } => Arrival::Nothing("a group's message without its key"),
        Event::Reaction {
            room,
            sender,
            id,
            on,
            key,
        } => match signs::of_reaction(&key) {
            Some(sign) => Arrival::Reacted(inbound(
                &room,
                &sender,
                id.as_str().into(),
                sign_body(sign, Some(&on), key),
            )),
            None => Arrival::Nothing("a reaction that is no sign of ours"),
        },
        Event::Redaction { room, sender, of } => {
            let body = InboundBody::Unsupported;
            Arrival::Withdrew(inbound(&room, &sender, of.as_str().into(), body))
        }
        Event::Invite { room, sender } => Arrival::Invited { room, sender },
        Event::Verification { sender, flow } => Arrival::Verifies { sender, flow },
    }
}

/// The thread a name stands in.
pub(super) fn thread_of(message: &MessageId) -> Option<String> {
    place(message)?.1.map(str::to_owned)
}

fn read_message(message: Message, now_ms: i64) -> Arrival {
    if !message.is_private {
        return match &message.body {
            Body::Text(text) if text.trim_start().starts_with('!') => Arrival::InGroup { room: message.room },
            Body::Text(_) | Body::Edit { .. } | Body::Location(_) | Body::File(_) | Body::Other(_) => {
                Arrival::Nothing("talk in a group")
            }
        };
    }
    let said = |body| {
        let mut inbound = inbound(
            &message.room,
            &message.sender,
            name(&message.id, message.thread.as_deref()),
            body,
        );
        inbound.sender_name.clone_from(&message.sender_name);
        inbound
    };
    match &message.body {
        Body::Text(text) => Arrival::Said(said(match signs::of_text(text, message.reply_to.is_some()) {
            Some(sign) => sign_body(sign, message.reply_to.as_deref(), text.clone()),
            None => InboundBody::Text(text.clone()),
        })),
        Body::Edit { of, text } => {
            let of = name(of, message.thread.as_deref());
            Arrival::Said(said(InboundBody::Unsupported).edit(of, &message.id, text.clone()))
        }
        Body::Location(point) => match shared(point, now_ms) {
            Some(shared) => located(said(InboundBody::Location(shared.clone())), &shared, point),
            None => Arrival::Said(said(InboundBody::Unsupported)),
        },
        Body::File(file) => Arrival::Said(said(InboundBody::File(Box::new(sent(file))))),
        Body::Other(_) => Arrival::Said(said(InboundBody::Unsupported)),
    }
}

fn located(inbound: Inbound, shared: &SharedLocation, point: &Point) -> Arrival {
    let Some(live) = &point.live else {
        return Arrival::Said(inbound);
    };
    let with = |sharing, name: MessageId| Inbound {
        message: name,
        body: InboundBody::Location(SharedLocation {
            sharing,
            ..shared.clone()
        }),
        ..inbound.clone()
    };
    Arrival::Moved {
        begins: with(Sharing::LiveBegins, format!("live:{live}").into()),
        goes_on: with(Sharing::LiveGoesOn, inbound.message.clone()),
    }
}

fn shared(point: &Point, now_ms: i64) -> Option<SharedLocation> {
    Some(SharedLocation {
        point: OnEarth::new(point.latitude, point.longitude).ok()?,
        accuracy_m: point.accuracy_m.map(whole_metres),
        captured_ms: point.at_ms.unwrap_or(now_ms).min(now_ms),
        sharing: Sharing::Once,
        source: if point.is_self {
            LocationSource::Device
        } else {
            LocationSource::Picked
        },
        label: point.description.clone().filter(|_| !point.is_self),
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to what fits"
)]
fn whole_metres(metres: f64) -> u32 {
    metres.ceil().clamp(0.0, f64::from(u32::MAX)) as u32
}

fn sign_body(sign: Sign, about: Option<&str>, text: String) -> InboundBody {
    InboundBody::Sign {
        sign,
        about: about.map(MessageId::from),
        text,
    }
}

fn inbound(room: &str, sender: &str, message: MessageId, body: InboundBody) -> Inbound {
    Inbound {
        channel: ChannelKind::Matrix,
        conversation: room.into(),
        sender: sender.into(),
        sender_name: None,
        lang_hint: None,
        message,
        body,
    }
}

#[cfg(test)]
mod tests {
    use metnos_matrix::{FileKind, SentFile};

    use super::*;

    const NOW: i64 = 1_000_000;

    fn message(body: Body) -> Message {
        Message {
            room: "!r:b".into(),
            sender: "@ada:b".into(),
            sender_name: Some("Ada".into()),
            id: "$1".into(),
            body,
            reply_to: None,
            thread: None,
            is_private: true,
        }
    }

    fn said(message: Message) -> Inbound {
        match read(Event::Message(message), NOW) {
            Arrival::Said(inbound) => inbound,
            other @ Arrival::Moved { .. }
            | other @ Arrival::Reacted(_)
            | other @ Arrival::Withdrew(_)
            | other @ Arrival::Invited { .. }
            | other @ Arrival::Verifies { .. }
            | other @ Arrival::InGroup { .. }
            | other @ Arrival::Nothing(_) => panic!("{other:?}"),
        }
    }

    fn point(live: Option<&str>) -> Point {
        Point {
            latitude: 45.0,
            longitude: 9.0,
            accuracy_m: Some(11.2),
            at_ms: None,
            is_self: true,
            live: live.map(str::to_owned),
            description: Some("me".into()),
        }
    }

    #[test]
    fn a_text_says_who_where_and_what() {
        let inbound = said(message(Body::Text("che ora è?".into())));
        assert_eq!(inbound.conversation.as_str(), "!r:b");
        assert_eq!(inbound.sender.as_str(), "@ada:b");
        assert_eq!(inbound.sender_name.as_deref(), Some("Ada"));
        assert_eq!(inbound.message.as_str(), "$1");
        assert_eq!(inbound.body, InboundBody::Text("che ora è?".into()));
        let in_thread = Message {
            thread: Some("$root".into()),
            ..message(Body::Text("x".into()))
        };
        assert_eq!(thread_of(&said(in_thread).message).as_deref(), Some("$root"));
    }

    #[test]
    fn short_words_under_an_answer_are_signs() {
        let reply = Message {
            reply_to: Some("$answer".into()),
            ..message(Body::Text("no".into()))
        };
        assert_eq!(
            said(reply).body,
            InboundBody::Sign {
                sign: Sign::No,
                about: Some("$answer".into()),
                text: "no".into()
            }
        );
        assert_eq!(
            said(message(Body::Text("no".into()))).body,
            InboundBody::Text("no".into())
        );
        assert!(matches!(
            said(message(Body::Text("!ok".into()))).body,
            InboundBody::Sign {
                sign: Sign::Yes,
                about: None,
                ..
            }
        ));
    }

    #[test]
    fn a_point_is_where_and_how_exactly() {
        let InboundBody::Location(shared) = said(message(Body::Location(point(None)))).body else {
            panic!()
        };
        assert_eq!(shared.point, OnEarth::new(45.0, 9.0).unwrap());
        assert_eq!((shared.accuracy_m, shared.captured_ms), (Some(12), NOW));
        assert_eq!(
            (shared.sharing, shared.source, shared.label),
            (Sharing::Once, LocationSource::Device, None)
        );
        let pin = Point {
            is_self: false,
            at_ms: Some(5),
            ..point(None)
        };
        let InboundBody::Location(shared) = said(message(Body::Location(pin))).body else {
            panic!()
        };
        assert_eq!(
            (shared.captured_ms, shared.source, shared.label.as_deref()),
            (5, LocationSource::Picked, Some("me"))
        );
    }

    #[test]
    fn sharing_live_begins_once_under_its_own_name() {
        let arrival = read(Event::Message(message(Body::Location(point(Some("$info"))))), NOW);
        let Arrival::Moved { begins, goes_on } = arrival else {
            panic!("{arrival:?}")
        };
        let sharing = |inbound: &Inbound| match &inbound.body {
            InboundBody::Location(shared) => shared.sharing,
            other @ InboundBody::Text(_)
            | other @ InboundBody::Forwarded(_)
            | other @ InboundBody::Button(_)
            | other @ InboundBody::File(_)
            | other @ InboundBody::Sign { .. }
            | other @ InboundBody::Unreadable
            | other @ InboundBody::Unsupported
            | other @ InboundBody::Edited { .. }
            | other @ InboundBody::Answered(_)
            | other @ InboundBody::Again(_)
            | other @ InboundBody::Due { .. } => panic!("{other:?}"),
        };
        assert_eq!(
            (begins.message.as_str(), sharing(&begins)),
            ("live:$info", Sharing::LiveBegins)
        );
        assert_eq!(
            (goes_on.message.as_str(), sharing(&goes_on)),
            ("$1", Sharing::LiveGoesOn)
        );
    }

    #[test]
    fn a_file_is_handed_up_with_its_words() {
        let file = SentFile {
            handle: "h".into(),
            kind: FileKind::Image,
            name: Some("cat.jpg".into()),
            bytes: Some(3),
            caption: "save this".into(),
        };
        let InboundBody::File(handed) = said(message(Body::File(Box::new(file)))).body else {
            panic!()
        };
        assert_eq!(
            (handed.name.as_deref(), handed.caption.as_str()),
            (Some("cat.jpg"), "save this")
        );
        assert_eq!((handed.handle.as_str(), handed.bytes), ("h", Some(3)));
    }

    #[test]
    fn groups_are_left_alone_unless_they_call_us() {
        let talk = |text: &str| {
            let group = Message {
                is_private: false,
                ..message(Body::Text(text.into()))
            };
            read(Event::Message(group), NOW)
        };
        assert!(matches!(talk("hello all"), Arrival::Nothing(_)));
        assert_eq!(talk("!help"), Arrival::InGroup { room: "!r:b".into() });
    }

    #[test]
    fn what_we_cannot_read_is_handed_up() {
        assert_eq!(
            said(message(Body::Other("m.sticker".into()))).body,
            InboundBody::Unsupported
        );
        let locked = |is_private| Event::Unreadable {
            room: "!r:b".into(),
            sender: "@ada:b".into(),
            id: "$2".into(),
            thread: None,
            is_private,
        };
        assert!(matches!(read(locked(true), NOW), Arrival::Said(inbound) if inbound.body == InboundBody::Unreadable));
        assert!(matches!(read(locked(false), NOW), Arrival::Nothing(_)));
    }

    #[test]
    fn words_put_otherwise_name_the_message_they_change() {
        let edit = Message {
            thread: Some("$root".into()),
            ..message(Body::Edit {
                of: "$0".into(),
                text: "new".into(),
            })
        };
        let inbound = said(edit);
        assert_eq!(inbound.message.as_str(), "edit:$0 $root:$1");
        let of = "$0 $root".into();
        assert_eq!(inbound.body, InboundBody::Edited { of, text: "new".into() });
    }

    #[test]
    fn other_reactions_mean_nothing() {
        let reaction = |key: &str| Event::Reaction {
            room: "!r:b".into(),
            sender: "@ada:b".into(),
            id: "$3".into(),
            on: "$1".into(),
            key: key.into(),
        };
        assert!(matches!(read(reaction("👍🏽"), NOW), Arrival::Reacted(_)));
        assert!(matches!(read(reaction("❤️"), NOW), Arrival::Nothing(_)));
    }
}
