//! `get_devices_image`: what a camera sees now, as a picture in the conversation. The server is asked by our own
//! process, which alone has the token. What is no picture is not kept, and nothing is ever replaced.

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use serde_json::json;

use super::{Desk, said, told};
use crate::{
    devices::{Device, Devices},
    domain::{
        failure::{ErrorClass, ToolError},
        folders,
        message::Message,
        run::ToolResult,
    },
    executors::paths,
    store::Store,
};

/// Pictures by how they begin: where, with what, and the ending of their names, with its point.
const BEGINNINGS: [(usize, &[u8], &str); 4] = [
    (0, b"\xff\xd8\xff", ".jpg"),
    (0, b"\x89PNG\r\n\x1a\n", ".png"),
    (0, b"GIF8", ".gif"),
    (8, b"WEBP", ".webp"),
];
/// Letters of a camera's name in the name of a file.
const NAME_CHARS_MAX: usize = 60;

impl Desk<'_> {
    pub(super) async fn get_picture(&self, devices: &Devices, store: &Store) -> Result<ToolResult, ToolError> {
        let camera = match self.meant()?.as_slice() {
            [only] if only.domain() == "camera" => *only,
            [only] => {
                let blind = Message::new("devices-camera-none").with("name", said::label(only));
                return Err(ToolError::new(ErrorClass::InvalidArgs, blind));
            }
            several => {
                let names: Vec<String> = several.iter().map(|device| said::label(device)).collect();
                let which = Message::new("devices-which").with("names", names.join(", "));
                return Err(ToolError::new(ErrorClass::AmbiguousSourceContext, which));
            }
        };
        let named = |key: &str| Message::new(key).with("name", said::label(camera));
        if camera.state.is_unavailable() {
            return Err(ToolError::new(ErrorClass::Network, named("devices-silent")));
        }
        let picture = devices.picture(store, &camera.entity).await;
        let picture = picture.map_err(|mut error| {
            error.message = error.message.with("name", said::label(camera));
            super::for_person(error, self.call.context.is_host)
        })?;
        let ending = ending_of(&picture)
            .ok_or_else(|| ToolError::new(ErrorClass::ServerError, named("devices-camera-silent")))?;
        let context = &self.call.context;
        let name = format!("{} {}", file_name(camera), context.now.strftime("%Y-%m-%d %H.%M.%S"));
        let kept = keep(&context.home.join(folders::INBOX), &name, ending, &picture);
        let path = kept.map_err(|error| {
            let message = Message::new("devices-camera-disk");
            ToolError::new(ErrorClass::PermissionDenied, message).with_detail(error.to_string())
        })?;
        let says = named("devices-camera-shows");
        let entry = json!({
            "path": path.display().to_string(),
            "name": said::label(camera),
            "size": picture.len(),
        });
        Ok(ToolResult::ok(told(&says, json!({"used": 1, "entries": [entry]}))))
    }
}

/// The ending for a picture; none for what is no picture.
fn ending_of(bytes: &[u8]) -> Option<&'static str> {
    let begins = |at: usize, with: &[u8]| bytes.get(at..).is_some_and(|rest| rest.starts_with(with));
    let kind = BEGINNINGS.iter().find(|(at, with, _)| begins(*at, with));
    kind.map(|(_, _, ending)| *ending)
}

/// A camera's name as part of the name of a file: no folder, and nothing that is not seen.
fn file_name(camera: &Device) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() { letter } else { ' ' };
    let name: String = camera.name.chars().take(NAME_CHARS_MAX).map(plain).collect();
    let words: Vec<&str> = name.split_whitespace().collect();
    if words.is_empty() {
        "camera".to_owned()
    } else {
        words.join(" ")
    }
}

/// Writes it under a free name.
fn keep(folder: &Path, stem: &str, ending: &str, bytes: &[u8]) -> std::io::Result<PathBuf> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let path = paths::free_place(folder, stem, ending).ok_or_else(|| std::io::Error::other("no free name"))?;
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path)?;
    if let Err(error) = file.write_all(bytes).and_then(|()| file.sync_all()) {
        if let Err(error) = fs::remove_file(&path) {
            tracing::warn!(%error, "half a picture is left");
        }
        return Err(error);
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pictures_are_pictures() {
        for (bytes, ending) in [
            (&b"\xff\xd8\xff\xe0rest"[..], Some(".jpg")),
            (b"\x89PNG\r\n\x1a\nrest", Some(".png")),
            (b"GIF89a", Some(".gif")),
            (b"RIFF\0\0\0\0WEBPVP8 ", Some(".webp")),
            (b"<html>", None),
            (b"", None),
        ] {
            assert_eq!(ending_of(bytes), ending, "{bytes:?}");
        }
    }

    #[test]
    fn nothing_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let one = keep(&folder.path().join("inbox"), "Door", ".jpg", b"one").unwrap();
        let other = keep(&folder.path().join("inbox"), "Door", ".jpg", b"other").unwrap();
        assert_ne!(one, other);
        assert_eq!(fs::read(one).unwrap(), b"one");
    }
}
