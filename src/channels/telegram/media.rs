//! Files and places as Telegram sends them: which of them go together, what each is sent as, and the calls for it.
//! Called by `outbound`. A file is sent only if it still is what was checked when the turn ran.

use std::path::{Path, PathBuf};

use futures_util::StreamExt as _;
use teloxide::{
    net::Download,
    payloads::{SendDocumentSetters, SendMediaGroupSetters, SendVenueSetters},
    requests::{HasPayload, Requester},
    types::{
        ChatId, FileId, InputFile, InputMedia, InputMediaAudio, InputMediaDocument, InputMediaPhoto, InputMediaVideo,
        MessageId, ReplyParameters,
    },
};
use tokio::io::AsyncWriteExt as _;

use super::{api::Api, chunk::beginning, failure::ApiFailure};
use crate::{
    channels::attached::{name_of, size_of},
    domain::{
        attachment::{Attachment, FileKind},
        delivery::FetchFailure,
        limits::{RECEIVED_FILE_BYTES_MAX, SENT_FILE_BYTES_MAX},
        message::Message,
        place::Point,
    },
};

/// Most files of one album.
const ALBUM_MAX: usize = 10;
/// Larger pictures go as documents.
const PHOTO_BYTES_MAX: u64 = 10_000_000;
/// Most UTF-16 units of a caption.
const CAPTION_UNITS_MAX: usize = 1_024;

/// What goes out in one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// One file, or several that make an album.
    Files(Vec<(String, FileKind)>),
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

/// Attachments as calls, in order; the same attachments always give the same calls.
pub(super) fn pieces(attachments: &[Attachment]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for attachment in attachments {
        match attachment {
            Attachment::Pin { point, title, address } => pieces.push(Piece::Pin {
                point: *point,
                title: title.clone(),
                address: address.clone(),
            }),
            Attachment::File { path, kind } => {
                let file = (path.clone(), *kind);
                match pieces.last_mut() {
                    Some(Piece::Files(album)) if album.len() < ALBUM_MAX && go_together(album, *kind) => {
                        album.push(file);
                    }
                    Some(Piece::Files(_) | Piece::Pin { .. }) | None => pieces.push(Piece::Files(vec![file])),
                }
            }
        }
    }
    pieces
}

/// Pictures and films share an album; music and documents keep to their own kind; a spoken message stands alone.
fn go_together(album: &[(String, FileKind)], kind: FileKind) -> bool {
    let class = |kind: FileKind| match kind {
        FileKind::Photo | FileKind::Video => Some(FileKind::Photo),
        FileKind::Audio | FileKind::Document => Some(kind),
        FileKind::Voice => None,
    };
    class(kind).is_some() && album.iter().all(|(_, other)| class(*other) == class(kind))
}

/// Files that can be sent now, and the names of those that cannot, by why.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// What each is sent as.
    pub(super) ready: Vec<(PathBuf, FileKind)>,
    /// No longer there, or no longer what was checked.
    pub(super) gone: Vec<String>,
    /// Grown beyond what the Bot API takes.
    pub(super) too_large: Vec<String>,
}

/// Looks at the files of an album once more: a link may have been put in the place of one since the turn ran.
pub(super) async fn check(files: &[(String, FileKind)]) -> Checked {
    let mut checked = Checked::default();
    for (path, kind) in files {
        match size_of(Path::new(path)).await {
            Some(bytes) if bytes <= SENT_FILE_BYTES_MAX => {
                let too_large = *kind == FileKind::Photo && bytes > PHOTO_BYTES_MAX;
                let kind = if too_large { FileKind::Document } else { *kind };
                checked.ready.push((PathBuf::from(path), kind));
            }
            Some(_) => checked.too_large.push(name_of(Path::new(path))),
            None => checked.gone.push(name_of(Path::new(path))),
        }
    }
    // A picture that became a document cannot stay in an album of pictures.
    let kinds: Vec<(String, FileKind)> = checked.ready.iter().map(|(_, kind)| (String::new(), *kind)).collect();
    if checked.ready.len() > 1 && !kinds.iter().all(|(_, kind)| go_together(&kinds, *kind)) {
        for (_, kind) in &mut checked.ready {
            *kind = FileKind::Document;
        }
    }
    checked
}

impl Checked {
    /// What the person is told of those that cannot be sent.
    pub(super) fn told(&self) -> Vec<Message> {
        let mut told = Vec::new();
        if !self.gone.is_empty() {
            told.push(Message::new("telegram-file-gone").with("names", self.gone.join(", ")));
        }
        if !self.too_large.is_empty() {
            let limit = SENT_FILE_BYTES_MAX / 1_000_000;
            let names = self.too_large.join(", ");
            told.push(
                Message::new("telegram-file-too-large")
                    .with("names", names)
                    .with("limit", limit),
            );
        }
        told
    }
}

