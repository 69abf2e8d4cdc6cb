//! What is sent, as it is on the wire: messages, points, files. Pure, the counterpart of `read`; `bot` and `media` send
//! it. Nothing here names a person, so that nobody is called by it.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

/// Whether a message asks for attention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// An answer.
    #[default]
    Text,
    /// A remark in passing: clients show it quietly, other bots must not answer it.
    Notice,
}

/// Where in the room something stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The message it answers.
    pub reply_to: Option<String>,
    /// The thread it stands in, by its first message.
    pub thread: Option<String>,
}

/// A message to send.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outgoing {
    /// Whether it asks for attention.
    pub kind: Kind,
    /// The words without any style.
    pub text: String,
    /// The same as Matrix's HTML.
    pub html: Option<String>,
    /// Where it stands.
    pub place: Place,
    /// The message it takes the place of.
    pub replaces: Option<String>,
}

/// A point on the map to send.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
    /// What is there, in words; may be empty.
    pub description: String,
    /// Where it stands.
    pub place: Place,
}

/// What a file is to clients that show different kinds differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A picture.
    Image,
    /// A film.
    Video,
    /// Music, a recording.
    Audio,
    /// A spoken message.
    Voice,
    /// Anything else.
    File,
}

/// A file of this machine to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingFile {
    /// Where it lies.
    pub path: PathBuf,
    /// What it is.
    pub kind: FileKind,
    /// Its name.
    pub name: String,
    /// Its type, such as `image/png`.
    pub mime: String,
    /// More is not read: it has grown since somebody looked.
    pub bytes_max: u64,
    /// Words under it, plain and as Matrix's HTML.
    pub caption: Option<(String, String)>,
    /// Where it stands.
    pub place: Place,
}

/// The message on the wire.
pub(crate) fn content(message: &Outgoing) -> Value {
    let mut content = words(message);
    content.insert("m.mentions".to_owned(), json!({}));
    if let Some(replaced) = &message.replaces {
        content.insert("body".to_owned(), json!(format!("* {}", message.text)));
        content.insert("m.new_content".to_owned(), Value::Object(words(message)));
        let replaces = json!({"rel_type": "m.replace", "event_id": replaced});
        content.insert("m.relates_to".to_owned(), replaces);
    } else {
        relate(&mut content, &message.place);
    }
    Value::Object(content)
}

/// A point, for clients that know the proposal for them (MSC3488) and for those that only read its words.
pub(crate) fn pin_content(pin: &Pin) -> Value {
    let uri = format!("geo:{},{}", pin.latitude, pin.longitude);
    let body = if pin.description.is_empty() {
        uri.clone()
    } else {
        format!("{} ({uri})", pin.description)
    };
    let mut location = Map::new();
    location.insert("uri".to_owned(), json!(uri));
    if !pin.description.is_empty() {
        location.insert("description".to_owned(), json!(pin.description));
    }
    let mut content = Map::new();
    content.insert("msgtype".to_owned(), json!("m.location"));
    content.insert("body".to_owned(), json!(body));
    content.insert("geo_uri".to_owned(), json!(uri));
    content.insert("org.matrix.msc1767.text".to_owned(), json!(body));
    content.insert("org.matrix.msc3488.location".to_owned(), Value::Object(location));
    content.insert("org.matrix.msc3488.asset".to_owned(), json!({"type": "m.pin"}));
    content.insert("m.mentions".to_owned(), json!({}));
    relate(&mut content, &pin.place);
    Value::Object(content)
}

/// A file. `source` says where its content lies on the server, and how to open it when it is encrypted.
pub(crate) fn file_content(file: &OutgoingFile, bytes: u64, source: Source) -> Value {
    let kind = match file.kind {
        FileKind::Image => "m.image",
        FileKind::Video => "m.video",
        FileKind::Audio | FileKind::Voice => "m.audio",
        FileKind::File => "m.file",
    };
    let mut content = Map::new();
    content.insert("msgtype".to_owned(), json!(kind));
    content.insert("filename".to_owned(), json!(file.name));
    match &file.caption {
        Some((text, html)) => {
            content.insert("body".to_owned(), json!(text));
            content.insert("format".to_owned(), json!("org.matrix.custom.html"));
            content.insert("formatted_body".to_owned(), json!(html));
        }
        // A body that is the name is no caption.
        None => {
            content.insert("body".to_owned(), json!(file.name));
        }
    }
    content.insert("info".to_owned(), json!({"mimetype": file.mime, "size": bytes}));
    if file.kind == FileKind::Voice {
        // Shown as a spoken message by clients that know the proposal for them (MSC3245); a recording to the others.
        content.insert("org.matrix.msc3245.voice".to_owned(), json!({}));
    }
    match source {
        Source::Clear(uri) => content.insert("url".to_owned(), json!(uri)),
        Source::Encrypted(keys) => content.insert("file".to_owned(), keys),
    };
    content.insert("m.mentions".to_owned(), json!({}));
    relate(&mut content, &file.place);
    Value::Object(content)
}

/// Where the content of a file lies.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// As it is, at this address.
    Clear(String),
    /// Encrypted, with address and keys.
    Encrypted(Value),
}

fn words(message: &Outgoing) -> Map<String, Value> {
    let kind = match message.kind {
        Kind::Text => "m.text",
        Kind::Notice => "m.notice",
    };
    let mut words = Map::new();
    words.insert("msgtype".to_owned(), json!(kind));
    words.insert("body".to_owned(), json!(message.text));
    if let Some(html) = &message.html {
        words.insert("format".to_owned(), json!("org.matrix.custom.html"));
        words.insert("formatted_body".to_owned(), json!(html));
    }
    words
}

