//! The closed vocabulary of executor names: `verb_object[_qualifier]`.
//! Everything that reasons about what a tool does asks these enums; no other file lists verbs.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`")] $variant),+
        }

        impl $name {
            /// Every word, in canonical order; new ones are appended.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word as it stands in an executor's name.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }

            /// The word of a text, exactly.
            pub fn parse(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// What a tool does.
    Verb {
        Read = "read", Write = "write", Move = "move", Delete = "delete", Create = "create",
        Find = "find", List = "list", Filter = "filter", Sort = "sort", Group = "group",
        Classify = "classify", Get = "get", Set = "set", Send = "send", Describe = "describe",
        Render = "render", Extract = "extract", Compress = "compress", Compute = "compute",
        Compare = "compare", Change = "change", Order = "order", Share = "share", Open = "open",
        Login = "login", Act = "act", Install = "install",
    }
}

words! {
    /// What a tool does it to.
    Object {
        Files = "files", Dirs = "dirs", Packages = "packages", Messages = "messages",
        Events = "events", Contacts = "contacts", Places = "places", Processes = "processes",
        Urls = "urls", Numbers = "numbers", Images = "images", Signatures = "signatures",
        Texts = "texts", Proposals = "proposals", Persons = "persons", Tasks = "tasks",
        Inputs = "inputs", Approval = "approval", Credentials = "credentials", Issues = "issues",
        Pulls = "pulls", Calendars = "calendars", Entries = "entries", Lists = "lists",
        Skills = "skills", Sites = "sites", Preferences = "preferences", Devices = "devices",
        Now = "now", Location = "location", Disks = "disks", Days = "days", Weather = "weather",
    }
}

words! {
    /// How or in what form.
    Qualifier {
        Csv = "csv", Xlsx = "xlsx", Ocr = "ocr", Zip = "zip", Pdf = "pdf", Xml = "xml",
        Html = "html", Json = "json", Text = "text", Gz = "gz", Tar = "tar", Video = "video",
        Audio = "audio", Image = "image", Hash = "hash", Spreadsheet = "spreadsheet", Doc = "doc",
        Size = "size", Format = "format", Loc = "loc", Similar = "similar", Empty = "empty",
        Lines = "lines", Paragraphs = "paragraphs", Sentences = "sentences", Pages = "pages",
        Segments = "segments", Indices = "indices", History = "history", Thread = "thread",
        Labels = "labels", Web = "web", Blacklist = "blacklist", Whitelist = "whitelist",
        Graylist = "graylist", Forbidden = "forbidden", Seed = "seed", Sanity = "sanity",
        Command = "command", Reversibility = "reversibility", Diff = "diff",
        Promotion = "promotion", Candidates = "candidates", Github = "github",
        GoogleWorkspace = "google_workspace", GooglePhotos = "google_photos", Unsubscribe = "unsubscribe",
        Mcp = "mcp", Chart = "chart", Todo = "todo",
    }
}

/// The part a verb plays in the shape `E+ (F|A)?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShapeRole {
    /// Emits entries that later steps can use.
    Emit,
    /// Presents to the person and closes the branch.
    Present,
    /// Changes something and closes the branch.
    Act,
}

impl Verb {
    /// Its part in the shape of a plan.
    pub fn shape_role(self) -> ShapeRole {
        match self {
            Self::Describe | Self::Render => ShapeRole::Present,
            Self::Move
            | Self::Delete
            | Self::Send
            | Self::Share
            | Self::Write
            | Self::Set
            | Self::Create
            | Self::Change
            | Self::Order
            | Self::Compress => ShapeRole::Act,
            Self::Read
            | Self::Find
            | Self::List
            | Self::Filter
            | Self::Sort
            | Self::Group
            | Self::Classify
            | Self::Get
            | Self::Extract
            | Self::Compute
            | Self::Compare
            | Self::Open
            | Self::Login
            | Self::Act
            | Self::Install => ShapeRole::Emit,
        }
    }

    /// Brings data in from outside the turn; any producer covers a request for any other.
    pub fn is_producer(self) -> bool {
        matches!(self, Self::Read | Self::Find | Self::List | Self::Get)
    }

    /// Consumes a list that is already there.
    pub fn is_processor(self) -> bool {
        matches!(
            self,
            Self::Describe | Self::Classify | Self::Filter | Self::Sort | Self::Group | Self::Compute | Self::Compare
        )
    }

    /// May be approved without asking the judge.
    pub fn is_safe(self) -> bool {
        self.is_producer() || self.is_processor()
    }

    /// Leaves something behind in the world.
    pub fn is_destructive(self) -> bool {
        matches!(
            self,
            Self::Move
                | Self::Delete
                | Self::Send
                | Self::Write
                | Self::Extract
                | Self::Create
                | Self::Share
                | Self::Install
        )
    }

    /// If the request asks for it, the plan must contain it.
    pub fn must_be_covered(self) -> bool {
        self.is_producer()
            || matches!(
                self,
                Self::Send
                    | Self::Create
                    | Self::Write
                    | Self::Move
                    | Self::Delete
                    | Self::Share
                    | Self::Install
                    | Self::Open
                    | Self::Login
            )
    }
}

/// System tools that stand outside the naming grammar.
pub const SYSTEM_NAMES: &[&str] = &[
    "undo_last_turn",
    "request_new_executor",
    "scratchpad_read",
    "get_now",
    "get_location",
];
