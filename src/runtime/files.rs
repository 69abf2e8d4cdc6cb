//! Files that people send. Each is fetched through its channel, kept once in the `inbox` folder of the person's own
//! home, and answered; words that come with it or follow it may say what to do with it. Nothing that is there is ever
//! replaced, and a message that is read again after a crash keeps nothing twice.

use std::{
    collections::HashMap,
    fs, io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use tokio::sync::watch;

use super::{FetchFile, Inner, feedback, turn, voice};
use crate::{
    domain::{
        actor::{Actor, Autonomy},
        attachment::SentFile,
        delivery::{FetchFailure, Parcel},
        folders,
        ids::ChannelKind,
        limits::{ALBUM_WAIT, FILES_REFERRED_MAX, FILES_REFERRED_WITHIN, RECEIVED_FILE_BYTES_MAX},
        message::Message,
        reply::Reply,
    },
    language::refer::Tie,
    rename::rename_new,
    store::{StoreError, inbox::Waiting, outbox::NewParcel},
};

/// After a start the channel needs a moment before it can fetch anything.
const CHANNEL_WAIT: Duration = Duration::from_secs(60);
/// Pauses before the second and the third try.
const RETRY_PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(4)];
/// How often it is looked whether another file of an album came.
const ALBUM_LOOK: Duration = Duration::from_millis(50);
/// Longest name kept, in bytes; the ending stays.
const NAME_BYTES_MAX: usize = 120;
/// Most files of one name.
const SAME_NAME_MAX: u32 = 1_000;

/// What became of a file.
enum Kept {
    /// It lies there.
    At(PathBuf),
    /// It could not be had.
    Not(FetchFailure),
    /// Its person was locked out while it came: it stays with what else is theirs, and nobody hears of it.
    ForNobody,
}

/// The channels that can fetch files.
pub(super) type Fetchers = watch::Sender<HashMap<ChannelKind, FetchFile>>;

/// A file that arrived: kept, and what its words ask is done.
pub(super) async fn received(
    inner: &Arc<Inner>,
    waiting: &Waiting,
    actor: &Actor,
    file: &SentFile,
) -> Result<(), StoreError> {
    let kept = keep(inner, waiting, actor, file).await?;
    let not_kept = match &kept {
        Kept::ForNobody => return turn::close(inner, waiting, None).await,
        Kept::At(_) => None,
        Kept::Not(failure) => {
            tracing::warn!(?failure, "a file that was sent could not be kept");
            Some(Reply::text(inner.say(actor.lang, &sentence(failure))))
        }
    };
    let home = inner.parts.engine.home_of(actor);
    let (shown, caption) = match (&file.album, kept) {
        (Some(album), kept) => {
            let has_it = matches!(kept, Kept::At(_));
            match rest_of(inner, waiting, actor, (file, album), has_it).await? {
                Some(whole) if !whole.0.is_empty() => whole,
                // The last one of an album answers for all of it.
                Some(_) | None => return turn::close(inner, waiting, not_kept).await,
            }
        }
        (None, Kept::At(path)) if voice::is_spoken(file) => {
            let shown = below_home(&path, &home);
            return Box::pin(voice::noted(inner, waiting, actor, (file, &path, &shown))).await;
        }
        (None, Kept::At(path)) => (vec![below_home(&path, &home)], file.caption.clone()),
        (None, Kept::Not(_) | Kept::ForNobody) => return turn::close(inner, waiting, not_kept).await,
    };
    if let Some(reply) = not_kept {
        let (channel, conversation) = (waiting.inbound.channel, waiting.inbound.conversation.clone());
        let parcel = NewParcel::new(channel, conversation, Parcel::Reply(reply)).answering("");
        feedback::send(inner, parcel, &actor.id).await?;
    }
    let language = inner.parts.engine.language();
    let tied = |words: &str| language.refer(words, actor.lang, &shown, Tie::Caption);
    // What is asked about a file and says nothing to do is answered by what it says.
    let read_it = || tied(&inner.say(actor.lang, &Message::new("file-read-it")));
    let is_asked = caption.trim_end().ends_with('?');
    let request = tied(caption.trim()).or_else(|| is_asked.then(read_it).flatten());
    match request {
        Some(request) if file.is_forwarded => turn::relayed(inner, waiting, actor, &request).await,
        Some(request) => turn::request(inner, waiting, actor, &request).await,
        None => {
            // Whoever chose that nothing is changed hears that this stays.
            let key = match actor.autonomy {
                Autonomy::A0 => "file-kept-at-a0",
                Autonomy::A1 | Autonomy::A2 | Autonomy::A3 | Autonomy::A4 => "file-kept",
            };
            let message = Message::new(key)
                .with("count", shown.len())
                .with("path", shown.join(", "));
            turn::close(inner, waiting, Some(Reply::text(inner.say(actor.lang, &message)))).await
        }
    }
}

