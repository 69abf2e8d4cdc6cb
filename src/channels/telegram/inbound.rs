//! Turns Telegram's updates into `Inbound`s. Pure: it reads an update and says what to do with it. What a message
//! means, who may send it and whether it was seen before is not asked here.

use teloxide::types::{CallbackQuery, Chat, FileMeta, Message, MessageKind, Update, UpdateKind, User};

use crate::domain::{
    attachment::{FileKind, SentFile},
    ids::ChannelKind,
    inbound::{Inbound, InboundBody},
    intent::short_hash,
    lang::Lang,
    location::{LocationSource, SharedLocation, Sharing},
    place::Point,
};

/// What to do with one update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    /// Somebody said something.
    Said(Inbound),
    /// Somebody tapped a button; the query is to be answered in any case.
    Tapped {
        /// Telegram's name of the tap.
        query: String,
        /// The tap, unless it cannot be ours.
        inbound: Option<Inbound>,
    },
    /// A command for us in a group: we only talk in private.
    InGroup {
        /// Where.
        chat: i64,
        /// What the sender's app speaks.
        lang: Option<Lang>,
    },
    /// Nothing for us, and why.
    Nothing(&'static str),
}

/// Reads one update; `bot` is our own name without the `@`.
pub(super) fn read(update: &Update, bot: &str) -> Arrival {
    if let UpdateKind::Message(message) = &update.kind {
        read_message(message, bot)
    } else if let UpdateKind::EditedMessage(message) = &update.kind {
        read_edit(message, bot)
    } else if let UpdateKind::CallbackQuery(query) = &update.kind {
        read_tap(query)
    } else if let UpdateKind::Error(_) = &update.kind {
        Arrival::Nothing("an update we cannot read")
    } else {
        Arrival::Nothing("a kind of update we did not ask for")
    }
}

fn read_message(message: &Message, bot: &str) -> Arrival {
    let Some(sender) = message.from.as_ref().filter(|sender| !sender.is_bot) else {
        return Arrival::Nothing("a message without a person");
    };
    if !message.chat.is_private() {
        return match message.text() {
            Some(text) if is_command_for(text, bot) => Arrival::InGroup {
                chat: message.chat.id.0,
                lang: lang_of(sender),
            },
            Some(_) | None => Arrival::Nothing("talk in a group"),
        };
    }
    let body = if let Some(text) = message.text() {
        let text = without_bot_name(text, bot);
        if message.forward_origin().is_some() {
            InboundBody::Forwarded(text)
        } else {
            InboundBody::Text(text)
        }
    } else if let Some(shared) = location(message).filter(|_| message.forward_origin().is_none()) {
        InboundBody::Location(shared)
    } else if let Some(file) = file(message) {
        InboundBody::File(Box::new(file))
    } else if let MessageKind::Common(_) = message.kind {
        InboundBody::Unsupported
    } else {
        return Arrival::Nothing("a note of Telegram's own");
    };
    Arrival::Said(inbound(sender, &message.chat, message.id.0.to_string(), body))
}

/// A document, a picture in its largest size, a film, music or a spoken message.
fn file(message: &Message) -> Option<SentFile> {
    let sent = |kind: FileKind, file: &FileMeta, name: Option<&String>| SentFile {
        handle: file.id.0.clone(),
        kind,
        name: name.cloned(),
        bytes: (file.size < u32::MAX).then_some(u64::from(file.size)),
        caption: message.caption().unwrap_or_default().to_owned(),
        is_forwarded: message.forward_origin().is_some(),
        album: message.media_group_id().map(|album| album.0.clone()),
    };
    if let Some(animation) = message.animation() {
        return Some(sent(FileKind::Video, &animation.file, animation.file_name.as_ref()));
    }
    if let Some(document) = message.document() {
        return Some(sent(FileKind::Document, &document.file, document.file_name.as_ref()));
    }
    if let Some(largest) = message
        .photo()
        .and_then(|sizes| sizes.iter().max_by_key(|size| size.width))
    {
        return Some(sent(FileKind::Photo, &largest.file, None));
    }
    if let Some(video) = message.video() {
        return Some(sent(FileKind::Video, &video.file, video.file_name.as_ref()));
    }
    if let Some(audio) = message.audio() {
        return Some(sent(FileKind::Audio, &audio.file, audio.file_name.as_ref()));
    }
    if let Some(note) = message.video_note() {
        return Some(sent(FileKind::Video, &note.file, None));
    }
    message.voice().map(|voice| sent(FileKind::Voice, &voice.file, None))
}

