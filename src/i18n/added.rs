//! A language a household added: files of texts below `languages/<code>/` in the data folder, as many as English has,
//! and prompts beside them. Read by `I18n`, written by the job that translates; people may write in them, too.
//!
//! Above a text that a model wrote stands what it was made from and what it was then: `# en 1f… model 9c…`. A text that
//! is no longer what the model wrote was written by a person, and is never touched again. A file is replaced as a
//! whole, so that a kill leaves the old one or the new one.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use super::source::{self, Text};
use crate::domain::lang::{LANGUAGES_FOLDER, Lang};

/// What a prompt's place is called instead of a file, and the folder prompts are in.
pub(super) const PROMPTS: &str = "prompts";
/// What the model was refused, and how often; losing it costs a few calls.
const REFUSED: &str = "refused.json";

/// Where a text stands: its file, and its key in there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file's name without its ending; `prompts` for prompts.
    pub file: String,
    /// The key of a text, or the name of a prompt.
    pub key: String,
}

impl Place {
    /// Whether it is no sentence, but what a model is told.
    pub fn is_prompt(&self) -> bool {
        self.file == PROMPTS
    }
}

/// What a text was made from, and what it was then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Made {
    from: String,
    was: String,
}

/// A text that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// As it is said, in Fluent's own spelling; a prompt as it is.
    pub(super) text: String,
    /// `None` when a person wrote it from nothing.
    made: Option<Made>,
    /// What else stands above it.
    notes: Vec<String>,
}

/// How a text stands to the English one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Not there yet.
    Pending,
    /// A model made it from an English text that is another one now.
    Outdated,
    /// A model made it from this English text.
    Made,
    /// A person wrote it.
    ByHand,
    /// A person changed it, and the English text is another one since.
    ByHandBehind,
}

impl State {
    /// Whether it waits for the model.
    pub fn is_pending(self) -> bool {
        match self {
            Self::Pending | Self::Outdated => true,
            Self::Made | Self::ByHand | Self::ByHandBehind => false,
        }
    }
}

impl Written {
    /// A text a model just made from an English one.
    pub(super) fn made(text: String, from: &str) -> Self {
        let was = source::hash(&text);
        Self {
            text,
            made: Some(Made {
                from: source::hash(from),
                was,
            }),
            notes: Vec::new(),
        }
    }

    fn read(text: String, comment: Vec<String>) -> Self {
        let made = comment.iter().find_map(|line| Made::read(line));
        let notes = comment.into_iter().filter(|line| Made::read(line).is_none()).collect();
        Self { text, made, notes }
    }

    /// How it stands to the English text.
    pub(super) fn state(&self, english: &str) -> State {
        let Some(made) = &self.made else {
            return State::ByHand;
        };
        let is_behind = made.from != source::hash(english);
        match (made.was == source::hash(&self.text), is_behind) {
            (true, true) => State::Outdated,
            (true, false) => State::Made,
            (false, true) => State::ByHandBehind,
            (false, false) => State::ByHand,
        }
    }
}

impl Made {
    fn read(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let (en, from, model, was) = (words.next()?, words.next()?, words.next()?, words.next()?);
        (en == "en" && model == "model" && words.next().is_none()).then(|| Self {
            from: from.to_owned(),
            was: was.to_owned(),
        })
    }
}

impl std::fmt::Display for Made {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "en {} model {}", self.from, self.was)
    }
}

/// What a model wrote for a text and could not be used.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct Refused {
    /// The English text it was made from.
    pub(super) from: String,
    /// How often.
    pub(super) times: u32,
    /// Why, by the key of a sentence.
    pub(super) why: String,
    /// What it wrote.
    pub(super) said: String,
}