/// The whole album with the words that came with it, if this is the last file of it; `None` when another one follows.
async fn rest_of(
    inner: &Inner,
    waiting: &Waiting,
    actor: &Actor,
    (file, album): (&SentFile, &str),
    is_kept: bool,
) -> Result<Option<(Vec<String>, String)>, StoreError> {
    let store = &inner.parts.store;
    if is_kept {
        store.album_add(waiting.id, album, file.caption.trim()).await?;
    }
    let until = tokio::time::Instant::now() + ALBUM_WAIT;
    loop {
        if store.album_goes_on(waiting.id, &waiting.inbound, album).await? {
            return Ok(None);
        }
        if tokio::time::Instant::now() >= until {
            break;
        }
        tokio::time::sleep(ALBUM_LOOK).await;
    }
    let home = inner.parts.engine.home_of(actor);
    let files = store.album(waiting.id, &actor.id, album).await?;
    let captions = files.iter().map(|(_, caption)| caption.as_str());
    let caption = captions
        .filter(|caption| !caption.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    let shown = files.iter().map(|(path, _)| below_home(Path::new(path), &home));
    Ok(Some((shown.collect(), caption)))
}

/// The request with the path of what was sent last in the place of "it"; any other request as it is.
pub(super) async fn referred(
    inner: &Inner,
    waiting: &Waiting,
    actor: &Actor,
    text: &str,
) -> Result<Option<String>, StoreError> {
    let within_ms = i64::try_from(FILES_REFERRED_WITHIN.as_millis()).unwrap_or(i64::MAX);
    let since = inner.parts.clock.now_ms().saturating_sub(within_ms);
    let inbound = &waiting.inbound;
    let recent = inner
        .parts
        .store
        .received_since(&actor.id, inbound.channel, &inbound.conversation, since)
        .await?;
    let home = inner.parts.engine.home_of(actor);
    let mut there: Vec<String> = recent
        .into_iter()
        .filter(|path| Path::new(path).is_file())
        .map(|path| below_home(Path::new(&path), &home))
        .collect();
    there.dedup();
    let language = inner.parts.engine.language();
    if !language.speaks_of_several(text, actor.lang) && there.len() > 1 {
        // "it" after several files may mean any of them.
        return Ok(None);
    }
    let from = there.len().saturating_sub(FILES_REFERRED_MAX);
    let there = there.split_off(from);
    if there.is_empty() {
        return Ok(None);
    }
    Ok(language.refer(text, actor.lang, &there, Tie::Following))
}

/// Where the file lies, fetched and put there at most once.
async fn keep(inner: &Inner, waiting: &Waiting, actor: &Actor, file: &SentFile) -> Result<Kept, StoreError> {
    if let Some(path) = inner.parts.store.received_file(waiting.id, &actor.id).await?
        && Path::new(&path).is_file()
    {
        return Ok(Kept::At(PathBuf::from(path)));
    }
    if file.bytes.is_some_and(|bytes| bytes > RECEIVED_FILE_BYTES_MAX) {
        return Ok(Kept::Not(FetchFailure::TooLarge));
    }
    let folder = inner.parts.engine.home_of(actor).join(folders::INBOX);
    let part = folder.join(format!(".{}.part", waiting.id.0));
    let fetched = fetch(inner, waiting.inbound.channel, &file.handle, &folder, &part).await;
    let placed = fetched.and_then(|()| {
        let name = safe_name(file, waiting.inbound.message.as_str());
        put(&part, &folder, &name).map_err(|error| FetchFailure::Disk(error.to_string()))
    });
    if part.exists()
        && let Err(error) = fs::remove_file(&part)
    {
        tracing::warn!(%error, "an unfinished file stays behind");
    }
    let path = match placed {
        Ok(path) => path,
        Err(failure) => return Ok(Kept::Not(failure)),
    };
    let (now, shown) = (inner.parts.clock.now_ms(), path.to_string_lossy());
    let noted = inner
        .parts
        .store
        .file_received(waiting.id, &actor.id, &waiting.inbound, &shown, now);
    Ok(if noted.await? { Kept::At(path) } else { Kept::ForNobody })
}

/// The folder is there, and nothing is left of an earlier try.
fn prepare(folder: &Path, part: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    match fs::remove_file(part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Through the channel, a few times while it cannot be reached.
async fn fetch(
    inner: &Inner,
    channel: ChannelKind,
    handle: &str,
    folder: &Path,
    part: &Path,
) -> Result<(), FetchFailure> {
    let mut fetchers = inner.fetchers.subscribe();
    let ready = fetchers.wait_for(|known| known.contains_key(&channel));
    let fetch = match tokio::time::timeout(CHANNEL_WAIT, ready).await {
        Ok(Ok(known)) => known.get(&channel).cloned(),
        Ok(Err(_)) | Err(_) => None,
    };
    let fetch = fetch.ok_or_else(|| FetchFailure::Unreachable("the channel is not there".to_owned()))?;
    let mut pauses = RETRY_PAUSES.into_iter();
    loop {
        prepare(folder, part).map_err(|error| FetchFailure::Disk(error.to_string()))?;
        let outcome = fetch(handle.to_owned(), part.to_owned()).await;
        let Err(FetchFailure::Unreachable(reason)) = outcome else {
            return outcome;
        };
        let Some(pause) = pauses.next() else {
            return Err(FetchFailure::Unreachable(reason));
        };
        tracing::info!(reason, "a file could not be fetched yet");
        tokio::time::sleep(pause).await;
    }
}

/// Moves the fetched file under its name, or the first free one after it. The same content under such a name is the
/// same file: a crash between two steps leaves no second copy.
fn put(part: &Path, folder: &Path, name: &str) -> io::Result<PathBuf> {
    for number in 1..=SAME_NAME_MAX {
        let path = folder.join(numbered(name, number));
        match rename_new(part, &path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if is_same(part, &path)? {
                    return Ok(path);
                }
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many files of this name"))
}

fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let metadata = fs::symlink_metadata(other)?;
    if !metadata.is_file() || metadata.len() != fs::metadata(one)?.len() {
        return Ok(false);
    }
    Ok(fs::read(one)? == fs::read(other)?)
}

/// `a.pdf`, `a (2).pdf`, …
fn numbered(name: &str, number: u32) -> String {
    if number == 1 {
        return name.to_owned();
    }
    match name.rsplit_once('.') {
        Some((stem, ending)) => format!("{stem} ({number}).{ending}"),
        None => format!("{name} ({number})"),
    }
}

/// A name that is only a name: no folder, not hidden, nothing that is not seen, not too long.
fn safe_name(file: &SentFile, message: &str) -> String {
    let given = file.name.as_deref().unwrap_or_default();
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_odd = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{00AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{FEFF}')
            || matches!(letter, '\u{2060}'..='\u{2069}')
    };
    let seen: String = last
        .chars()
        .filter(|letter| !is_odd(*letter))
        .map(|letter| if "\"<>|:*?{}[]$`".contains(letter) { '_' } else { letter })
        .collect();
    let words: Vec<&str> = seen.split_whitespace().collect();
    let name = words.join(" ");
    let name = name
        .trim_start_matches(['.', '-', '~', ' '])
        .trim_end_matches(['.', ' ']);
    if name.is_empty() {
        let number: String = message.chars().filter(char::is_ascii_alphanumeric).take(16).collect();
        return format!("{}-{number}.{}", file.kind.as_str(), file.kind.default_ending());
    }
    shortened(name)
}

fn shortened(name: &str) -> String {
    if name.len() <= NAME_BYTES_MAX {
        return name.to_owned();
    }
    let (stem, ending) = match name.rsplit_once('.') {
        Some((stem, ending)) if ending.len() <= 16 => (stem, format!(".{ending}")),
        Some(_) | None => (name, String::new()),
    };
    let cut = stem.floor_char_boundary(NAME_BYTES_MAX.saturating_sub(ending.len()));
    format!("{}{ending}", stem.get(..cut).unwrap_or(stem).trim_end())
}

/// As people write it.
fn below_home(path: &Path, home: &Path) -> String {
    match path.strip_prefix(home) {
        Ok(below) => format!("~/{}", below.display()),
        Err(_elsewhere) => path.display().to_string(),
    }
}

fn sentence(failure: &FetchFailure) -> Message {
    match failure {
        FetchFailure::TooLarge => Message::new("file-too-large").with("limit", RECEIVED_FILE_BYTES_MAX / 1_000_000),
        FetchFailure::Gone => Message::new("file-gone"),
        FetchFailure::Damaged => Message::new("file-damaged"),
        FetchFailure::Unreachable(_) => Message::new("file-not-fetched"),
        FetchFailure::Disk(_) => Message::new("file-not-kept"),
        FetchFailure::Refused(reason) => reason.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::attachment::FileKind;

    fn named(name: Option<&str>) -> String {
        let file = SentFile {
            handle: "h".into(),
            kind: FileKind::Photo,
            name: name.map(str::to_owned),
            bytes: None,
            caption: String::new(),
            is_forwarded: false,
            album: None,
        };
        safe_name(&file, "57")
    }

    #[test]
    fn a_foreign_name_is_only_a_name() {
        for (given, kept) in [
            ("report.pdf", "report.pdf"),
            ("../../.ssh/authorized_keys", "authorized_keys"),
            ("C:\\x\\boot.ini", "boot.ini"),
            (".bashrc", "bashrc"),
            ("~/.profile", "profile"),
            ("-rf", "rf"),
            ("a\u{202E}fdp.exe", "afdp.exe"),
            ("a\nb\t c.txt", "ab c.txt"),
            ("${x}*?.txt", "__x___.txt"),
            ("...", "photo-57.jpg"),
            ("/", "photo-57.jpg"),
        ] {
            assert_eq!(named(Some(given)), kept, "{given}");
        }
        assert_eq!(named(None), "photo-57.jpg");
        let long = named(Some(&format!("{}.pdf", "è".repeat(200))));
        assert!(long.len() <= NAME_BYTES_MAX && long.ends_with("è.pdf"), "{long}");
    }

    #[test]
    fn nothing_is_replaced_and_the_same_file_is_kept_once() {
        let folder = tempfile::tempdir().unwrap();
        let put_text = |text: &str| {
            let part = folder.path().join(".1.part");
            fs::write(&part, text).unwrap();
            let path = put(&part, folder.path(), "a.txt").unwrap();
            path.file_name().unwrap().to_string_lossy().into_owned()
        };
        assert_eq!(put_text("one"), "a.txt");
        assert_eq!(put_text("two"), "a (2).txt");
        assert_eq!(put_text("one"), "a.txt");
        assert_eq!(put_text("two"), "a (2).txt");
        assert_eq!(fs::read_to_string(folder.path().join("a.txt")).unwrap(), "one");
    }

    #[test]
    fn a_link_under_the_name_is_neither_followed_nor_replaced() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("a.txt")).unwrap();
        let part = folder.path().join(".1.part");
        fs::write(&part, "mine").unwrap();
        let path = put(&part, folder.path(), "a.txt").unwrap();
        assert_eq!(path, folder.path().join("a (2).txt"));
    }
}
