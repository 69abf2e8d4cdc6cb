//! Files both ways: what people sent is brought to a path, what lies on this machine is brought to a room; encrypted in
//! encrypted rooms. Never more is taken than was asked for, whatever the sender said about the size, and nothing is
//! written before it proved to be what was sent.

use std::{
    fs,
    io::{Cursor, Read as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

use futures_util::future::BoxFuture;
use matrix_sdk::ruma::{
    MxcUri, OwnedMxcUri,
    api::client::media::create_content,
    events::room::{EncryptedFile, MediaSource},
};
use matrix_sdk_crypto::{AttachmentDecryptor, AttachmentEncryptor};
use serde_json::Value;
use tokio::time::timeout;

use crate::{
    Bot, Failure, OutgoingFile,
    write::{Source, file_content},
};

/// Longest silence of the server while it hands out a file; it may first have to ask another one for it.
const SILENCE_MAX: Duration = Duration::from_secs(40);
/// Longest wait for an upload to end, whatever its size.
const UPLOAD_WITHIN: Duration = Duration::from_secs(300);
/// Where servers hand out files: today, and before version 1.11.
const DOORS: [&[&str]; 2] = [
    &["_matrix", "client", "v1", "media", "download"],
    &["_matrix", "media", "v3", "download"],
];
/// An explanation is no longer than this.
const EXPLANATION_BYTES_MAX: u64 = 65_536;

/// Why a file that somebody sent could not be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// Larger than was asked for.
    #[error("the file is too large")]
    TooLarge,
    /// The server does not have it, or not for us.
    #[error("the server does not have the file")]
    Gone,
    /// Not what its sender encrypted.
    #[error("the file is damaged")]
    Damaged,
    /// Worth trying again.
    #[error("{0}")]
    Unreachable(String),
    /// It could not be written here.
    #[error("{0}")]
    Disk(String),
}

impl Bot {
    /// Brings a file that somebody sent, by its handle, to a path where nothing is yet.
    pub fn fetch(&self, handle: &str, path: &Path, bytes_max: u64) -> BoxFuture<'static, Result<(), FetchError>> {
        let (bot, handle, path) = (self.clone(), handle.to_owned(), path.to_owned());
        Box::pin(async move {
            let source: MediaSource = serde_json::from_str(&handle).map_err(|error| {
                tracing::debug!(%error, "not the source of a file");
                FetchError::Damaged
            })?;
            let content = match source {
                MediaSource::Plain(uri) => bot.download(&uri, bytes_max).await?,
                MediaSource::Encrypted(file) => {
                    let locked = bot.download(&file.url, bytes_max).await?;
                    aside(move || unlocked(locked, *file)).await?
                }
            };
            aside(move || keep(&path, &content)).await
        })
    }

    /// The largest file the server takes, if it says so.
    pub fn upload_limit(&self) -> BoxFuture<'static, Option<u64>> {
        let client = self.client.clone();
        Box::pin(async move {
            match client.load_or_fetch_max_upload_size().await {
                Ok(limit) => Some(limit.into()),
                Err(error) => {
                    tracing::debug!(%error, "the server does not say how large a file may be");
                    None
                }
            }
        })
    }

    /// Sends a file; returns its event. `name` makes sending it again harmless.
    pub fn send_file(
        &self,
        room: &str,
        file: &OutgoingFile,
        name: &str,
    ) -> BoxFuture<'static, Result<String, Failure>> {
        let (bot, room, file, name) = (self.clone(), room.to_owned(), file.clone(), name.to_owned());
        Box::pin(async move {
            let is_encrypted = bot.room(&room)?.latest_encryption_state().await?.is_encrypted();
            let (path, bytes_max) = (file.path.clone(), file.bytes_max);
            let content = read_aside(path, bytes_max).await?;
            let bytes = content.len() as u64;
            let source = if is_encrypted {
                let (locked, keys) = lock_aside(content).await?;
                let uri = bot.upload(locked, "application/octet-stream").await?;
                let file = EncryptedFile::new(uri, keys.encryption_info, keys.hashes);
                let file = serde_json::to_value(file).map_err(|error| Failure::Refused(error.to_string()))?;
                Source::Encrypted(file)
            } else {
                Source::Clear(bot.upload(content, &file.mime).await?.to_string())
            };
            let content = file_content(&file, bytes, source);
            bot.send_content(&room, "m.room.message", content, &name).await
        })
    }

    async fn upload(&self, content: Vec<u8>, mime: &str) -> Result<OwnedMxcUri, Failure> {
        let mut request = create_content::v3::Request::new(content);
        request.content_type = Some(mime.to_owned());
        let patience = self.client.request_config().timeout(UPLOAD_WITHIN);
        let uploaded = self.client.send(request).with_request_config(patience).await?;
        Ok(uploaded.content_uri)
    }

    /// The content at an address, as it lies on the server.
    async fn download(&self, uri: &MxcUri, bytes_max: u64) -> Result<Vec<u8>, FetchError> {
        let (server, name) = uri.parts().map_err(|_malformed| FetchError::Damaged)?;
        let token = self.client.access_token().unwrap_or_default();
        for door in DOORS {
            let mut address = self.client.homeserver();
            if let Ok(mut path) = address.path_segments_mut() {
                path.pop_if_empty().extend(door).push(server.as_str()).push(name);
            }
            let asked = self.client.http_client().get(address).bearer_auth(&token).send();
            let mut answer = within(asked).await?;
            if answer.content_length().is_some_and(|bytes| bytes > bytes_max) && answer.status().is_success() {
                return Err(FetchError::TooLarge);
            }
            let limit = if answer.status().is_success() {
                bytes_max
            } else {
                EXPLANATION_BYTES_MAX
            };
            let mut content = Vec::new();
            while let Some(chunk) = within(answer.chunk()).await? {
                content.extend_from_slice(&chunk);
                if content.len() as u64 > limit {
                    return Err(FetchError::TooLarge);
                }
            }
            match answer.status().as_u16() {
                200..=299 => return Ok(content),
                // A server that does not know this door.
                404 | 405 if says(&content) == Some("M_UNRECOGNIZED".to_owned()) => {}
                413 => return Err(FetchError::TooLarge),
                403 | 404 | 410 => return Err(FetchError::Gone),
                status => return Err(FetchError::Unreachable(format!("the homeserver answered {status}"))),
            }
        }
        Err(FetchError::Gone)
    }
}

