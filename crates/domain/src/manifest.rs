//! What an executor says of itself: the typed form of `executors/<name>/manifest.toml`.
//! `catalog::parse` builds it, everybody plans by it; nothing here reads a file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    dialogue::FILE,
    frame::{FrameSpec, Slot, SlotRole},
    ids::ExecutorName,
    kind::Class,
    lang::Lang,
    verdict::Risk,
    vocabulary::{Object, Qualifier, Verb},
};

/// How the executor's code runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Rust code inside this binary.
    Builtin,
    /// An executable beside its manifest: one JSON object on stdin, one on stdout.
    Program {
        /// File names beside the manifest; the first one is started.
        files: Vec<String>,
    },
    /// A plan with parameters: what it stands for takes its place before a plan is validated.
    Composite {
        /// As JSON, with `${PARAM:name}` where an argument goes.
        plan: Value,
    },
    /// A tool of a server of others, which the host admitted.
    Mcp(McpTool),
}

/// A tool of a server of others (Model Context Protocol), as it was when the host looked at it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct McpTool {
    /// The server, as the configuration calls it.
    pub server: String,
    /// The tool's name there.
    pub tool: String,
    /// SHA-256 in hex of its name, description and schema; one that has another is not called.
    pub digest: String,
    /// Its arguments that are called otherwise there: our name, and theirs.
    #[serde(default)]
    pub args: BTreeMap<String, String>,
}

/// What an executor may touch. Closed: an unknown name rejects the manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Capability {
    /// Computes on what it is given; the only kind that runs inside our own process.
    #[serde(rename = "compute:pure")]
    ComputePure,
    /// Knows the time.
    #[serde(rename = "time:read")]
    TimeRead,
    /// Reads files and folders named by its arguments.
    #[serde(rename = "fs:read")]
    FsRead,
    /// Writes files and folders named by its arguments.
    #[serde(rename = "fs:write")]
    FsWrite,
    /// Talks to web servers.
    #[serde(rename = "network:http")]
    NetworkHttp,
    /// Looks into the person's own accounts: mail, calendars, address books.
    #[serde(rename = "account:read")]
    AccountRead,
    /// Changes what lies in them, or sends from them.
    #[serde(rename = "account:write")]
    AccountWrite,
    /// Looks at the machine: processes, memory.
    #[serde(rename = "system:read")]
    SystemRead,
    /// Starts the program that reads words in pictures, and no other.
    #[serde(rename = "ocr:local")]
    OcrLocal,
    /// Asks the local model.
    #[serde(rename = "llm:local")]
    LlmLocal,
    /// Reads metnos' own records.
    #[serde(rename = "metnos:read")]
    MetnosRead,
    /// Writes metnos' own records.
    #[serde(rename = "metnos:write")]
    MetnosWrite,
    /// Reverses a turn.
    #[serde(rename = "system:undo")]
    SystemUndo,
    /// Runs code or shell commands.
    #[serde(rename = "code:exec")]
    CodeExec,
    /// Asks a server of others that the host configured, and does there whatever its tool does.
    #[serde(rename = "mcp:call")]
    McpCall,
}

/// What running it leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Nothing.
    Read,
    /// Something that `undo` can take back.
    Reversible,
    /// Something that stays.
    Irreversible,
    /// Something that leaves the machine towards people.
    Outbound,
}

impl Effect {
    /// Anything but a read.
    pub fn changes_something(self) -> bool {
        match self {
            Self::Read => false,
            Self::Reversible | Self::Irreversible | Self::Outbound => true,
        }
    }
}

/// Whether a step can, or must, be fed by an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feed {
    /// `from_step` means nothing to it.
    #[default]
    None,
    /// `from_step` may replace some arguments.
    Optional,
    /// It works on an earlier step's entries and on nothing else.
    Required,
}

/// One argument.
#[derive(Clone, Debug, PartialEq)]
pub struct ArgSpec {
    /// Its name.
    pub name: String,
    /// Its JSON Schema, unchanged: what the model is constrained to.
    pub schema: Value,
    /// Must be there, unless `from_step` provides it through `from_entries_key`.
    pub required: bool,
    /// Filled by the runtime, never shown to a model or taken from one.
    pub runtime_resolved: bool,
    /// The part it plays in what people say, where the manifest names one.
    pub role: Option<SlotRole>,
    /// What kind of thing fills it, such as `person` or `folder`; a household's manifest may leave it out.
    pub kind: Option<String>,
    /// What a switch does, by its name in `locales/<lang>/frames.toml`.
    pub does: Option<String>,
    /// With `from_step`: this field of every entry (list argument) or the one value all entries agree on (scalar).
    pub from_entries_key: Option<String>,
    /// One line per language for prompts.
    pub description: BTreeMap<Lang, String>,
}

impl ArgSpec {
    /// What policy and planning make of it. Where no kind stands, only values that cannot name anything are harmless:
    /// switches, numbers, and one of a list.
    pub fn class(&self) -> Class {
        let is_closed = || {
            let form = self.schema.get("type").and_then(Value::as_str);
            self.schema.get("enum").is_some() || matches!(form, Some("boolean" | "integer" | "number"))
        };
        match &self.kind {
            Some(kind) => Class::of(kind, self.role),
            None if is_closed() => Class::Choice,
            None => Class::Unknown,
        }
    }
}

/// The four anchors of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// What it is for.
    pub purpose: String,
    /// How it is called.
    pub pattern: String,
    /// When not to use it, and what instead.
    pub not: String,
    /// What comes out.
    pub out: String,
}

/// A column of the default presentation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Field of an entry.
    pub source: String,
    /// How to format it.
    #[serde(default)]
    pub format: ColumnFormat,
}

