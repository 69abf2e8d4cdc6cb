//! Kinds of values: the one list of them, and what policy and planning make of each. `catalog::parse` reads a kind from
//! a manifest, everybody asks for its class. A kind that is not on the list gets no class but `Unknown`, and is never
//! guessed from the name of an argument or of an executor.

use serde::{Deserialize, Serialize};

use super::frame::SlotRole;

/// What a value of some kind is to whoever guards it, fills it or asks for it. Under the second name it stands in forms
/// and manifests that an older version wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// A file the step reads or changes.
    #[serde(alias = "path")]
    File,
    /// A folder the step looks into.
    #[serde(alias = "directory")]
    Folder,
    /// Where something is put.
    #[serde(alias = "destination")]
    Target,
    /// A web address.
    #[serde(alias = "url")]
    Address,
    /// A file name pattern such as `*.pdf`.
    Glob,
    /// A time window such as `this-week` or `last-7d`.
    Window,
    /// When, or how often: in the person's words, or in the form its description names.
    Moment,
    /// How many.
    #[serde(alias = "count")]
    Number,
    /// A field of the entries to work on.
    #[serde(alias = "field")]
    Column,
    /// Words to look for or to know something by.
    #[serde(alias = "query")]
    Words,
    /// Text that is written or sent: never a target for the guard.
    #[serde(alias = "content")]
    Text,
    /// A switch or a closed choice.
    #[serde(alias = "option")]
    Choice,
    /// Around where: a point, or words for a place on the earth.
    #[serde(alias = "near")]
    Whereabouts,
    /// A kind of a household's own. It is words to who plans, and may be a path or an address to who guards.
    Unknown,
}

impl Class {
    /// The class of a kind in a role: the only place that knows it.
    pub fn of(kind: &str, role: Option<SlotRole>) -> Self {
        let is_goal = role == Some(SlotRole::To);
        let is_named = matches!(role, Some(SlotRole::What | SlotRole::Named));
        match kind {
            "file" | "path" | "text-file" | "folder" if is_goal => Self::Target,
            "file" | "path" | "text-file" | "list" | "paper" => Self::File,
            "folder" => Self::Folder,
            "target" | "other-folder" | "same-folder" | "new-file" | "new-folder" | "new-list" | "new-path" => {
                Self::Target
            }
            "address" | "url" => Self::Address,
            "glob" => Self::Glob,
            "window" => Self::Window,
            "moment" => Self::Moment,
            "number" | "newest" => Self::Number,
            "column" => Self::Column,
            "choice" => Self::Choice,
            "whereabouts" => Self::Whereabouts,
            // What a thing is called or what is written about it; elsewhere the same words only find it.
            "text" if is_named || role.is_none() => Self::Text,
            "name" if is_named => Self::Text,
            "new-phone" | "new-email" => Self::Text,
            // One that is to be changed is picked from those that are there.
            "contact" if role == Some(SlotRole::What) => Self::Choice,
            _ if WORDS.contains(&kind) => Self::Words,
            _ => Self::Unknown,
        }
    }

    /// The kind that is of this class in any role.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Folder => "folder",
            Self::Target => "target",
            Self::Address => "address",
            Self::Glob => "glob",
            Self::Window => "window",
            Self::Moment => "moment",
            Self::Number => "number",
            Self::Column => "column",
            Self::Words => "words",
            Self::Text => "text",
            Self::Choice => "choice",
            Self::Whereabouts => "whereabouts",
            Self::Unknown => "thing",
        }
    }

    /// A file, a folder, or where one of them goes.
    pub fn is_place(self) -> bool {
        matches!(self, Self::File | Self::Folder | Self::Target)
    }

    /// A folder things are in or go to: it may be one that was not named itself.
    pub fn is_around(self) -> bool {
        matches!(self, Self::Folder | Self::Target)
    }

    /// Words that say which one is meant, of whatever kind that is.
    pub fn is_words(self) -> bool {
        matches!(self, Self::Words | Self::Unknown)
    }
}

/// Kinds of values that are words, and that resolvers know things by.
const WORDS: [&str; 48] = [
    "words",
    "text",
    "name",
    "phone",
    "email",
    "duration",
    "person",
    "housemate",
    "contact",
    "town",
    "room",
    "search",
    "question",
    "line",
    "open-line",
    "new-lines",
    "said-text",
    "told-text",
    "file-name",
    "mailbox",
    "message",
    "message-at-hand",
    "calendar",
    "event",
    "extent",
    "event-title",
    "booked-title",
    "task",
    "some-task",
    "told-task",
    "ringing",
    "deadline",
    "todo-list",
    "todo-item",
    "todo-new",
    "photo-place",
    "photo-subject",
    "paper-question",
    "camera",
    "device",
    "device-kind",
    "device-state",
    "device-lock",
    "device-told",
    "device-moved",
    "device-played",
    "device-level",
    "device-leveled",
];

#[cfg(test)]
mod tests {
    use super::Class;
    use crate::frame::SlotRole;

    const ALL: [Class; 14] = [
        Class::File,
        Class::Folder,
        Class::Target,
        Class::Address,
        Class::Glob,
        Class::Window,
        Class::Moment,
        Class::Number,
        Class::Column,
        Class::Words,
        Class::Text,
        Class::Choice,
        Class::Whereabouts,
        Class::Unknown,
    ];

    #[test]
    fn the_kind_of_a_class_is_of_that_class_and_so_is_what_is_stored() {
        for class in ALL {
            assert_eq!(Class::of(class.as_str(), None), class);
            let stored = serde_json::to_value(class).unwrap();
            assert_eq!(serde_json::from_value::<Class>(stored).unwrap(), class);
        }
    }

    #[test]
    fn what_an_older_version_wrote_is_read() {
        let words = [
            ("path", Class::File),
            ("directory", Class::Folder),
            ("destination", Class::Target),
            ("url", Class::Address),
            ("glob", Class::Glob),
            ("window", Class::Window),
            ("moment", Class::Moment),
            ("count", Class::Number),
            ("field", Class::Column),
            ("query", Class::Words),
            ("content", Class::Text),
            ("option", Class::Choice),
            ("near", Class::Whereabouts),
        ];
        for (word, class) in words {
            assert_eq!(serde_json::from_value::<Class>(word.into()).unwrap(), class, "{word}");
        }
    }

    #[test]
    fn a_file_or_a_folder_that_something_goes_to_is_its_target() {
        for kind in ["file", "path", "text-file", "folder"] {
            assert_eq!(Class::of(kind, Some(SlotRole::To)), Class::Target, "{kind}");
        }
        assert_eq!(Class::of("list", Some(SlotRole::To)), Class::File);
    }

    #[test]
    fn a_text_is_written_where_it_is_what_is_made_and_found_by_elsewhere() {
        for kind in ["text", "name"] {
            assert_eq!(Class::of(kind, Some(SlotRole::Named)), Class::Text, "{kind}");
            assert_eq!(Class::of(kind, Some(SlotRole::About)), Class::Words, "{kind}");
        }
    }

    #[test]
    fn no_role_gives_a_class_to_a_kind_that_is_not_on_the_list() {
        for kind in ["album", "Path", "thing", "", "filename"] {
            for role in [None, Some(SlotRole::What), Some(SlotRole::To), Some(SlotRole::Order)] {
                assert_eq!(Class::of(kind, role), Class::Unknown, "{kind}");
            }
        }
    }
}
