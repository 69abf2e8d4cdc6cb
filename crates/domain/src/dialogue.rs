//! The state of a conversation: the things the next message may speak of without naming them. The engine fills it from
//! what an answer showed or changed, the store keeps it with the turn, and whoever reads a request asks it. Things are
//! of any kind; each has an id that its executors take and a label that its person sees.

use serde::{Deserialize, Serialize};

/// The kind of files; their ids are paths as people see them, which a request may say itself.
pub const FILE: &str = "file";

/// The kind of lists; their ids are paths as well.
pub const LIST: &str = "list";

/// Things of one kind, as a person sees and counts them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// What they are, such as `file` or `task`: a kind of the slots of frames.
    #[serde(default = "file")]
    pub kind: String,
    /// What executors know them by, from the first to the last that was shown.
    #[serde(alias = "paths")]
    pub ids: Vec<String>,
    /// What they are called, one beside each id; empty where an id says it itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// More were found than shown: nobody can say which one is the last.
    #[serde(default)]
    pub is_cut: bool,
}

fn file() -> String {
    FILE.to_owned()
}

impl Listed {
    /// Files, whose paths say themselves what they are called.
    pub fn files(ids: Vec<String>, is_cut: bool) -> Self {
        Self {
            kind: file(),
            ids,
            labels: Vec::new(),
            is_cut,
        }
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Whether they are files or lists, which a request can name by their paths.
    pub fn is_at_home(&self) -> bool {
        self.kind == FILE || self.kind == LIST
    }

    /// The same if they are of this kind.
    pub fn of(&self, kind: &str) -> Option<&Self> {
        (self.kind == kind && !self.is_empty()).then_some(self)
    }

    /// The thing at a place counted from 1, or from the end with -1.
    pub fn at(&self, place: i64) -> Option<&str> {
        self.ids.get(self.index(place)?).map(String::as_str)
    }

    /// Such a place, counted from 0; `None` when nothing is listed there.
    pub fn index(&self, place: i64) -> Option<usize> {
        let from_end = usize::try_from(place.unsigned_abs()).ok().filter(|_| !self.is_cut);
        let index = match usize::try_from(place) {
            Ok(place) => place.checked_sub(1),
            Err(_negative) => from_end.and_then(|back| self.ids.len().checked_sub(back)),
        };
        index.filter(|index| *index < self.ids.len())
    }

    /// What the thing at an index is called.
    pub fn label(&self, index: usize) -> Option<&str> {
        self.labels
            .get(index)
            .or_else(|| self.ids.get(index))
            .map(String::as_str)
    }
}

/// What a conversation is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dialogue {
    /// The list that was shown last; a request about one of its things keeps it.
    pub listed: Listed,
    /// The things the last answer made, changed or told of.
    pub touched: Listed,
    /// The request after it that nobody understood.
    pub failed: Option<String>,
}

impl Dialogue {
    /// The things of a kind that "it" and "them" stand for: what was spoken of last, before what was listed.
    pub fn pointed(&self, kind: &str) -> Option<&Listed> {
        self.touched.of(kind).or_else(|| self.listed.of(kind))
    }

    /// The things of a kind that are counted: "the second".
    pub fn counted(&self, kind: &str) -> Option<&Listed> {
        self.listed.of(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_a_list_is_counted_from_either_end() {
        let listed = |is_cut| Listed::files(["a", "b", "c"].map(str::to_owned).to_vec(), is_cut);
        let whole = [
            (1, Some("a")),
            (3, Some("c")),
            (4, None),
            (0, None),
            (-1, Some("c")),
            (-3, Some("a")),
            (-4, None),
        ];
        for (place, path) in whole {
            assert_eq!(listed(false).at(place), path, "{place}");
        }
        // "… and 3 more": nobody saw the last one.
        for (place, path) in [(2, Some("b")), (-1, None)] {
            assert_eq!(listed(true).at(place), path, "{place}");
        }
    }

    #[test]
    fn what_was_written_before_things_had_kinds_are_files() {
        let old: Listed = serde_json::from_str(r#"{"paths":["~/a"],"is_cut":true}"#).unwrap();
        assert_eq!(old, Listed::files(vec!["~/a".to_owned()], true));
    }

    #[test]
    fn it_is_what_was_touched_last_and_of_the_kind_that_is_spoken_of() {
        let task = |ids: &[&str]| Listed {
            kind: "task".to_owned(),
            ids: ids.iter().map(|id| (*id).to_owned()).collect(),
            ..Listed::default()
        };
        let dialogue = Dialogue {
            listed: task(&["a", "b"]),
            touched: task(&["b"]),
            failed: None,
        };
        assert_eq!(dialogue.pointed("task").unwrap().ids, ["b"]);
        assert_eq!(dialogue.counted("task").unwrap().at(1), Some("a"));
        assert_eq!(dialogue.pointed(FILE), None);
    }
}