impl Api {
    /// Brings a file that a person sent to a path where nothing is yet.
    pub(super) async fn fetch(&self, handle: &str, path: &Path) -> Result<(), FetchFailure> {
        let file = self
            .sorted(self.calls().get_file(FileId(handle.to_owned())).await)
            .map_err(not_fetched)?;
        if file.size < u32::MAX && u64::from(file.size) > RECEIVED_FILE_BYTES_MAX {
            return Err(FetchFailure::TooLarge);
        }
        let disk = |error: std::io::Error| FetchFailure::Disk(error.to_string());
        let mut options = tokio::fs::OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        let mut written = options.open(path).await.map_err(disk)?;
        let mut bytes = 0;
        let mut stream = self.uploads().download_file_stream(&file.path);
        while let Some(chunk) = stream.next().await {
            // The error's own text holds an address with the token in it.
            let chunk = chunk.map_err(|_broken| FetchFailure::Unreachable("the download broke off".to_owned()))?;
            bytes += chunk.len() as u64;
            if bytes > RECEIVED_FILE_BYTES_MAX {
                return Err(FetchFailure::TooLarge);
            }
            written.write_all(&chunk).await.map_err(disk)?;
        }
        written.sync_all().await.map_err(disk)
    }

    /// Sends a place; without a name it is a bare point.
    pub(super) async fn send_pin(
        &self,
        chat: i64,
        point: Point,
        title: &str,
        address: &str,
        reply_to: Option<i32>,
    ) -> Result<i32, ApiFailure> {
        let (latitude, longitude) = (point.latitude(), point.longitude());
        let chat = ChatId(chat);
        if title.is_empty() {
            let call = self.calls().send_location(chat, latitude, longitude);
            return self.sorted(call.await).map(|message| message.id.0);
        }
        // Telegram refuses a venue without an address.
        let address = if address.is_empty() {
            point.to_string()
        } else {
            address.to_owned()
        };
        let mut call = self.calls().send_venue(chat, latitude, longitude, title, address);
        if let Some(message) = reply_to {
            call = call.reply_parameters(quoting(message));
        }
        self.sorted(call.await).map(|message| message.id.0)
    }

    /// Sends files, several as an album. What Telegram does not take as a picture or the like, it takes as documents.
    pub(super) async fn send_files(
        &self,
        chat: i64,
        files: &[(PathBuf, FileKind)],
        caption: &str,
        reply_to: Option<i32>,
    ) -> Result<i32, ApiFailure> {
        let caption = beginning(caption, CAPTION_UNITS_MAX);
        match self.send_as(chat, files, caption, reply_to).await {
            Err(ApiFailure::Refused(reason)) if files.iter().any(|(_, kind)| *kind != FileKind::Document) => {
                tracing::info!(reason, "telegram does not take it as what it is; sent as a document");
                let documents: Vec<(PathBuf, FileKind)> = files
                    .iter()
                    .map(|(path, _)| (path.clone(), FileKind::Document))
                    .collect();
                self.send_as(chat, &documents, caption, reply_to).await
            }
            other => other,
        }
    }

    async fn send_as(
        &self,
        chat: i64,
        files: &[(PathBuf, FileKind)],
        caption: &str,
        reply_to: Option<i32>,
    ) -> Result<i32, ApiFailure> {
        let chat = ChatId(chat);
        if let [(path, kind)] = files {
            return self.send_one(chat, path, *kind, caption, reply_to).await;
        }
        let media = files
            .iter()
            .enumerate()
            .map(|(index, (path, kind))| as_media(path, *kind, if index == 0 { caption } else { "" }));
        let mut call = self.uploads().send_media_group(chat, media.collect::<Vec<_>>());
        if let Some(message) = reply_to {
            call = call.reply_parameters(quoting(message));
        }
        let sent = self.sorted(call.await)?;
        sent.last()
            .map(|message| message.id.0)
            .ok_or_else(|| ApiFailure::Ambiguous("an album without messages".to_owned()))
    }

    async fn send_one(
        &self,
        chat: ChatId,
        path: &Path,
        kind: FileKind,
        caption: &str,
        reply_to: Option<i32>,
    ) -> Result<i32, ApiFailure> {
        let file = InputFile::file(path);
        let caption = (!caption.is_empty()).then(|| caption.to_owned());
        let quoted = reply_to.map(quoting);
        let bot = self.uploads();
        // The payloads are types of their own with the same two fields.
        macro_rules! sent {
            ($call:expr) => {{
                let call = $call.with_payload_mut(|payload| {
                    payload.caption = caption;
                    payload.reply_parameters = quoted;
                });
                self.sorted(call.await).map(|message| message.id.0)
            }};
        }
        match kind {
            FileKind::Photo => sent!(bot.send_photo(chat, file)),
            FileKind::Video => sent!(bot.send_video(chat, file)),
            FileKind::Audio => sent!(bot.send_audio(chat, file)),
            FileKind::Voice => sent!(bot.send_voice(chat, file)),
            FileKind::Document => sent!(bot.send_document(chat, file).disable_content_type_detection(true)),
        }
    }
}