fn relate(content: &mut Map<String, Value>, place: &Place) {
    let answered = place.reply_to.as_ref().map(|event| json!({"event_id": event}));
    let relation = match (&place.thread, answered) {
        (Some(root), answered) => json!({"rel_type": "m.thread", "event_id": root, "is_falling_back": true,
            "m.in_reply_to": answered.unwrap_or_else(|| json!({"event_id": root}))}),
        (None, Some(answered)) => json!({"m.in_reply_to": answered}),
        (None, None) => return,
    };
    content.insert("m.relates_to".to_owned(), relation);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message() -> Outgoing {
        Outgoing {
            text: "a".into(),
            html: Some("<b>a</b>".into()),
            ..Outgoing::default()
        }
    }

    fn reply() -> Place {
        Place {
            reply_to: Some("$1".into()),
            thread: None,
        }
    }

    #[test]
    fn a_message_on_the_wire() {
        let plain = json!({"msgtype": "m.text", "body": "a", "format": "org.matrix.custom.html",
            "formatted_body": "<b>a</b>", "m.mentions": {}});
        assert_eq!(content(&message()), plain);
        let quiet = Outgoing {
            kind: Kind::Notice,
            html: None,
            ..message()
        };
        assert_eq!(
            content(&quiet),
            json!({"msgtype": "m.notice", "body": "a", "m.mentions": {}})
        );
    }

    #[test]
    fn where_it_stands() {
        let answer = Outgoing {
            place: reply(),
            ..message()
        };
        assert_eq!(
            content(&answer)["m.relates_to"],
            json!({"m.in_reply_to": {"event_id": "$1"}})
        );
        let in_thread = Outgoing {
            place: Place {
                thread: Some("$root".into()),
                ..reply()
            },
            ..answer
        };
        let expected = json!({"rel_type": "m.thread", "event_id": "$root", "is_falling_back": true,
            "m.in_reply_to": {"event_id": "$1"}});
        assert_eq!(content(&in_thread)["m.relates_to"], expected);
    }

    #[test]
    fn an_edit_keeps_the_new_words_apart() {
        let edit = Outgoing {
            replaces: Some("$1".into()),
            ..message()
        };
        let content = content(&edit);
        assert_eq!(content["body"], "* a");
        assert_eq!(content["m.new_content"]["body"], "a");
        assert_eq!(
            content["m.relates_to"],
            json!({"rel_type": "m.replace", "event_id": "$1"})
        );
    }

    #[test]
    fn a_pin_says_where_and_what() {
        let pin = Pin {
            latitude: 41.9,
            longitude: 12.5,
            description: "Da Tonino, Via Roma 1".into(),
            place: reply(),
        };
        let expected = json!({"msgtype": "m.location", "body": "Da Tonino, Via Roma 1 (geo:41.9,12.5)",
            "geo_uri": "geo:41.9,12.5", "org.matrix.msc1767.text": "Da Tonino, Via Roma 1 (geo:41.9,12.5)",
            "org.matrix.msc3488.location": {"uri": "geo:41.9,12.5", "description": "Da Tonino, Via Roma 1"},
            "org.matrix.msc3488.asset": {"type": "m.pin"}, "m.mentions": {},
            "m.relates_to": {"m.in_reply_to": {"event_id": "$1"}}});
        assert_eq!(pin_content(&pin), expected);
        let bare = Pin {
            description: String::new(),
            place: Place::default(),
            ..pin
        };
        let content = pin_content(&bare);
        assert_eq!(
            (&content["body"], &content["geo_uri"]),
            (&json!("geo:41.9,12.5"), &json!("geo:41.9,12.5"))
        );
        assert_eq!(content["org.matrix.msc3488.location"], json!({"uri": "geo:41.9,12.5"}));
    }

    #[test]
    fn a_file_with_and_without_words() {
        let file = OutgoingFile {
            path: PathBuf::from("/home/a.png"),
            kind: FileKind::Image,
            name: "a.png".into(),
            mime: "image/png".into(),
            bytes_max: 9,
            caption: None,
            place: Place::default(),
        };
        let bare = file_content(&file, 3, Source::Clear("mxc://bed/1".into()));
        let expected = json!({"msgtype": "m.image", "filename": "a.png", "body": "a.png",
            "info": {"mimetype": "image/png", "size": 3}, "url": "mxc://bed/1", "m.mentions": {}});
        assert_eq!(bare, expected);
        let with_words = OutgoingFile {
            kind: FileKind::File,
            caption: Some(("look".into(), "<p>look</p>".into())),
            ..file
        };
        let keys = json!({"url": "mxc://bed/2", "v": "v2"});
        let content = file_content(&with_words, 3, Source::Encrypted(keys.clone()));
        assert_eq!((&content["msgtype"], &content["file"]), (&json!("m.file"), &keys));
        assert_eq!(
            (&content["body"], &content["filename"]),
            (&json!("look"), &json!("a.png"))
        );
        assert_eq!(content["formatted_body"], "<p>look</p>");
        assert!(content["url"].is_null(), "what is encrypted has no second address");
        let spoken = OutgoingFile {
            kind: FileKind::Voice,
            ..with_words
        };
        let content = file_content(&spoken, 3, Source::Encrypted(keys));
        assert_eq!(
            (&content["msgtype"], &content["org.matrix.msc3245.voice"]),
            (&json!("m.audio"), &json!({}))
        );
    }
}
