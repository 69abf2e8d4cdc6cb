//! What a word can mean: the closed list of senses that the passes of `language` ask for. Built by `lexicon` from data;
//! it says what a sense carries and nothing of when it counts.

use super::Side;
use metnos_domain::vocabulary::{Object, Qualifier, Verb};

/// What a preposition says of the value after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Where something is taken from.
    From,
    /// Where something goes.
    To,
    /// Where something is.
    In,
    /// What something belongs to.
    Of,
}

/// What is said of a place that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Around {
    /// Around what follows.
    Near,
    /// Around the person.
    Here,
    /// As near as can be.
    Nearest,
    /// "A good restaurant": a wish that no service can be asked for, and that rules nothing out.
    Praise,
    /// Asks where something is.
    Where,
    /// Open at this moment.
    OpenNow,
    /// The hours of a place.
    Hours,
    /// Asks when something opens or closes.
    Opens,
    /// The same, when a word for opening or closing stands behind.
    OpensIf,
    /// A word for opening or closing.
    Opening,
    /// Asks for what is known of a place, when it is one.
    Known,
}

impl Around {
    /// Counts only where a place is asked about, and is a word like any other elsewhere.
    pub(super) fn is_of_details(self) -> bool {
        match self {
            Self::Hours | Self::Opens | Self::OpensIf | Self::Opening | Self::Known => true,
            Self::Near | Self::Here | Self::Nearest | Self::Praise | Self::Where | Self::OpenNow => false,
        }
    }
}

/// What is said where files and lists are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Changing {
    /// A kind of file by what is in it, which its name need not say: "list", "note".
    Container,
    /// One of them that holds a thing on every line.
    List,
    /// What follows is the name it gets: "call it".
    CallIt,
    /// Takes a line off, with "off" or "from" behind: "take … off".
    TakeOff,
    /// Takes every line off: "clear".
    Clear,
    /// What a new list is for.
    Purpose,
    /// Marks a line as done: "tick off".
    Tick,
    /// The same, only with a word for it behind: "mark … as done".
    Mark,
    /// That word.
    Done,
    /// Of a thing that goes: "that I no longer need". It rules nothing out.
    Unneeded,
    /// A thing that is not there yet: "a", "a new".
    Fresh,
    /// Never part of a line somebody dictates: it says what not, what instead, or points at something else.
    Unsaid,
    /// Where among the lines of a text something is to stand: "before", "at the top". It is unsaid, too.
    Position,
    /// What follows is the text itself: "add to the diary that …".
    That,
    /// Leads to a thing and is no part of it: "the", "some", "un po' di".
    Article,
    /// Belongs to the request and to no thing of it: "please", "anche".
    Aside,
    /// The same, and more comes of what was spoken of before: "also".
    Further,
    /// What follows takes the place of what was said just before: "I mean".
    Corrects,
    /// Fills a pause: "um".
    Filler,
    /// A comma that is dictated by its name.
    Comma,
    /// The same of a full stop, at the end.
    FullStop,
    /// Says whom something is written to, as well as where: "write".
    Addresses,
    /// What stands on a line of a list, where one is spoken of: "task".
    Entry,
    /// Behind "and", of an amount: "a kilo and a half".
    Half,
    /// Begins what is to be done, which is one thing however many it names: "buy bread and milk".
    Errand,
    /// The same, where an article follows: "water the plants", and not "water and bread".
    ErrandOf,
    /// Writes down what follows, as a note of its own: "take a note".
    NoteDown,
    /// The same, before a colon at the beginning of a message: "note: …".
    Note,
    /// Names a list although nothing calls it one: "alla spesa".
    ListName,
    /// Names one of what is to be done: "todo".
    ToDo,
    /// With nothing else, asks to see what was spoken of: "show me".
    Look,
    /// Before a comma, says that what was done is not what was meant: "no, …".
    NotSo,
    /// No thing that takes the place of another: "wrong", "enough".
    LetBe,
    /// Leads to the new name of what is renamed or copied: "rinomina a.txt come b.txt".
    NewName,
}

