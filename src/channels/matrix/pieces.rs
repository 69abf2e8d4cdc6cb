//! An answer as the messages it becomes in a room, and what each file is sent as. Pure; called by `outbound`. What the
//! answer brings along comes first, so that the words with the reactions stay at the end; short words with a single
//! file go under it.

use std::path::{Path, PathBuf};

use metnos_matrix as matrix;

use super::html::{Drawn, parts};
use crate::{
    channels::printable::one_line,
    domain::{
        attachment::{Attachment, FileKind, SentFile},
        place::Point,
        reply::{Block, Reply},
    },
};

/// Longer words stand alone: not every client shows all of what is under a picture.
const CAPTION_BYTES_MAX: usize = 600;
/// What files of an ending are. Clients show only what they are told.
const MIMES: &[(&str, &str)] = &[
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("png", "image/png"),
    ("webp", "image/webp"),
    ("gif", "image/gif"),
    ("svg", "image/svg+xml"),
    ("mp4", "video/mp4"),
    ("m4v", "video/mp4"),
    ("mov", "video/quicktime"),
    ("mp3", "audio/mpeg"),
    ("m4a", "audio/mp4"),
    ("aac", "audio/aac"),
    ("flac", "audio/flac"),
    ("wav", "audio/wav"),
    ("ogg", "audio/ogg"),
    ("oga", "audio/ogg"),
    ("opus", "audio/ogg"),
    ("pdf", "application/pdf"),
    ("zip", "application/zip"),
    ("json", "application/json"),
    ("txt", "text/plain"),
    ("md", "text/markdown"),
    ("csv", "text/csv"),
    ("html", "text/html"),
];

/// One message of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    /// Words.
    Words(Drawn),
    /// A file.
    File(Brought),
    /// A place on a map.
    Pin {
        /// Where.
        point: Point,
        /// What is there.
        description: String,
    },
}

/// A file on its way to a room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Brought {
    /// Where it lies.
    pub(super) path: PathBuf,
    /// What it is.
    pub(super) kind: FileKind,
    /// The words under it.
    pub(super) caption: Option<Drawn>,
}

/// The answer as messages; the same answer always gives the same ones.
pub(super) fn pieces(reply: &Reply) -> Vec<Piece> {
    let words = parts(reply);
    if words.is_empty() {
        return Vec::new();
    }
    if let ([Attachment::File { path, kind }], [words], [Block::Paragraph(_)]) =
        (reply.attachments.as_slice(), words.as_slice(), reply.blocks.as_slice())
        && words.text.len() <= CAPTION_BYTES_MAX
    {
        return vec![Piece::File(Brought {
            path: PathBuf::from(path),
            kind: *kind,
            caption: Some(words.clone()),
        })];
    }
    let along = reply.attachments.iter().map(piece);
    along.chain(words.into_iter().map(Piece::Words)).collect()
}

fn piece(attachment: &Attachment) -> Piece {
    match attachment {
        Attachment::File { path, kind } => Piece::File(Brought {
            path: PathBuf::from(path),
            kind: *kind,
            caption: None,
        }),
        Attachment::Pin { point, title, address } => {
            let named = [title, address].map(|words| one_line(words));
            let said: Vec<&str> = named
                .iter()
                .map(String::as_str)
                .filter(|words| !words.is_empty())
                .collect();
            Piece::Pin {
                point: *point,
                description: said.join(", "),
            }
        }
    }
}

/// What a file is to Matrix.
pub(super) fn kind_of(kind: FileKind) -> matrix::FileKind {
    match kind {
        FileKind::Photo => matrix::FileKind::Image,
        FileKind::Video => matrix::FileKind::Video,
        FileKind::Audio => matrix::FileKind::Audio,
        FileKind::Voice => matrix::FileKind::Voice,
        FileKind::Document => matrix::FileKind::File,
    }
}