/// The folder of one language.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(super) fn of(data_dir: &Path, lang: Lang) -> Self {
        Self {
            path: data_dir.join(LANGUAGES_FOLDER).join(lang.code()),
        }
    }

    /// The languages that were added, by their codes.
    pub(super) fn all(data_dir: &Path) -> Vec<Lang> {
        let Ok(entries) = fs::read_dir(data_dir.join(LANGUAGES_FOLDER)) else {
            return Vec::new();
        };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut added: Vec<Lang> = names
            .filter_map(|name| Lang::from_code(&name).filter(|lang| lang.code() == name && !lang.is_built_in()))
            .collect();
        added.sort();
        added
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn make(&self) -> io::Result<()> {
        fs::create_dir_all(self.path.join(PROMPTS))
    }

    /// The texts of one file, and whether all of it could be read.
    pub(super) fn texts(&self, file: &str) -> io::Result<(BTreeMap<String, Written>, bool)> {
        let (texts, is_whole) = source::by_key(&optional(&self.path.join(format!("{file}.ftl")))?);
        let written = |text: Text| Written::read(text.text, text.comment);
        let texts = texts.into_iter().map(|(key, text)| (key, written(text))).collect();
        Ok((texts, is_whole))
    }

    /// A prompt; an empty file is none.
    pub(super) fn prompt(&self, name: &str) -> io::Result<Option<Written>> {
        let text = optional(&self.prompt_path(name))?;
        let (comment, text) = match text.split_once('\n') {
            Some((first, rest)) if Made::read(first.trim_start_matches('#').trim()).is_some() => {
                (vec![first.trim_start_matches('#').trim().to_owned()], rest)
            }
            Some(_) | None => (Vec::new(), text.as_str()),
        };
        let text = text.trim();
        Ok((!text.is_empty()).then(|| Written::read(text.to_owned(), comment)))
    }

    /// Puts one text among those of its file. What people wrote in there stays.
    pub(super) fn put(&self, file: &str, key: &str, written: Written) -> io::Result<()> {
        let (mut texts, _) = self.texts(file)?;
        texts.insert(key.to_owned(), written);
        let mut whole = String::new();
        for text in texts.values() {
            let comment = text.made.iter().map(Made::to_string).chain(text.notes.iter().cloned());
            for line in comment {
                whole.push_str(format!("# {line}").trim_end());
                whole.push('\n');
            }
            whole.push_str(&text.text);
            whole.push_str("\n\n");
        }
        self.replace(&self.path.join(format!("{file}.ftl")), &whole)
    }

    /// Puts a prompt.
    pub(super) fn put_prompt(&self, name: &str, written: &Written) -> io::Result<()> {
        let comment = written
            .made
            .as_ref()
            .map_or_else(String::new, |made| format!("# {made}\n"));
        self.replace(&self.prompt_path(name), &format!("{comment}{}\n", written.text))
    }

    fn prompt_path(&self, name: &str) -> PathBuf {
        self.path.join(PROMPTS).join(format!("{name}.md"))
    }

    /// What was refused so far; what cannot be read is forgotten.
    pub(super) fn refused(&self) -> BTreeMap<String, Refused> {
        let text = optional(&self.path.join(REFUSED)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    pub(super) fn put_refused(&self, refused: &BTreeMap<String, Refused>) -> io::Result<()> {
        self.replace(&self.path.join(REFUSED), &serde_json::to_string_pretty(refused)?)
    }

    fn replace(&self, path: &Path, whole: &str) -> io::Result<()> {
        let beside = path.with_extension("new");
        let file = fs::File::create(&beside)?;
        io::Write::write_all(&mut &file, whole.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    }
}

/// A file's text; nothing when there is no such file.
fn optional(path: &Path) -> io::Result<String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        read => read,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_knows_what_it_was_made_from_and_a_hand_is_noticed() {
        let data = tempfile::tempdir().unwrap();
        let folder = Folder::of(data.path(), Lang::from_code("fr").unwrap());
        folder.make().unwrap();
        assert_eq!(Folder::all(data.path()), [Lang::from_code("fr").unwrap()]);
        folder
            .put(
                "runtime",
                "hello",
                Written::made("hello = Bonjour".to_owned(), "hello = Hello"),
            )
            .unwrap();
        folder
            .put("runtime", "bye", Written::made("bye = Adieu".to_owned(), "bye = Bye"))
            .unwrap();
        let state = |english: &str| folder.texts("runtime").unwrap().0["hello"].state(english);
        assert_eq!(state("hello = Hello"), State::Made);
        assert_eq!(state("hello = Good day"), State::Outdated);
        let path = folder.path().join("runtime.ftl");
        let file = fs::read_to_string(&path).unwrap();
        fs::write(&path, file.replace("Bonjour", "Salut")).unwrap();
        assert_eq!(state("hello = Hello"), State::ByHand);
        assert_eq!(state("hello = Good day"), State::ByHandBehind);
        // Another text of the same file leaves it, and what stands above it.
        folder
            .put(
                "runtime",
                "bye",
                Written::made("bye = Au revoir".to_owned(), "bye = Bye"),
            )
            .unwrap();
        assert_eq!(state("hello = Hello"), State::ByHand);
        fs::write(&path, "# Ours.\nhello = Coucou\n").unwrap();
        folder
            .put("runtime", "bye", Written::made("bye = Adieu".to_owned(), "bye = Bye"))
            .unwrap();
        assert_eq!(state("hello = Good day"), State::ByHand);
        assert!(fs::read_to_string(&path).unwrap().contains("# Ours.\nhello = Coucou"));
    }

    #[test]
    fn a_prompt_is_read_without_its_first_line() {
        let data = tempfile::tempdir().unwrap();
        let folder = Folder::of(data.path(), Lang::from_code("fr").unwrap());
        folder.make().unwrap();
        assert_eq!(folder.prompt("describe").unwrap(), None);
        folder
            .put_prompt("describe", &Written::made("Dis-le.\nBien.".to_owned(), "Say it."))
            .unwrap();
        let read = folder.prompt("describe").unwrap().unwrap();
        assert_eq!(
            (read.text.as_str(), read.state("Say it.")),
            ("Dis-le.\nBien.", State::Made)
        );
        assert_eq!(read.state("Say it well."), State::Outdated);
    }
}