fn not_fetched(failure: ApiFailure) -> FetchFailure {
    match failure {
        ApiFailure::Refused(reason) if reason.contains("too big") => FetchFailure::TooLarge,
        ApiFailure::Refused(_) | ApiFailure::Gone | ApiFailure::NotModified | ApiFailure::Unreadable(_) => {
            FetchFailure::Gone
        }
        ApiFailure::RetryAfter(_) => FetchFailure::Unreachable("asked us to wait".to_owned()),
        ApiFailure::BadToken | ApiFailure::OtherPoller | ApiFailure::WebhookSet => {
            FetchFailure::Unreachable("the bot is not accepted".to_owned())
        }
        ApiFailure::Unreachable(reason) | ApiFailure::Ambiguous(reason) => FetchFailure::Unreachable(reason),
    }
}

fn as_media(path: &Path, kind: FileKind, caption: &str) -> InputMedia {
    let file = InputFile::file(path);
    macro_rules! with_caption {
        ($media:expr) => {{
            let media = $media;
            if caption.is_empty() {
                media
            } else {
                media.caption(caption)
            }
        }};
    }
    match kind {
        FileKind::Photo => InputMedia::Photo(with_caption!(InputMediaPhoto::new(file))),
        FileKind::Video => InputMedia::Video(with_caption!(InputMediaVideo::new(file))),
        FileKind::Audio | FileKind::Voice => InputMedia::Audio(with_caption!(InputMediaAudio::new(file))),
        FileKind::Document => InputMedia::Document(with_caption!(InputMediaDocument::new(file))),
    }
}

fn quoting(message: i32) -> ReplyParameters {
    ReplyParameters::new(MessageId(message)).allow_sending_without_reply()
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

    #[test]
    fn only_what_telegram_shows_together_becomes_an_album() {
        let photos: Vec<Attachment> = (0..12).map(|number| file(&format!("/p/{number}.jpg"))).collect();
        let sizes = |attachments: &[Attachment]| -> Vec<usize> {
            let count = |piece: &Piece| match piece {
                Piece::Files(files) => files.len(),
                Piece::Pin { .. } => 0,
            };
            pieces(attachments).iter().map(count).collect()
        };
        assert_eq!(sizes(&photos), [10, 2]);
        let mixed = [
            file("/a.jpg"),
            file("/b.mp4"),
            file("/c.pdf"),
            file("/d.txt"),
            file("/e.ogg"),
            file("/f.ogg"),
        ];
        assert_eq!(sizes(&mixed), [2, 2, 1, 1]);
        let pin = Attachment::Pin {
            point: Point::new(1.0, 2.0).unwrap(),
            title: "x".into(),
            address: String::new(),
        };
        assert_eq!(sizes(&[file("/a.jpg"), pin, file("/b.jpg")]), [1, 0, 1]);
    }

    #[tokio::test]
    async fn what_is_no_longer_the_file_that_was_checked_is_not_sent() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
        std::fs::write(path("a.jpg"), "x").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", path("b.jpg")).unwrap();
        std::fs::File::create(path("d.jpg"))
            .unwrap()
            .set_len(SENT_FILE_BYTES_MAX + 1)
            .unwrap();
        let files: Vec<(String, FileKind)> = ["a.jpg", "b.jpg", "c.jpg", "d.jpg"]
            .iter()
            .map(|name| (path(name), FileKind::Photo))
            .collect();
        let checked = check(&files).await;
        assert_eq!(checked.ready, [(folder.join("a.jpg"), FileKind::Photo)]);
        assert_eq!(checked.gone, ["b.jpg", "c.jpg"]);
        assert_eq!(checked.too_large, ["d.jpg"], "too large is not gone");
        let keys: Vec<String> = checked.told().iter().map(|told| told.key.as_str().to_owned()).collect();
        assert_eq!(keys, ["telegram-file-gone", "telegram-file-too-large"]);
    }

    #[tokio::test]
    async fn a_large_picture_goes_as_a_document_and_takes_its_album_along() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let large = folder.join("large.jpg");
        std::fs::File::create(&large)
            .unwrap()
            .set_len(PHOTO_BYTES_MAX + 1)
            .unwrap();
        std::fs::write(folder.join("small.jpg"), "x").unwrap();
        let files: Vec<(String, FileKind)> = ["large.jpg", "small.jpg"]
            .iter()
            .map(|name| (folder.join(name).to_string_lossy().into_owned(), FileKind::Photo))
            .collect();
        let checked = check(&files).await;
        assert!(
            checked.ready.iter().all(|(_, kind)| *kind == FileKind::Document),
            "{checked:?}"
        );
    }
}