/// A live location moves by edits of its message; words are put otherwise. No other edit says anything.
fn read_edit(message: &Message, bot: &str) -> Arrival {
    let sender = message.from.as_ref().filter(|sender| !sender.is_bot);
    let Some(sender) = sender.filter(|_| message.chat.is_private()) else {
        return Arrival::Nothing("an edit");
    };
    if let Some(shared) = location(message) {
        let moved = SharedLocation {
            sharing: Sharing::LiveGoesOn,
            ..shared
        };
        let name = format!("live:{}:{}", message.id.0, moved.captured_ms);
        return Arrival::Said(inbound(sender, &message.chat, name, InboundBody::Location(moved)));
    }
    let Some(text) = message.text().or_else(|| message.caption()) else {
        return Arrival::Nothing("an edit without words");
    };
    let of = message.id.0.to_string();
    let at = message.edit_date().copied().unwrap_or(message.date);
    // The words are part of the name: two edits within a second are two.
    let own = format!("{}:{}", at.timestamp(), short_hash(text.as_bytes()));
    let edited = inbound(sender, &message.chat, of.clone(), InboundBody::Unsupported);
    Arrival::Said(edited.edit(of.into(), &own, without_bot_name(text, bot)))
}

/// A location or a venue; `None` for another kind of message, and for numbers that are nowhere on earth.
fn location(message: &Message) -> Option<SharedLocation> {
    let venue = message.venue();
    let location = venue.map(|venue| &venue.location).or_else(|| message.location())?;
    let point = Point::new(location.latitude, location.longitude)
        .map_err(|error| tracing::warn!(%error, "a location that is none"))
        .ok()?;
    let captured = message.edit_date().copied().unwrap_or(message.date);
    Some(SharedLocation {
        point,
        accuracy_m: location.horizontal_accuracy.map(whole_metres),
        captured_ms: captured.timestamp_millis(),
        sharing: if location.live_period.is_some() {
            Sharing::LiveBegins
        } else {
            Sharing::Once
        },
        source: if venue.is_some() {
            LocationSource::Picked
        } else {
            LocationSource::Device
        },
        label: venue.map(|venue| venue.title.clone()),
    })
}

/// Telegram's radius is between 0 and 1500.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to what fits"
)]
fn whole_metres(radius: f64) -> u32 {
    radius.ceil().clamp(0.0, f64::from(u32::MAX)) as u32
}

fn read_tap(query: &CallbackQuery) -> Arrival {
    let chat = query.message.as_ref().map(|message| message.chat());
    let inbound = match (chat, &query.data) {
        (Some(chat), Some(data)) if chat.is_private() && !query.from.is_bot => {
            let body = InboundBody::Button(data.as_str().into());
            Some(inbound(&query.from, chat, format!("tap:{}", query.id.0), body))
        }
        _ => None,
    };
    Arrival::Tapped {
        query: query.id.0.clone(),
        inbound,
    }
}

fn inbound(sender: &User, chat: &Chat, message: String, body: InboundBody) -> Inbound {
    Inbound {
        channel: ChannelKind::Telegram,
        conversation: chat.id.0.to_string().into(),
        sender: sender.id.0.to_string().into(),
        sender_name: Some(sender.full_name()),
        lang_hint: lang_of(sender),
        message: message.into(),
        body,
    }
}

fn lang_of(sender: &User) -> Option<Lang> {
    sender.language_code.as_deref().and_then(Lang::from_code)
}

/// `/help@our_bot me` is `/help me`; a command for another bot keeps its name.
fn without_bot_name(text: &str, bot: &str) -> String {
    match command_and_name(text) {
        Some((command, name)) if name.eq_ignore_ascii_case(bot) => {
            let rest = text.get(command.len() + 1 + name.len()..).unwrap_or("");
            format!("{command}{rest}")
        }
        Some(_) | None => text.to_owned(),
    }
}

