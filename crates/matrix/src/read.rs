//! Reads one event of a room as it is on the wire, decrypted where it was encrypted. Pure: it knows nothing of the room
//! and asks nobody. What we cannot read is said to be so, never dropped.

use serde_json::{Value, json};

use crate::FileKind;

/// What a message holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// Words.
    Text(String),
    /// A point on the map.
    Location(Point),
    /// A file, a picture, a spoken message.
    File(Box<SentFile>),
    /// A message of the same sender in other words.
    Edit {
        /// Which.
        of: String,
        /// All of its words now.
        text: String,
    },
    /// Something we cannot read: its type.
    Other(String),
}

/// A file somebody sent; its content still lies on the server.
#[derive(Clone, PartialEq, Eq)]
pub struct SentFile {
    /// Leads `Bot::fetch` to it. Holds the key of an encrypted file.
    pub handle: String,
    /// What it is.
    pub kind: FileKind,
    /// The name its sender gave it.
    pub name: Option<String>,
    /// Its size as its sender tells it.
    pub bytes: Option<u64>,
    /// The words with it; empty for none.
    pub caption: String,
}

impl std::fmt::Debug for SentFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SentFile({:?}, {:?} bytes)", self.kind, self.bytes)
    }
}

/// A point on the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
    /// Metres around it.
    pub accuracy_m: Option<f64>,
    /// When somebody was there, milliseconds since 1970.
    pub at_ms: Option<i64>,
    /// Whether it is where the sender is; otherwise a place they point at.
    pub is_self: bool,
    /// The event that began sharing it live, when this is one tick of that.
    pub live: Option<String>,
    /// What the sender calls it.
    pub description: Option<String>,
}

/// What one event says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Said {
    /// A message.
    Message {
        body: Body,
        reply_to: Option<String>,
        thread: Option<String>,
    },
    /// A reaction to an event.
    Reaction { on: String, key: String },
    /// An event was taken back.
    Redaction { of: String },
    /// Still encrypted: we have no key.
    Encrypted { thread: Option<String> },
    /// Somebody wants to verify us in the room.
    Verification { to: String },
}

/// Reads an event; `None` for what is nobody's message: notices of bots, changes of the room.
pub(crate) fn read(event: &Value) -> Option<Said> {
    let content = &event["content"];
    let relation = &content["m.relates_to"];
    match event["type"].as_str()? {
        "m.room.message" => read_message(content, relation),
        "m.reaction" if relation["rel_type"] == "m.annotation" => Some(Said::Reaction {
            on: text(&relation["event_id"])?,
            key: text(&relation["key"])?,
        }),
        "m.room.redaction" => Some(Said::Redaction {
            of: text(&event["redacts"]).or_else(|| text(&content["redacts"]))?,
        }),
        "m.room.encrypted" => Some(Said::Encrypted {
            thread: thread(relation),
        }),
        "m.beacon" | "org.matrix.msc3672.beacon" => {
            let live = text(&relation["event_id"])?;
            Some(message(Body::Location(beacon(content, live)?), relation))
        }
        "m.sticker" => Some(message(Body::Other("m.sticker".to_owned()), relation)),
        kind if kind.ends_with("poll.start") => Some(message(Body::Other(kind.to_owned()), relation)),
        _ => None,
    }
}

fn read_message(content: &Value, relation: &Value) -> Option<Said> {
    if relation["rel_type"] == "m.replace" {
        return edit(&content["m.new_content"], relation);
    }
    let body = match content["msgtype"].as_str() {
        // A message that was taken back has nothing left.
        None => return None,
        Some("m.notice") => return None,
        Some("m.key.verification.request") => {
            return Some(Said::Verification {
                to: text(&content["to"])?,
            });
        }
        Some("m.text" | "m.emote") => Body::Text(without_quote(
            content["body"].as_str().unwrap_or_default(),
            relation["m.in_reply_to"].is_object(),
        )),
        Some("m.location") => match point(content) {
            Some(point) => Body::Location(point),
            None => Body::Other("m.location".to_owned()),
        },
        Some(kind) => match file(kind, content, relation) {
            Some(file) => Body::File(Box::new(file)),
            None => Body::Other(kind.to_owned()),
        },
    };
    Some(message(body, relation))
}

/// The new words of a message or of what was sent with a file; `None` for an edit without any.
fn edit(new: &Value, relation: &Value) -> Option<Said> {
    let said = &new["m.relates_to"];
    let text = match new["msgtype"].as_str()? {
        "m.notice" => return None,
        "m.text" | "m.emote" => without_quote(new["body"].as_str()?, said["m.in_reply_to"].is_object()),
        kind => file(kind, new, said)?.caption,
    };
    let of = relation["event_id"].as_str()?.to_owned();
    Some(message(Body::Edit { of, text }, said))
}