/// How a value is shown to a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnFormat {
    /// As it is.
    #[default]
    Text,
    /// A number of bytes.
    Bytes,
    /// A time, in the person's zone.
    Time,
    /// A share of 100.
    Percent,
    /// A path, with the home folder as `~`.
    Path,
    /// A number of metres.
    Distance,
    /// A sentence by its key.
    Sentence,
    /// What sort of thing lies at a path, as a word.
    Kind,
    /// A web address with a map.
    Map,
}

/// What the result looks like when it is the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presentation {
    /// A list of entries with these columns; the first is the name.
    Entries(Vec<Column>),
    /// The text under this field of the result, verbatim.
    Text(String),
    /// One value: the sentence with this key in `locales/`, given the result's scalar fields.
    Sentence(String),
}

/// The things a result is made of, so that the next message may say "it" or "the second".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Things {
    /// What they are: a kind of the slots of frames.
    pub kind: String,
    /// The field, of an entry or of the result itself, that executors know one by.
    pub id: String,
    /// The field that says what it is called.
    pub label: String,
}

/// Everything known about one executor.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// Unique in the catalog.
    pub name: ExecutorName,
    /// Semantic version.
    pub version: String,
    /// SHA-256 of the manifest's bytes, which carry the digest of the code: the executor's identity today.
    pub digest: String,
    /// First part of the name; `None` for system names.
    pub verb: Option<Verb>,
    /// Second part of the name; `None` for system names.
    pub object: Option<Object>,
    /// Third part of the name.
    pub qualifier: Option<Qualifier>,
    /// Builtin, program or composite.
    pub kind: Kind,
    /// Words and phrases that call for it, in any language.
    pub affinity: Vec<String>,
    /// Per language.
    pub description: BTreeMap<Lang, Description>,
    /// In the order declared.
    pub args: Vec<ArgSpec>,
    /// Of each group at least one argument must be there.
    pub requires_one_of: Vec<Vec<String>>,
    /// How `from_step` is understood.
    pub feed: Feed,
    /// What it may touch.
    pub capabilities: Vec<Capability>,
    /// The hosts a program has asked for it, each with its port where that is not 443; `request` stands for those of
    /// the addresses in its call. Empty for none, and for code of ours.
    pub hosts: Vec<String>,
    /// What it leaves behind.
    pub effect: Effect,
    /// Base risk; adjusters may only raise it.
    pub risk: Risk,
    /// Wall-clock limit of one call, in seconds.
    pub timeout_s: u64,
    /// Whether a plan with this tool may ever be remembered.
    pub cacheable: bool,
    /// Tools that are shown to the planner whenever this one is.
    pub companions: Vec<ExecutorName>,
    /// Fields of one entry of its result, so that references can be checked and composed.
    pub entry_fields: Vec<String>,
    /// Scalar fields of its result.
    pub result_fields: Vec<String>,
    /// Fields of both kinds that name things of the person's own, such as the path of a file that was found. Whatever
    /// is not named here may hold words from outside (a page, the text of a file), and aims no change unseen.
    pub own_fields: Vec<String>,
    /// What its result is made of; `None` where nothing of it can be spoken of later.
    pub things: Option<Things>,
    /// How the result is shown.
    pub presentation: Presentation,
    /// Ways people ask for it; none where its arguments say it all.
    pub frames: Vec<FrameSpec>,
}

impl Manifest {
    /// The argument of this name.
    pub fn arg(&self, name: &str) -> Option<&ArgSpec> {
        self.args.iter().find(|arg| arg.name == name)
    }

    /// The first argument of this class.
    pub fn arg_of(&self, class: Class) -> Option<&ArgSpec> {
        self.args.iter().find(|arg| arg.class() == class)
    }

    /// Whether an argument says where something is or goes to, or what it is called, and not what is changed.
    pub fn is_place(&self, arg: &str) -> bool {
        let is_where = |slot: &Slot| matches!(slot.role, SlotRole::In | SlotRole::To | SlotRole::Named);
        let mut slots = self.frames.iter().flat_map(|frame| &frame.slots);
        slots.any(|slot| slot.arg == arg && is_where(slot))
    }

    /// What its result is made of: as declared, or files where its entries have paths.
    pub fn things(&self) -> Option<Things> {
        let has_paths = self.entry_fields.iter().any(|field| field == "path");
        let files = || Things {
            kind: FILE.to_owned(),
            id: "path".to_owned(),
            label: "name".to_owned(),
        };
        self.things.clone().or_else(|| has_paths.then(files))
    }

    /// The executors a composite is made of; none for any other.
    pub fn parts(&self) -> Vec<ExecutorName> {
        let steps = match &self.kind {
            Kind::Composite { plan } => plan.get("steps").and_then(Value::as_array),
            Kind::Builtin | Kind::Program { .. } | Kind::Mcp(_) => None,
        };
        let tools = steps
            .into_iter()
            .flatten()
            .filter_map(|step| step.get("tool")?.as_str());
        tools.map(ExecutorName::from).collect()
    }

    /// Whether it may touch this.
    pub fn has(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }

    /// Whether a look with it tells words of the request to a server: it talks to one, and takes more than addresses,
    /// numbers and days.
    pub fn sends_words(&self) -> bool {
        let is_words = |spec: &ArgSpec| {
            let class = spec.class();
            class.is_words() || matches!(class, Class::Whereabouts | Class::Text | Class::Column)
        };
        self.effect == Effect::Read && self.has(Capability::NetworkHttp) && self.args.iter().any(is_words)
    }

    /// Computes only: runs inside our own process.
    pub fn is_pure(&self) -> bool {
        self.capabilities
            .iter()
            .all(|capability| matches!(capability, Capability::ComputePure | Capability::TimeRead))
    }
}
