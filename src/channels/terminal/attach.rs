//! `/attach FILE WORDS`: what the paperclip is on a phone. Reads the line, and copies the file for the runtime, which
//! asks the engine first whether the place is open. Called by both ways of using the terminal.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
    sync::Arc,
};

use crate::{
    channels::attached::name_of,
    domain::{
        attachment::{FileKind, SentFile},
        delivery::FetchFailure,
        limits::RECEIVED_FILE_BYTES_MAX,
    },
    runtime::{FetchFile, Runtime},
};

const COMMAND: &str = "attach";
/// What commands begin with.
const SIGNS: [char; 2] = ['/', '!'];

/// The file a line attaches, with the words after it; `None` for any other line, and without a file.
pub(super) fn read(line: &str) -> Option<SentFile> {
    let rest = line.strip_prefix(SIGNS)?.strip_prefix(COMMAND)?;
    let rest = rest.strip_prefix(char::is_whitespace)?.trim();
    let (path, words) = first_word(rest)?;
    let name = name_of(Path::new(&path));
    Some(SentFile {
        kind: FileKind::of_name(&name),
        name: Some(name),
        handle: path,
        bytes: None,
        caption: words.trim().to_owned(),
        is_forwarded: false,
        album: None,
    })
}

/// A path as people type it or as a terminal writes it when a file is dropped on it: plain, in quotes, or with a
/// backslash before each space.
fn first_word(text: &str) -> Option<(String, &str)> {
    let mut word = String::new();
    let mut quote = None;
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match (letter, quote) {
            (letter, Some(open)) if letter == open => quote = None,
            (letter, Some(_)) => word.push(letter),
            ('\'' | '"', None) => quote = Some(letter),
            ('\\', None) => word.extend(letters.next().map(|(_, escaped)| escaped)),
            (letter, None) if letter.is_whitespace() => return text.get(at..).map(|rest| (word, rest)),
            (letter, None) => word.push(letter),
        }
    }
    (!word.is_empty() && quote.is_none()).then_some((word, ""))
}

/// Copies an attached file to where the runtime wants it.
pub(super) fn fetcher(runtime: &Runtime) -> FetchFile {
    let runtime = runtime.clone();
    Arc::new(move |typed, part| {
        let runtime = runtime.clone();
        Box::pin(async move {
            let file = runtime.own_file(&typed).map_err(FetchFailure::Refused)?;
            let copying = tokio::task::spawn_blocking(move || copy(&file, &part));
            copying.await.map_err(|error| FetchFailure::Disk(error.to_string()))?
        })
    })
}

fn copy(from: &Path, to: &Path) -> Result<(), FetchFailure> {
    let disk = |error: io::Error| FetchFailure::Disk(error.to_string());
    let read = File::open(from).map_err(disk)?;
    let mut written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(to)
        .map_err(disk)?;
    let bytes = io::copy(&mut read.take(RECEIVED_FILE_BYTES_MAX + 1), &mut written).map_err(disk)?;
    if bytes > RECEIVED_FILE_BYTES_MAX {
        return Err(FetchFailure::TooLarge);
    }
    written.sync_all().map_err(disk)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_as_terminals_write_it() {
        for (line, expected) in [
            ("/attach ~/a.jpg", Some(("~/a.jpg", ""))),
            (
                "/attach ~/a.jpg save it in ~/docs",
                Some(("~/a.jpg", "save it in ~/docs")),
            ),
            ("/attach '/x/my cat.jpg'  keep it", Some(("/x/my cat.jpg", "keep it"))),
            ("/attach \"/x/my cat.jpg\"", Some(("/x/my cat.jpg", ""))),
            (r"/attach /x/my\ cat.jpg keep it", Some(("/x/my cat.jpg", "keep it"))),
            ("!attach ~/a.jpg", Some(("~/a.jpg", ""))),
            ("/attach", None),
            ("/attach ", None),
            ("/attach '/x/open", None),
            ("/attachment ~/a.jpg", None),
            ("attach ~/a.jpg", None),
        ] {
            let read = read(line);
            let found = read.as_ref().map(|file| (file.handle.as_str(), file.caption.as_str()));
            assert_eq!(found, expected, "{line}");
        }
        let cat = read("/attach '/x/my cat.jpg'").unwrap();
        assert_eq!((cat.kind, cat.name.as_deref()), (FileKind::Photo, Some("my cat.jpg")));
    }

    #[test]
    fn what_is_too_large_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (large, part) = (folder.path().join("large"), folder.path().join("part"));
        File::create(&large)
            .unwrap()
            .set_len(RECEIVED_FILE_BYTES_MAX + 1)
            .unwrap();
        assert_eq!(copy(&large, &part), Err(FetchFailure::TooLarge));
    }
}