fn message(body: Body, relation: &Value) -> Said {
    // In a thread most clients name the last message as a stand-in for those that know no threads: that is no reply.
    let stands_in = relation["is_falling_back"] == true;
    Said::Message {
        body,
        reply_to: text(&relation["m.in_reply_to"]["event_id"]).filter(|_| !stands_in),
        thread: thread(relation),
    }
}

fn thread(relation: &Value) -> Option<String> {
    (relation["rel_type"] == "m.thread")
        .then(|| text(&relation["event_id"]))
        .flatten()
}

/// Older clients repeat what they answer, line by line after `> `, and an empty line.
fn without_quote(body: &str, is_reply: bool) -> String {
    if !is_reply || !body.starts_with("> ") {
        return body.to_owned();
    }
    let rest: Vec<&str> = body.lines().skip_while(|line| line.starts_with('>')).collect();
    rest.join("\n").trim_start_matches('\n').to_owned()
}

/// A file, encrypted or not; `None` for another kind of message, or one without content.
fn file(kind: &str, content: &Value, relation: &Value) -> Option<SentFile> {
    let is_spoken = ["m.voice", "org.matrix.msc3245.voice"]
        .iter()
        .any(|mark| !content[*mark].is_null());
    let kind = match kind {
        "m.image" => FileKind::Image,
        "m.video" => FileKind::Video,
        "m.audio" if is_spoken => FileKind::Voice,
        "m.audio" => FileKind::Audio,
        "m.file" => FileKind::File,
        _ => return None,
    };
    let source = if content["file"]["url"].is_string() {
        json!({"file": content["file"]})
    } else {
        json!({"url": content["url"].as_str()?})
    };
    let body = without_quote(
        content["body"].as_str().unwrap_or_default(),
        relation["m.in_reply_to"].is_object(),
    );
    // Only beside a name of its own the body is words about the file (MSC2530); otherwise it is the name.
    let (name, caption) = match text(&content["filename"]) {
        Some(name) if name != body => (Some(name), body),
        Some(_) | None => (Some(body), String::new()),
    };
    Some(SentFile {
        handle: source.to_string(),
        kind,
        name: name.filter(|name| !name.trim().is_empty()),
        bytes: content["info"]["size"].as_u64(),
        caption,
    })
}

fn point(content: &Value) -> Option<Point> {
    let location = first(content, &["m.location", "org.matrix.msc3488.location"]);
    let uri = text(&content["geo_uri"]).or_else(|| text(&location["uri"]))?;
    let (latitude, longitude, accuracy_m) = geo(&uri)?;
    let asset = first(content, &["m.asset", "org.matrix.msc3488.asset"]);
    Some(Point {
        latitude,
        longitude,
        accuracy_m,
        at_ms: first(content, &["m.ts", "org.matrix.msc3488.ts"]).as_i64(),
        // Without a word about it the sender shares their own place: so says the proposal.
        is_self: asset["type"].as_str().is_none_or(|kind| kind == "m.self"),
        live: None,
        description: text(&location["description"]),
    })
}

fn beacon(content: &Value, live: String) -> Option<Point> {
    let location = first(content, &["m.location", "org.matrix.msc3488.location"]);
    let (latitude, longitude, accuracy_m) = geo(location["uri"].as_str()?)?;
    Some(Point {
        latitude,
        longitude,
        accuracy_m,
        at_ms: first(content, &["m.ts", "org.matrix.msc3488.ts"]).as_i64(),
        is_self: true,
        live: Some(live),
        description: text(&location["description"]),
    })
}

/// `geo:45.46,9.19;u=10` (RFC 5870): latitude, longitude and the metres around them.
fn geo(uri: &str) -> Option<(f64, f64, Option<f64>)> {
    let rest = uri.strip_prefix("geo:")?;
    let mut parts = rest.split(';');
    let mut coordinates = parts.next()?.split(',').map(str::trim);
    let latitude: f64 = coordinates.next()?.parse().ok()?;
    let longitude: f64 = coordinates.next()?.parse().ok()?;
    let on_earth = latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
    let accuracy = parts
        .filter_map(|part| part.trim().strip_prefix("u="))
        .find_map(|metres| metres.parse::<f64>().ok())
        .filter(|metres| metres.is_finite() && *metres >= 0.0);
    on_earth.then_some((latitude, longitude, accuracy))
}