/// A file that somebody sent, in our words.
pub(super) fn sent(file: &matrix::SentFile) -> SentFile {
    SentFile {
        handle: file.handle.clone(),
        kind: match file.kind {
            matrix::FileKind::Image => FileKind::Photo,
            matrix::FileKind::Video => FileKind::Video,
            matrix::FileKind::Audio => FileKind::Audio,
            matrix::FileKind::Voice => FileKind::Voice,
            matrix::FileKind::File => FileKind::Document,
        },
        name: file.name.clone(),
        bytes: file.bytes,
        caption: file.caption.clone(),
        is_forwarded: false,
        album: None,
    }
}

/// The type of a file, by its ending.
pub(super) fn mime_of(path: &Path) -> &'static str {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let known = MIMES.iter().find(|(known, _)| *known == ending);
    known.map_or("application/octet-stream", |(_, mime)| mime)
}

/// A size as people read it.
pub(super) fn size(bytes: u64) -> String {
    if bytes >= 1_000_000 {
        format!("{} MB", bytes / 1_000_000)
    } else {
        format!("{} kB", bytes / 1_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> Attachment {
        Attachment::File {
            path: path.to_owned(),
            kind: FileKind::of_name(path),
        }
    }

    fn with(words: &str, attachments: Vec<Attachment>) -> Reply {
        Reply {
            attachments,
            ..Reply::text(words)
        }
    }

    fn shape(reply: &Reply) -> Vec<String> {
        let shape = |piece: &Piece| match piece {
            Piece::Words(drawn) => format!("words {}", drawn.text.len()),
            Piece::File(file) => format!("{:?} {}", kind_of(file.kind), file.caption.is_some()),
            Piece::Pin { description, .. } => format!("pin {description}"),
        };
        pieces(reply).iter().map(shape).collect()
    }

    #[test]
    fn one_file_carries_its_words_and_several_stand_before_them() {
        assert_eq!(shape(&with("here", vec![file("/a.png")])), ["Image true"]);
        let both = with("here", vec![file("/a.png"), file("/b.pdf")]);
        assert_eq!(shape(&both), ["Image false", "File false", "words 4"]);
        let long = "x".repeat(CAPTION_BYTES_MAX + 1);
        assert_eq!(shape(&with(&long, vec![file("/a.ogg")])), ["Voice false", "words 601"]);
        let list = Reply {
            blocks: vec![Block::text("a"), Block::Verbatim("b".into())],
            ..with("", vec![file("/a.png")])
        };
        assert_eq!(shape(&list), ["Image false", "words 3"]);
        assert!(
            pieces(&with("", vec![file("/a.png")])).is_empty(),
            "no answer is without words"
        );
    }

    #[test]
    fn a_pin_is_described_as_far_as_it_is_known() {
        let pin = |title: &str, address: &str| Attachment::Pin {
            point: Point::new(41.9, 12.5).unwrap(),
            title: title.to_owned(),
            address: address.to_owned(),
        };
        assert_eq!(
            shape(&with("there", vec![pin("Da\nTonino", "Via Roma 1")])),
            ["pin Da Tonino, Via Roma 1", "words 5"]
        );
        assert_eq!(shape(&with("there", vec![pin("", "")])), ["pin ", "words 5"]);
    }

    #[test]
    fn every_kind_keeps_its_kind_both_ways() {
        for kind in [
            FileKind::Photo,
            FileKind::Video,
            FileKind::Audio,
            FileKind::Voice,
            FileKind::Document,
        ] {
            let file = matrix::SentFile {
                handle: "h".into(),
                kind: kind_of(kind),
                name: None,
                bytes: None,
                caption: "c".into(),
            };
            assert_eq!((sent(&file).kind, sent(&file).caption.as_str()), (kind, "c"));
        }
        assert_eq!(mime_of(Path::new("/a.JPG")), "image/jpeg");
        assert_eq!(mime_of(Path::new("/a")), "application/octet-stream");
        assert_eq!(
            (size(50_000_000), size(99_999)),
            ("50 MB".to_owned(), "99 kB".to_owned())
        );
    }
}