/// What one word or phrase can mean. Neighbours decide which of its senses counts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Sense {
    Stop,
    All,
    Each,
    Show,
    Only,
    Anaphora,
    Echo,
    Connector,
    Negation,
    But,
    HowTo,
    Conditional,
    Scheduled,
    Older,
    Newer,
    Aged,
    Except,
    Without,
    Says,
    WhereIs,
    WhenChanged,
    There,
    Exists,
    Content,
    About,
    Definite,
    Carrier,
    Opening,
    Home,
    Changed,
    Unchanged,
    Something,
    Wonder,
    Due,
    Noted,
    Wanting,
    /// Asks which one it is, and not what it says.
    Which,
    Listed,
    /// Adds to what was said before: "also".
    Besides,
    /// Not all of them, and not which: "some".
    Vague,
    Undone,
    Joined,
    HowMany,
    HowMuch,
    Per,
    SortBy,
    Ascending,
    Descending,
    Reversed,
    More,
    Less,
    /// Behind an amount: "or more".
    OrMore,
    OrLess,
    /// Leads to two ends.
    Between,
    /// Which one in an order, from two on: "second".
    Ordinal(u64),
    /// Which one, counted from the end, from two on: "last but one".
    FromEnd(u64),
    Side(Side),
    Singular,
    Plural,
    /// "number 2": the second of a list.
    Numbered,
    /// Opens what it is said of, and does not read it out: "open".
    Opens,
    /// Looks into what it is said of, and "for" says what for: "search".
    Searches,
    /// Of no bytes: "empty files".
    Empty,
    /// Downloaded: it is in the folder for that.
    Downloaded,
    /// Two that were named or found.
    Both,
    Verb(Verb),
    Object(Object, Option<Qualifier>),
    Role(Role),
    Named,
    NameContains,
    Contains,
    InName,
    With,
    Option(String),
    Field(String),
    Superlative {
        field: String,
        desc: bool,
    },
    Ordered {
        field: String,
        desc: bool,
    },
    KindFiller,
    Globs {
        extensions: Vec<String>,
        alone: bool,
    },
    /// A kind of file that is read, where nothing says which one: "documents".
    Papers(Vec<String>),
    /// Asks for a list of the household by what it is for; carries what it is called.
    ListOf(String),
    SizeUnit(u64),
    Place(String),
    Around(Around),
    Changing(Changing),
}

/// What a sense carries, if it is of that kind.
impl Sense {
    /// Counts only beside certain words; elsewhere it is a word like any that is not known.
    pub(super) fn is_ordinary(&self) -> bool {
        matches!(
            self,
            Self::Carrier
                | Self::Opening
                | Self::Wonder
                | Self::Due
                | Self::Noted
                | Self::Wanting
                | Self::Which
                | Self::Listed
                | Self::Undone
                | Self::OrMore
                | Self::OrLess
                | Self::Between
                | Self::Ordinal(_)
                | Self::Numbered
                | Self::Both
                | Self::Empty
                | Self::Opens
                | Self::Searches
                | Self::FromEnd(_)
                | Self::Changing(_)
        ) || matches!(self, Self::Around(around) if around.is_of_details())
    }

    pub(super) fn verb(&self) -> Option<Verb> {
        if let Self::Verb(verb) = self { Some(*verb) } else { None }
    }

    pub(super) fn object(&self) -> Option<(Object, Option<Qualifier>)> {
        if let Self::Object(object, qualifier) = self {
            Some((*object, *qualifier))
        } else {
            None
        }
    }

    pub(super) fn role(&self) -> Option<Role> {
        if let Self::Role(role) = self { Some(*role) } else { None }
    }

    pub(super) fn side(&self) -> Option<Side> {
        if let Self::Side(side) = self { Some(*side) } else { None }
    }

    pub(super) fn field(&self) -> Option<&str> {
        if let Self::Field(field) = self {
            Some(field)
        } else {
            None
        }
    }

    pub(super) fn ordinal(&self) -> Option<u64> {
        if let Self::Ordinal(place) = self {
            Some(*place)
        } else {
            None
        }
    }

    pub(super) fn end_ordinal(&self) -> Option<u64> {
        if let Self::FromEnd(place) = self {
            Some(*place)
        } else {
            None
        }
    }

    pub(super) fn option(&self) -> Option<&str> {
        if let Self::Option(value) = self {
            Some(value)
        } else {
            None
        }
    }

    pub(super) fn superlative(&self) -> Option<(&str, bool)> {
        if let Self::Superlative { field, desc } = self {
            Some((field, *desc))
        } else {
            None
        }
    }

    /// Says something only beside a word for a list, where it belongs to the sentence.
    pub(super) fn is_of_sentence(&self) -> bool {
        matches!(
            self,
            Self::Listed
                | Self::Wanting
                | Self::Changing(Changing::That | Changing::Article | Changing::Aside | Changing::Further)
        )
    }

    /// Holds a sentence together and means nothing of its own.
    pub(super) fn is_function_word(&self) -> bool {
        matches!(
            self,
            Self::Stop | Self::Role(_) | Self::Connector | Self::Definite | Self::Joined | Self::About
        )
    }

    pub(super) fn ordered(&self) -> Option<(&str, bool)> {
        if let Self::Ordered { field, desc } = self {
            Some((field, *desc))
        } else {
            None
        }
    }

    pub(super) fn globs(&self) -> Option<(&[String], bool)> {
        if let Self::Globs { extensions, alone } = self {
            Some((extensions, *alone))
        } else {
            None
        }
    }

    pub(super) fn list_of(&self) -> Option<&str> {
        if let Self::ListOf(name) = self {
            Some(name)
        } else {
            None
        }
    }

    pub(super) fn papers(&self) -> Option<&[String]> {
        if let Self::Papers(extensions) = self {
            Some(extensions)
        } else {
            None
        }
    }

    pub(super) fn place(&self) -> Option<&str> {
        if let Self::Place(kind) = self { Some(kind) } else { None }
    }

    pub(super) fn size_unit(&self) -> Option<u64> {
        if let Self::SizeUnit(bytes) = self {
            Some(*bytes)
        } else {
            None
        }
    }
}