/// The value under the first of these names that is there.
fn first<'a>(content: &'a Value, names: &[&str]) -> &'a Value {
    names
        .iter()
        .map(|name| &content[*name])
        .find(|value| !value.is_null())
        .unwrap_or(&Value::Null)
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(kind: &str, content: &Value) -> Option<Said> {
        read(&json!({"type": kind, "content": content}))
    }

    fn body(content: &Value) -> Body {
        match said("m.room.message", content) {
            Some(Said::Message { body, .. }) => body,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn words_and_where_they_stand() {
        let plain = json!({"msgtype": "m.text", "body": "ciao"});
        assert_eq!(
            said("m.room.message", &plain),
            Some(Said::Message {
                body: Body::Text("ciao".into()),
                reply_to: None,
                thread: None
            })
        );
        let reply = json!({"msgtype": "m.text", "body": "> <@a:b> what\n> was\n\nok",
            "m.relates_to": {"m.in_reply_to": {"event_id": "$1"}}});
        assert_eq!(
            said("m.room.message", &reply),
            Some(Said::Message {
                body: Body::Text("ok".into()),
                reply_to: Some("$1".into()),
                thread: None
            })
        );
        let in_thread = json!({"msgtype": "m.text", "body": "x", "m.relates_to": {"rel_type": "m.thread",
            "event_id": "$root", "is_falling_back": true, "m.in_reply_to": {"event_id": "$last"}}});
        assert_eq!(
            said("m.room.message", &in_thread),
            Some(Said::Message {
                body: Body::Text("x".into()),
                reply_to: None,
                thread: Some("$root".into())
            })
        );
        assert_eq!(
            body(&json!({"msgtype": "m.text", "body": "> quoted"})),
            Body::Text("> quoted".into())
        );
    }

    #[test]
    fn notices_edits_and_empty_shells_are_nobodys_message() {
        let edit =
            json!({"msgtype": "m.text", "body": "* x", "m.relates_to": {"rel_type": "m.replace", "event_id": "$1"}});
        for content in [json!({"msgtype": "m.notice", "body": "x"}), edit, json!({})] {
            assert_eq!(said("m.room.message", &content), None, "{content}");
        }
        assert_eq!(said("m.room.topic", &json!({"topic": "x"})), None);
    }

    #[test]
    fn reactions_and_their_end() {
        let reaction = json!({"m.relates_to": {"rel_type": "m.annotation", "event_id": "$1", "key": "👍"}});
        assert_eq!(
            said("m.reaction", &reaction),
            Some(Said::Reaction {
                on: "$1".into(),
                key: "👍".into()
            })
        );
        let old = json!({"type": "m.room.redaction", "redacts": "$2", "content": {}});
        let new = json!({"type": "m.room.redaction", "content": {"redacts": "$2"}});
        for event in [old, new] {
            assert_eq!(read(&event), Some(Said::Redaction { of: "$2".into() }));
        }
    }

    #[test]
    fn an_edit_is_its_new_words_and_what_they_replace() {
        let edit = |new: &Value| {
            let content = json!({"msgtype": "m.text", "body": "* new", "m.new_content": new,
                "m.relates_to": {"rel_type": "m.replace", "event_id": "$1"}});
            said("m.room.message", &content)
        };
        let words = json!({"msgtype": "m.text", "body": "> <@a:b> x\n\nnew",
            "m.relates_to": {"rel_type": "m.thread", "event_id": "$root", "m.in_reply_to": {"event_id": "$0"}}});
        let Some(Said::Message { body, thread, .. }) = edit(&words) else {
            panic!()
        };
        let changed = |text: &str| Body::Edit {
            of: "$1".into(),
            text: text.into(),
        };
        assert_eq!((body, thread.as_deref()), (changed("new"), Some("$root")));
        let caption = json!({"msgtype": "m.file", "body": "save it", "filename": "a.pdf", "url": "mxc://bed/1"});
        let Some(Said::Message { body, .. }) = edit(&caption) else {
            panic!()
        };
        assert_eq!(body, changed("save it"));
        for nothing in [
            json!({"msgtype": "m.notice", "body": "x"}),
            json!({"msgtype": "m.text"}),
            json!(null),
        ] {
            assert_eq!(edit(&nothing), None, "{nothing}");
        }
    }

    #[test]
    fn files_with_their_names_and_words() {
        let file = |content: &Value| {
            let Body::File(file) = body(content) else { panic!() };
            *file
        };
        let named = json!({"msgtype": "m.file", "body": "a.pdf", "url": "mxc://bed/1", "info": {"size": 3}});
        let expected = SentFile {
            handle: r#"{"url":"mxc://bed/1"}"#.into(),
            kind: FileKind::File,
            name: Some("a.pdf".into()),
            bytes: Some(3),
            caption: String::new(),
        };
        assert_eq!(file(&named), expected);
        let mut same = named.clone();
        same["filename"] = json!("a.pdf");
        assert_eq!(file(&same), expected, "a body that is the name is no caption");
        let words = json!({"msgtype": "m.image", "body": "> <@a:b> x\n\nsave this", "filename": "cat.jpg",
            "file": {"url": "mxc://bed/2", "key": {"k": "secret"}}, "info": {"size": "many"},
            "m.relates_to": {"m.in_reply_to": {"event_id": "$1"}}});
        let with_words = file(&words);
        assert_eq!(
            (with_words.kind, with_words.name.as_deref()),
            (FileKind::Image, Some("cat.jpg"))
        );
        assert_eq!((with_words.caption.as_str(), with_words.bytes), ("save this", None));
        assert!(with_words.handle.contains("mxc://bed/2") && !format!("{with_words:?}").contains("secret"));
        let spoken = json!({"msgtype": "m.audio", "body": "", "url": "mxc://bed/3", "org.matrix.msc3245.voice": {}});
        assert_eq!((file(&spoken).kind, file(&spoken).name), (FileKind::Voice, None));
        let music = json!({"msgtype": "m.audio", "body": "a.mp3", "url": "mxc://bed/3"});
        assert_eq!(file(&music).kind, FileKind::Audio);
        let film = json!({"msgtype": "m.video", "body": "a.mp4", "url": "mxc://bed/3"});
        assert_eq!(file(&film).kind, FileKind::Video);
    }

    #[test]
    fn points_with_everything_they_say() {
        let full = json!({"msgtype": "m.location", "body": "Duomo", "geo_uri": "geo:45.4642,9.19,120;crs=wgs84;u=12.5",
            "org.matrix.msc3488.location": {"uri": "geo:0,0", "description": "Duomo"},
            "org.matrix.msc3488.asset": {"type": "m.pin"}, "org.matrix.msc3488.ts": 1_700_000_000_000_i64});
        let expected = Point {
            latitude: 45.4642,
            longitude: 9.19,
            accuracy_m: Some(12.5),
            at_ms: Some(1_700_000_000_000),
            is_self: false,
            live: None,
            description: Some("Duomo".into()),
        };
        assert_eq!(body(&full), Body::Location(expected));
        let bare = json!({"msgtype": "m.location", "body": "x", "geo_uri": "geo:-33.9,18.4"});
        let Body::Location(point) = body(&bare) else { panic!() };
        assert_eq!((point.latitude, point.longitude, point.is_self), (-33.9, 18.4, true));
        assert_eq!((point.accuracy_m, point.at_ms), (None, None));
    }

    #[test]
    fn points_off_the_map_are_not_points() {
        for uri in ["geo:91,0", "geo:0,181", "geo:x,y", "45,9", "geo:45", "geo:NaN,1"] {
            let content = json!({"msgtype": "m.location", "body": "x", "geo_uri": uri});
            assert_eq!(body(&content), Body::Other("m.location".into()), "{uri}");
        }
        let odd = json!({"msgtype": "m.location", "body": "x", "geo_uri": "geo:1,2;u=-5"});
        let Body::Location(point) = body(&odd) else { panic!() };
        assert_eq!(point.accuracy_m, None);
    }

    #[test]
    fn a_live_tick_is_a_point() {
        let content = json!({"m.relates_to": {"rel_type": "m.reference", "event_id": "$info"},
            "org.matrix.msc3488.location": {"uri": "geo:51.5,-0.12;u=35"}, "org.matrix.msc3488.ts": 5});
        let Some(Said::Message { body, reply_to, .. }) = said("org.matrix.msc3672.beacon", &content) else {
            panic!()
        };
        let Body::Location(point) = body else { panic!() };
        assert!(point.is_self && reply_to.is_none());
        assert_eq!(point.live.as_deref(), Some("$info"));
        assert_eq!((point.accuracy_m, point.at_ms), (Some(35.0), Some(5)));
    }

    #[test]
    fn what_we_cannot_read_says_its_kind() {
        for content in [
            json!({"msgtype": "m.image", "body": "x"}),
            json!({"msgtype": "m.file", "body": "x", "file": {"key": {}}}),
            json!({"msgtype": "m.server_notice", "body": "x", "url": "mxc://bed/1"}),
        ] {
            let kind = content["msgtype"].as_str().unwrap().to_owned();
            assert_eq!(body(&content), Body::Other(kind));
        }
        let locked = json!({"algorithm": "m.megolm.v1.aes-sha2", "ciphertext": "x"});
        assert_eq!(
            said("m.room.encrypted", &locked),
            Some(Said::Encrypted { thread: None })
        );
    }
}