/// The code of an explanation.
fn says(explanation: &[u8]) -> Option<String> {
    let explanation: Value = serde_json::from_slice(explanation).ok()?;
    explanation["errcode"].as_str().map(str::to_owned)
}

async fn within<T, E: std::fmt::Display>(asked: impl Future<Output = Result<T, E>>) -> Result<T, FetchError> {
    match timeout(SILENCE_MAX, asked).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(FetchError::Unreachable(error.to_string())),
        Err(_elapsed) => Err(FetchError::Unreachable("the homeserver fell silent".to_owned())),
    }
}

/// Work on whole files, beside what must not wait for it.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, FetchError> + Send + 'static,
) -> Result<T, FetchError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(FetchError::Disk(error.to_string())))
}

/// The content, when it is whole and nobody changed it.
fn unlocked(locked: Vec<u8>, file: EncryptedFile) -> Result<Vec<u8>, FetchError> {
    let mut content = Vec::with_capacity(locked.len());
    let mut locked = Cursor::new(locked);
    let damaged = |error: &dyn std::fmt::Display| {
        tracing::warn!(%error, "a file does not open with the keys it came with");
        FetchError::Damaged
    };
    let mut reader = AttachmentDecryptor::new(&mut locked, file.into()).map_err(|error| damaged(&error))?;
    reader.read_to_end(&mut content).map_err(|error| damaged(&error))?;
    Ok(content)
}

fn keep(path: &Path, content: &[u8]) -> Result<(), FetchError> {
    let write = || {
        let mut file = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)?;
        file.write_all(content)?;
        file.sync_all()
    };
    write().map_err(|error: std::io::Error| FetchError::Disk(error.to_string()))
}

async fn read_aside(path: PathBuf, bytes_max: u64) -> Result<Vec<u8>, Failure> {
    let read = move || {
        let mut content = Vec::new();
        fs::File::open(path)?
            .take(bytes_max.saturating_add(1))
            .read_to_end(&mut content)?;
        Ok::<_, std::io::Error>(content)
    };
    let content = tokio::task::spawn_blocking(read)
        .await
        .map_err(|error| Failure::Refused(error.to_string()))?
        .map_err(|error| Failure::Refused(error.to_string()))?;
    if content.len() as u64 > bytes_max {
        return Err(Failure::Refused("the file has grown".to_owned()));
    }
    Ok(content)
}

async fn lock_aside(content: Vec<u8>) -> Result<(Vec<u8>, matrix_sdk::encryption::MediaEncryptionInfo), Failure> {
    let lock = move || {
        let mut content = Cursor::new(content);
        let mut encryptor = AttachmentEncryptor::new(&mut content);
        let mut locked = Vec::new();
        encryptor.read_to_end(&mut locked)?;
        Ok::<_, std::io::Error>((locked, encryptor.finish()))
    };
    tokio::task::spawn_blocking(lock)
        .await
        .map_err(|error| Failure::Refused(error.to_string()))?
        .map_err(|error| Failure::Refused(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn locked(content: &[u8]) -> (Vec<u8>, EncryptedFile) {
        let (locked, keys) = lock_aside(content.to_vec()).await.unwrap();
        let file = EncryptedFile::new("mxc://bed/1".into(), keys.encryption_info, keys.hashes);
        // As it comes from somebody else: over the wire.
        let sent = serde_json::to_string(&file).unwrap();
        (locked, serde_json::from_str(&sent).unwrap())
    }

    #[tokio::test]
    async fn what_is_locked_opens_with_its_keys_and_only_unchanged() {
        let content = vec![7; 100_000];
        let (sealed, file) = locked(&content).await;
        assert_ne!(sealed, content);
        assert_eq!(unlocked(sealed.clone(), file.clone()), Ok(content));
        let mut changed = sealed.clone();
        if let Some(byte) = changed.first_mut() {
            *byte ^= 1;
        }
        assert_eq!(unlocked(changed, file.clone()), Err(FetchError::Damaged));
        let cut = sealed.get(..50_000).unwrap().to_vec();
        assert_eq!(unlocked(cut, file), Err(FetchError::Damaged));
    }

    #[tokio::test]
    async fn no_more_is_read_than_was_looked_at_and_nothing_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        keep(&path, b"abc").unwrap();
        assert_eq!(read_aside(path.clone(), 3).await.unwrap(), b"abc");
        assert!(matches!(read_aside(path.clone(), 2).await, Err(Failure::Refused(_))));
        assert!(matches!(keep(&path, b"other"), Err(FetchError::Disk(_))));
        assert_eq!(fs::read(&path).unwrap(), b"abc");
    }
}