fn is_command_for(text: &str, bot: &str) -> bool {
    command_and_name(text).is_some_and(|(_, name)| name.eq_ignore_ascii_case(bot))
}

/// The `/command` and the `name` of a text that begins with `/command@name`.
fn command_and_name(text: &str) -> Option<(&str, &str)> {
    let first = text.split_whitespace().next().filter(|word| word.starts_with('/'))?;
    text.starts_with('/').then_some(())?;
    first.split_once('@')
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Arrival, read, without_bot_name};
    use crate::domain::{
        attachment::FileKind,
        inbound::{Inbound, InboundBody},
        lang::Lang,
        location::{LocationSource, SharedLocation, Sharing},
        place::Point,
    };

    fn update(kind: &str, content: &Value) -> teloxide::types::Update {
        serde_json::from_str(&json!({"update_id": 1, kind: content}).to_string()).unwrap()
    }

    fn message(extra: &Value) -> Value {
        let mut message = json!({
            "message_id": 9, "date": 0,
            "chat": {"id": 42, "type": "private", "first_name": "Ada"},
            "from": {"id": 7, "is_bot": false, "first_name": "Ada", "last_name": "L", "language_code": "it"},
        });
        for (key, value) in extra.as_object().unwrap() {
            message[key] = value.clone();
        }
        message
    }

    fn said(arrival: Arrival) -> Inbound {
        let Arrival::Said(inbound) = arrival else {
            panic!("{arrival:?}")
        };
        inbound
    }

    #[test]
    fn a_text_that_is_passed_on_is_known_as_one() {
        for origin in [
            json!({"type": "hidden_user", "date": 1, "sender_user_name": "Somebody"}),
            json!({"type": "user", "date": 1, "sender_user": {"id": 8, "is_bot": false, "first_name": "Bob"}}),
        ] {
            let passed_on = message(&json!({"text": "set autonomy to a4", "forward_origin": origin}));
            let inbound = said(read(&update("message", &passed_on), "bed_bot"));
            assert_eq!(inbound.body, InboundBody::Forwarded("set autonomy to a4".into()));
        }
    }

    /// A caption may be somebody else's words, and a place is where somebody else was.
    #[test]
    fn a_file_or_a_place_that_is_passed_on_is_known_as_one() {
        let origin = json!({"type": "hidden_user", "date": 1, "sender_user_name": "Somebody"});
        let document = json!({"file_id": "f", "file_unique_id": "u", "file_size": 3, "file_name": "a.txt"});
        for (passed_on, expected) in [(true, true), (false, false)] {
            let mut sent = json!({"document": document, "caption": "move it to ~/docs"});
            let mut place = json!({"location": {"latitude": 45.0, "longitude": 9.0}});
            if passed_on {
                sent["forward_origin"] = origin.clone();
                place["forward_origin"] = origin.clone();
            }
            let InboundBody::File(file) = said(read(&update("message", &message(&sent)), "b")).body else {
                panic!("a file")
            };
            assert_eq!(file.is_forwarded, expected);
            let place = said(read(&update("message", &message(&place)), "b")).body;
            assert_eq!(place == InboundBody::Unsupported, expected, "{place:?}");
        }
    }

    #[test]
    fn a_text_says_who_where_and_what() {
        let inbound = said(read(
            &update("message", &message(&json!({"text": "che ora è?"}))),
            "bed_bot",
        ));
        assert_eq!(inbound.conversation.as_str(), "42");
        assert_eq!(inbound.sender.as_str(), "7");
        assert_eq!(inbound.sender_name.as_deref(), Some("Ada L"));
        assert_eq!(inbound.lang_hint, Some(Lang::IT));
        assert_eq!(inbound.message.as_str(), "9");
        assert_eq!(inbound.body, InboundBody::Text("che ora è?".into()));
    }

    #[test]
    fn what_we_cannot_read_is_handed_up_and_notes_are_not() {
        let sticker = json!({"file_id": "f", "file_unique_id": "u", "type": "regular", "width": 1, "height": 1,
            "is_animated": false, "is_video": false});
        let arrival = read(&update("message", &message(&json!({"sticker": sticker}))), "b");
        assert_eq!(said(arrival).body, InboundBody::Unsupported);
        let note = message(&json!({"delete_chat_photo": true}));
        assert!(matches!(read(&update("message", &note), "b"), Arrival::Nothing(_)));
    }

    fn shared(inbound: Inbound) -> SharedLocation {
        let InboundBody::Location(shared) = inbound.body else {
            panic!("{:?}", inbound.body)
        };
        shared
    }

    #[test]
    fn a_location_says_where_how_exactly_and_since_when() {
        let here = json!({"latitude": 45.4642, "longitude": 9.19, "horizontal_accuracy": 12.4});
        let located = message(&json!({"date": 1_700_000_000, "location": here}));
        let location = shared(said(read(&update("message", &located), "b")));
        assert_eq!(location.point, Point::new(45.4642, 9.19).unwrap());
        assert_eq!(location.accuracy_m, Some(13));
        assert_eq!(location.captured_ms, 1_700_000_000_000);
        assert_eq!(
            (location.sharing, location.source),
            (Sharing::Once, LocationSource::Device)
        );
        let nowhere = message(&json!({"location": {"latitude": 145.0, "longitude": 9.0}}));
        assert_eq!(
            said(read(&update("message", &nowhere), "b")).body,
            InboundBody::Unsupported
        );
    }

    #[test]
    fn a_venue_is_a_picked_place_with_a_name() {
        let venue = json!({"location": {"latitude": 45.0, "longitude": 9.0}, "title": "Bar Roma", "address": "Via 1"});
        let located = message(&json!({"venue": venue, "location": {"latitude": 45.0, "longitude": 9.0}}));
        let location = shared(said(read(&update("message", &located), "b")));
        assert_eq!(location.source, LocationSource::Picked);
        assert_eq!(location.label.as_deref(), Some("Bar Roma"));
    }

    #[test]
    fn a_live_location_goes_on_by_edits() {
        let here = json!({"latitude": 45.0, "longitude": 9.0, "live_period": 3_600});
        let begins = message(&json!({"location": here}));
        let first = shared(said(read(&update("message", &begins), "b")));
        assert_eq!(first.sharing, Sharing::LiveBegins);
        let moved = json!({"latitude": 45.5, "longitude": 9.0, "live_period": 3_600});
        let moved = message(&json!({"location": moved, "edit_date": 60}));
        let inbound = said(read(&update("edited_message", &moved), "b"));
        assert_eq!(inbound.message.as_str(), "live:9:60000");
        let location = shared(inbound);
        assert_eq!((location.sharing, location.captured_ms), (Sharing::LiveGoesOn, 60_000));
        let ended = message(&json!({"location": {"latitude": 45.5, "longitude": 9.0}, "edit_date": 90}));
        assert_eq!(
            shared(said(read(&update("edited_message", &ended), "b"))).sharing,
            Sharing::LiveGoesOn
        );
        let dice = message(&json!({"dice": {"emoji": "🎲", "value": 3}, "edit_date": 60}));
        assert!(matches!(
            read(&update("edited_message", &dice), "b"),
            Arrival::Nothing(_)
        ));
    }

    #[test]
    fn words_put_otherwise_name_the_message_they_change() {
        let text = message(&json!({"text": "/help@bed_bot me", "edit_date": 60}));
        let edited = said(read(&update("edited_message", &text), "bed_bot"));
        assert!(edited.message.as_str().starts_with("edit:9:60:"), "{}", edited.message);
        let again = message(&json!({"text": "/help@bed_bot us", "edit_date": 60}));
        let again = said(read(&update("edited_message", &again), "bed_bot"));
        assert_ne!(again.message, edited.message, "as long, in the same second");
        assert_eq!(
            edited.body,
            InboundBody::Edited {
                of: "9".into(),
                text: "/help me".into()
            }
        );
    }

    #[test]
    fn a_file_says_what_it_is_and_how_to_fetch_it() {
        let meta = |id: &str, size: u32| json!({"file_id": id, "file_unique_id": id, "file_size": size});
        let with = |mut one: Value, other: Value| {
            one.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
            one
        };
        let file = |extra: Value| {
            let body = said(read(&update("message", &message(&extra)), "b")).body;
            let InboundBody::File(file) = body else {
                panic!("{body:?}")
            };
            file
        };
        let document = with(
            meta("d", 5),
            json!({"file_name": "a.pdf", "mime_type": "application/pdf"}),
        );
        let sent = file(json!({"document": document, "caption": "save it"}));
        assert_eq!((sent.handle.as_str(), sent.kind), ("d", FileKind::Document));
        assert_eq!((sent.name.as_deref(), sent.bytes), (Some("a.pdf"), Some(5)));
        assert_eq!(sent.caption, "save it");
        let sizes = [(90, "s"), (1280, "l"), (320, "m")]
            .map(|(width, id)| with(meta(id, 1), json!({"width": width, "height": width})));
        let sent = file(json!({"photo": sizes}));
        assert_eq!(
            (sent.handle.as_str(), sent.kind, sent.name),
            ("l", FileKind::Photo, None)
        );
        let voice = with(meta("v", 9), json!({"duration": 3, "mime_type": "audio/ogg"}));
        let sent = file(json!({"voice": voice}));
        assert_eq!(sent.kind, FileKind::Voice);
    }

    #[test]
    fn bots_and_nameless_senders_are_not_people() {
        let bot = message(&json!({"text": "hi", "from": {"id": 8, "is_bot": true, "first_name": "B"}}));
        assert!(matches!(read(&update("message", &bot), "b"), Arrival::Nothing(_)));
        let mut nobody = message(&json!({"text": "hi"}));
        nobody.as_object_mut().unwrap().remove("from");
        assert!(matches!(read(&update("message", &nobody), "b"), Arrival::Nothing(_)));
    }

    #[test]
    fn groups_are_left_alone_unless_they_call_us() {
        let group = json!({"id": -5, "type": "supergroup", "title": "G"});
        let talk = message(&json!({"text": "hello all", "chat": group}));
        assert!(matches!(
            read(&update("message", &talk), "bed_bot"),
            Arrival::Nothing(_)
        ));
        let call = message(&json!({"text": "/help@Bed_Bot", "chat": group}));
        let expected = Arrival::InGroup {
            chat: -5,
            lang: Some(Lang::IT),
        };
        assert_eq!(read(&update("message", &call), "bed_bot"), expected);
    }

    #[test]
    fn a_tap_carries_its_token_and_its_own_name() {
        let tap = |chat: Value, data: Value| {
            json!({"id": "q1", "from": {"id": 7, "is_bot": false, "first_name": "Ada"}, "chat_instance": "c",
                "message": {"message_id": 3, "date": 0, "chat": chat}, "data": data})
        };
        let private = json!({"id": 42, "type": "private", "first_name": "Ada"});
        let Arrival::Tapped { query, inbound } = read(&update("callback_query", &tap(private, json!("tok"))), "b")
        else {
            panic!("not a tap")
        };
        assert_eq!(query, "q1");
        let inbound = inbound.unwrap();
        assert_eq!(inbound.message.as_str(), "tap:q1");
        assert_eq!(inbound.body, InboundBody::Button("tok".into()));
        let group = json!({"id": -5, "type": "group", "title": "G"});
        let elsewhere = read(&update("callback_query", &tap(group, json!("tok"))), "b");
        assert!(matches!(elsewhere, Arrival::Tapped { inbound: None, .. }));
    }

    #[test]
    fn unknown_updates_are_nothing() {
        assert!(matches!(
            read(&update("brand_new_kind", &json!({"a": 1})), "b"),
            Arrival::Nothing(_)
        ));
        assert!(matches!(
            read(&update("message", &json!({"broken": true})), "b"),
            Arrival::Nothing(_)
        ));
    }

    #[test]
    fn our_name_is_taken_off_commands() {
        let cases = [
            ("/help@bed_bot", "/help"),
            ("/pair@BED_BOT ABC 12", "/pair ABC 12"),
            ("/help@other_bot", "/help@other_bot"),
            ("/help", "/help"),
            ("write to me@bed_bot", "write to me@bed_bot"),
            (" /help@bed_bot", " /help@bed_bot"),
        ];
        for (text, expected) in cases {
            assert_eq!(without_bot_name(text, "bed_bot"), expected);
        }
    }
}
