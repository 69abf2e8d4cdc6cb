//! What people say and what is read from it, as `tests/corpus/readings` has it: files of tables, one row a sentence.
//! Read by `readings`. It must never let a test pass that read no row, and it knows nothing of how a row is read.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use super::Lang;

/// In place of a reading, any one.
const ANYTHING: &str = "…";

/// The tables of one file: what is read from the sentences is of one kind, after which the file is named.
pub(super) struct File {
    pub(super) kind: String,
    pub(super) tables: Vec<Table>,
}

/// Sentences that are all read in the same way.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    /// The file and the table's name in it, for failures.
    #[serde(skip)]
    name: String,
    /// The language that the person usually speaks, where a row has no other.
    lang: Lang,
    /// Read in that language alone; in the others, too, where it is not said.
    #[serde(default)]
    pub(super) alone: bool,
    /// Files of the home, each empty, and folders with a slash behind their names; or the files of a list.
    #[serde(default)]
    pub(super) files: Vec<String>,
    /// Kinds of facts that are looked at; all where none is named.
    #[serde(default)]
    pub(super) only: Vec<String>,
    /// What else is special; what reads the file knows what it means.
    #[serde(default)]
    pub(super) setting: String,
    rows: Vec<Row>,
}

/// One sentence.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    say: String,
    lang: Option<Lang>,
    reading: Vec<String>,
}

/// Every file of readings.
pub(super) fn files() -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/readings");
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths: BTreeSet<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    assert!(!paths.is_empty(), "{}: no files", folder.display());
    paths.iter().map(|path| File::read(path)).collect()
}

impl File {
    fn read(path: &Path) -> Self {
        let kind = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{kind}: {error}"));
        let tables: BTreeMap<String, Table> = toml::from_str(&text).unwrap_or_else(|error| panic!("{kind}: {error}"));
        assert!(!tables.is_empty(), "{kind}: no tables");
        let named = tables.into_iter().map(|(name, mut table)| {
            table.name = format!("readings/{kind}.toml [{name}]");
            table.examine();
            table
        });
        let tables = named.collect();
        Self { kind, tables }
    }
}

impl Table {
    /// Panics where there are no rows, or where a sentence stands twice.
    fn examine(&self) {
        assert!(!self.rows.is_empty(), "{}: no rows", self.name);
        let mut seen = BTreeSet::new();
        for row in &self.rows {
            let is_new = seen.insert((&row.say, row.lang));
            assert!(is_new, "{}: twice: {}", self.name, row.say);
        }
    }

    /// Whether facts of this kind are looked at.
    pub(super) fn looks_at(&self, kind: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == kind)
    }

    /// Reads every row and tells of those from which something else is read than stands there.
    pub(super) fn differing(&self, mut read: impl FnMut(&str, Lang) -> Vec<String>) -> Vec<String> {
        let rows = self.rows.iter().filter_map(|row| {
            let found = read(&row.say, row.lang.unwrap_or(self.lang));
            let (name, say, wanted) = (&self.name, &row.say, &row.reading);
            let differs = !is_like(wanted, &found);
            differs.then(|| format!("{name}\n{say}:\n  found  {found:?}\n  wanted {wanted:?}"))
        });
        rows.collect()
    }
}

fn is_like(wanted: &[String], found: &[String]) -> bool {
    let mut both = wanted.iter().zip(found);
    wanted.len() == found.len() && both.all(|(wanted, found)| wanted == ANYTHING || wanted == found)
}

#[test]
fn a_row_is_like_what_it_says_and_nothing_else() {
    let all = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    for (wanted, found, same) in [
        (&[][..], &[][..], true),
        (&["a", "b"], &["a", "b"], true),
        (&["a", "…"], &["a", "b"], true),
        (&["…"], &[], false),
        (&["…"], &["a", "b"], false),
        (&["a", "b"], &["b", "a"], false),
        (&[], &["a"], false),
    ] {
        assert_eq!(is_like(&all(wanted), &all(found)), same, "{wanted:?}: {found:?}");
    }
}

#[test]
#[should_panic(expected = "twice: yes")]
fn a_sentence_stands_once_in_a_table() {
    let rows = "rows = [{ say = 'yes', reading = [] }, { say = 'yes', reading = ['a'] }]";
    let table: Table = toml::from_str(&format!("lang = 'en'\n{rows}")).unwrap();
    table.examine();
}

#[test]
#[should_panic(expected = "no rows")]
fn a_table_has_rows() {
    let table: Table = toml::from_str("lang = 'en'\nrows = []").unwrap();
    table.examine();
}
