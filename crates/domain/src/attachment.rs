//! What goes along with words, both ways: files, and places on a map. Channels turn these into messages of their own
//! kind; nothing here opens a file.

use serde::{Deserialize, Serialize};

use super::place::Point;

/// What a file is to a channel that shows different kinds differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// A picture.
    Photo,
    /// A film.
    Video,
    /// Music, a recording.
    Audio,
    /// A spoken message.
    Voice,
    /// Anything else.
    Document,
}

impl FileKind {
    /// What a file of this name is, by its ending.
    pub fn of_name(name: &str) -> Self {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_lowercase();
        match ending.as_str() {
            "jpg" | "jpeg" | "png" | "webp" => Self::Photo,
            "mp4" | "mov" | "m4v" => Self::Video,
            "mp3" | "m4a" | "flac" | "wav" | "aac" => Self::Audio,
            "ogg" | "oga" | "opus" => Self::Voice,
            _ => Self::Document,
        }
    }

    /// The ending of a file whose sender gave it no name.
    pub fn default_ending(self) -> &'static str {
        match self {
            Self::Photo => "jpg",
            Self::Video => "mp4",
            Self::Audio => "mp3",
            Self::Voice => "ogg",
            Self::Document => "bin",
        }
    }

    /// The name in file names and sentences.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Photo => "photo",
            Self::Video => "video",
            Self::Audio => "audio",
            Self::Voice => "voice",
            Self::Document => "document",
        }
    }
}

/// A file that somebody sent and that still lies with the channel's server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentFile {
    /// How the channel finds it again; means nothing to anybody else.
    pub handle: String,
    /// What it is.
    pub kind: FileKind,
    /// The name its sender gave it. Foreign text: never a path.
    #[serde(default)]
    pub name: Option<String>,
    /// Its size in bytes, if the channel tells.
    #[serde(default)]
    pub bytes: Option<u64>,
    /// The words with it; empty for none.
    #[serde(default)]
    pub caption: String,
    /// Passed on: the words with it may be somebody else's.
    #[serde(default)]
    pub is_forwarded: bool,
    /// What several files share that were sent together, as the channel names it.
    #[serde(default)]
    pub album: Option<String>,
}

/// Something beside the text of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attachment {
    /// A file on this machine, sent as it is.
    File {
        /// Absolute, all links followed: what was checked is what is sent.
        path: String,
        /// What it is.
        kind: FileKind,
    },
    /// A place on a map.
    Pin {
        /// Where.
        point: Point,
        /// Its name.
        title: String,
        /// Its address; may be empty.
        address: String,
    },
}
