//! What a manifest must keep to beyond its form: the naming grammar, complete texts, arguments a model can be held
//! to, and an effect that agrees with the capabilities. `catalog::parse` calls it last; it reads no file and knows no
//! other manifest, except for `missing_prefix`, which the loader asks once everything is parsed.

use std::collections::BTreeSet;

use serde_json::Value;
use thiserror::Error;

use crate::domain::{
    lang::Lang,
    manifest::{ArgSpec, Capability, Effect, Feed, Kind, Manifest, Presentation},
    verdict::Risk,
    vocabulary::{Object, Qualifier, SYSTEM_NAMES, ShapeRole, Verb},
};

/// Longest description shown to a planner: purpose, pattern and not, in characters.
const HEAD_CHARS_MAX: usize = 400;
/// Longest descriptor, the fourth part of a name.
const DESCRIPTOR_CHARS_MAX: usize = 30;
/// Longest time limit an executor may ask for, in seconds.
const TIMEOUT_S_MAX: u64 = 600;
/// Qualifiers that name a service and may therefore stand after another qualifier.
const PROVIDERS: &[Qualifier] = &[Qualifier::Github, Qualifier::GoogleWorkspace, Qualifier::GooglePhotos];
/// Qualifiers that cut a text into pieces, and so need something with text in it.
const TEXT_PIECES: &[Qualifier] = &[
    Qualifier::Lines,
    Qualifier::Paragraphs,
    Qualifier::Sentences,
    Qualifier::Pages,
    Qualifier::Segments,
];

/// The parts of `verb_object[_qualifier[_descriptor]][_provider]`; all empty for a ratified system name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameParts {
    /// What it does.
    pub verb: Option<Verb>,
    /// To what.
    pub object: Option<Object>,
    /// How or in what form, or with which service.
    pub qualifier: Option<Qualifier>,
    /// Free part, such as `invoices`; needs a qualifier and a live three-part name before it.
    pub descriptor: Option<String>,
}

/// Why a name is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// Fewer than two parts, or characters outside `a-z 0-9 _ -`.
    #[error("a name is `verb_object[_qualifier[_descriptor]][_provider]` in lower case")]
    Syntax,
    /// The first part is no verb of the vocabulary.
    #[error("`{0}` is not a verb of the vocabulary")]
    Verb(String),
    /// The second part is no object of the vocabulary.
    #[error("`{0}` is not an object of the vocabulary")]
    Object(String),
    /// The third part is no qualifier of the vocabulary.
    #[error("`{0}` is not a qualifier of the vocabulary")]
    Qualifier(String),
    /// These parts do not go together.
    #[error("`{0}` does not go with `{1}`")]
    Mismatch(String, String),
    /// The fourth part is not a descriptor.
    #[error("`{0}` is not a descriptor: up to 30 of `a-z 0-9 -`, and no word of the vocabulary")]
    Descriptor(String),
}

/// Why a well-formed manifest is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LintError {
    /// The name breaks the grammar.
    #[error(transparent)]
    Name(#[from] NameError),
    /// Not `major.minor.patch`.
    #[error("version `{0}` is not `major.minor.patch`")]
    Version(String),
    /// A text is missing in a language.
    #[error("{what} has no text in `{}`", lang.code())]
    Text {
        /// Which text.
        what: String,
        /// In which language.
        lang: Lang,
    },
    /// A description costs the planner too much.
    #[error("description in `{}` has {chars} characters, a planner sees {HEAD_CHARS_MAX}", lang.code())]
    TooLong {
        /// In which language.
        lang: Lang,
        /// How long it is.
        chars: usize,
    },
    /// Nothing would ever call it.
    #[error("affinity is empty")]
    Affinity,
    /// An argument cannot be used as declared.
    #[error("argument `{name}`: {why}")]
    Arg {
        /// Which one.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// A group of `requires_one_of` names something undeclared.
    #[error("requires_one_of names `{0}`, which is no argument")]
    RequiresOneOf(String),
    /// No capability, or the same one twice.
    #[error("capabilities must name each thing it touches once, `compute:pure` if there is none")]
    Capabilities,
    /// `compute:pure` beside something that is not.
    #[error("`compute:pure` cannot stand beside a capability that touches the world")]
    Pure,
    /// A read that could change something.
    #[error("effect `read` does not agree with {0:?}")]
    ReadThatWrites(Capability),
    /// A change without anything to change it with.
    #[error("an effect needs a capability that can change something")]
    EffectWithoutMeans,
    /// The verb says one thing, the effect another.
    #[error("verb `{0}` does not agree with the declared effect")]
    VerbEffect(Verb),
    /// Deleting is never harmless.
    #[error("an executor that deletes or cannot be undone has at least medium risk")]
    RiskTooLow,
    /// The time limit is none.
    #[error("timeout_s must be between 1 and {TIMEOUT_S_MAX}")]
    Timeout,
    /// The presentation shows nothing.
    #[error("presentation names no field")]
    Presentation,
    /// A name of four parts stands on a name of three parts that does not exist.
    #[error("`{0}` must exist before a name can be built on it")]
    MissingPrefix(String),
}

/// Splits a name by the grammar.
pub fn parse_name(name: &str) -> Result<NameParts, NameError> {
    if SYSTEM_NAMES.contains(&name) {
        return Ok(NameParts::default());
    }
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    let (verb_text, rest) = name.split_once('_').ok_or(NameError::Syntax)?;
    if !name.chars().all(allowed) || rest.split('_').any(str::is_empty) {
        return Err(NameError::Syntax);
    }
    let verb = Verb::parse(verb_text).ok_or_else(|| NameError::Verb(verb_text.to_owned()))?;
    let (object_text, tail) = rest
        .split_once('_')
        .map_or((rest, None), |(head, tail)| (head, Some(tail)));
    let object = Object::parse(object_text).ok_or_else(|| NameError::Object(object_text.to_owned()))?;
    let (qualifier, descriptor) = match tail {
        None => (None, None),
        Some(tail) => parse_tail(tail)?,
    };
    check_parts(verb, object, qualifier)?;
    Ok(NameParts {
        verb: Some(verb),
        object: Some(object),
        qualifier,
        descriptor,
    })
}

/// Reads what follows the object: a qualifier, then a descriptor, then a service.
fn parse_tail(tail: &str) -> Result<(Option<Qualifier>, Option<String>), NameError> {
    if let Some(qualifier) = Qualifier::parse(tail) {
        return Ok((Some(qualifier), None));
    }
    let before_provider = PROVIDERS
        .iter()
        .find_map(|provider| tail.strip_suffix(provider.as_str())?.strip_suffix('_'))
        .unwrap_or(tail);
    let (qualifier_text, descriptor) = before_provider
        .split_once('_')
        .map_or((before_provider, None), |(head, rest)| (head, Some(rest)));
    let qualifier = Qualifier::parse(qualifier_text).ok_or_else(|| NameError::Qualifier(qualifier_text.to_owned()))?;
    match descriptor {
        Some(text) if !is_descriptor(text) => Err(NameError::Descriptor(text.to_owned())),
        Some(text) => Ok((Some(qualifier), Some(text.to_owned()))),
        None => Ok((Some(qualifier), None)),
    }
}

fn is_descriptor(text: &str) -> bool {
    let in_vocabulary =
        Verb::parse(text).is_some() || Object::parse(text).is_some() || Qualifier::parse(text).is_some();
    let part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    !in_vocabulary && text.len() <= DESCRIPTOR_CHARS_MAX && text.split('-').all(part)
}

fn check_parts(verb: Verb, object: Object, qualifier: Option<Qualifier>) -> Result<(), NameError> {
    if object == Object::Lists && !matches!(verb, Verb::Filter | Verb::Compute) {
        return Err(NameError::Mismatch(verb.to_string(), object.to_string()));
    }
    let entries_verb = verb.is_processor() || matches!(verb, Verb::Extract | Verb::Render);
    if object == Object::Entries && !entries_verb {
        return Err(NameError::Mismatch(verb.to_string(), object.to_string()));
    }
    let has_text = matches!(
        object,
        Object::Texts | Object::Files | Object::Urls | Object::Entries | Object::Messages
    );
    match qualifier {
        Some(piece) if TEXT_PIECES.contains(&piece) && !has_text => {
            Err(NameError::Mismatch(piece.to_string(), object.to_string()))
        }
        Some(_) | None => Ok(()),
    }
}

/// The three-part name that a four-part one stands on, when it does not exist: one step at a time.
pub(super) fn missing_prefix(name: &str, exists: &dyn Fn(&str) -> bool) -> Option<LintError> {
    let parts = parse_name(name).ok()?;
    // A tool of others stands on nothing of ours.
    if parts.qualifier == Some(Qualifier::Mcp) {
        return None;
    }
    let descriptor = parts.descriptor?;
    let prefix = name.split_once(&format!("_{descriptor}"))?.0;
    (!exists(prefix)).then(|| LintError::MissingPrefix(prefix.to_owned()))
}

/// Checks a parsed manifest; the first thing that is wrong is the answer.
pub(super) fn check(manifest: &Manifest) -> Result<(), LintError> {
    parse_name(manifest.name.as_str())?;
    check_version(&manifest.version)?;
    check_texts(manifest)?;
    check_args(manifest)?;
    check_capabilities(manifest)?;
    check_effect(manifest)?;
    if manifest.timeout_s == 0 || manifest.timeout_s > TIMEOUT_S_MAX {
        return Err(LintError::Timeout);
    }
    let shows_something = match &manifest.presentation {
        Presentation::Entries(columns) => {
            !columns.is_empty() && columns.iter().all(|column| !column.source.trim().is_empty())
        }
        Presentation::Text(field) | Presentation::Sentence(field) => !field.trim().is_empty(),
    };
    shows_something.then_some(()).ok_or(LintError::Presentation)
}

/// `major.minor.patch` as numbers, to tell an older copy from a newer one.
pub(super) fn version_numbers(version: &str) -> Option<[u64; 3]> {
    let mut parts = version.split('.').map(|part| part.parse::<u64>().ok());
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}

fn check_version(version: &str) -> Result<(), LintError> {
    version_numbers(version)
        .map(|_| ())
        .ok_or_else(|| LintError::Version(version.to_owned()))
}

fn check_texts(manifest: &Manifest) -> Result<(), LintError> {
    for lang in Lang::BUILT_IN {
        let missing = |what: &str| LintError::Text {
            what: what.to_owned(),
            lang,
        };
        let description = manifest.description.get(&lang).ok_or_else(|| missing("description"))?;
        let anchors = [
            ("purpose", &description.purpose),
            ("pattern", &description.pattern),
            ("not", &description.not),
            ("out", &description.out),
        ];
        if let Some((what, _)) = anchors.iter().find(|(_, text)| text.trim().is_empty()) {
            return Err(missing(what));
        }
        let chars = [&description.purpose, &description.pattern, &description.not]
            .iter()
            .map(|text| text.chars().count())
            .sum();
        if chars > HEAD_CHARS_MAX {
            return Err(LintError::TooLong { lang, chars });
        }
        for arg in &manifest.args {
            let text = arg.description.get(&lang).map_or("", String::as_str);
            if text.trim().is_empty() {
                return Err(missing(&format!("argument `{}`", arg.name)));
            }
        }
    }
    let empty = |phrase: &String| phrase.trim().is_empty();
    if manifest.affinity.is_empty() || manifest.affinity.iter().any(empty) {
        return Err(LintError::Affinity);
    }
    Ok(())
}

fn check_args(manifest: &Manifest) -> Result<(), LintError> {
    let mut names = BTreeSet::new();
    for arg in &manifest.args {
        let refuse = |why: &str| LintError::Arg {
            name: arg.name.clone(),
            why: why.to_owned(),
        };
        if !is_identifier(&arg.name) || arg.name == "from_step" {
            return Err(refuse("not a name an argument may have"));
        }
        if !names.insert(arg.name.as_str()) {
            return Err(refuse("declared twice"));
        }
        if arg.runtime_resolved && arg.required {
            return Err(refuse("the runtime fills it, so nobody can be required to"));
        }
        if arg.from_entries_key.is_some() && manifest.feed == Feed::None {
            return Err(refuse("from_entries_key needs a feed"));
        }
        check_schema(arg)?;
    }
    let declared = |name: &str| names.contains(name) || (name == "from_step" && manifest.feed != Feed::None);
    match manifest.requires_one_of.iter().flatten().find(|name| !declared(name)) {
        Some(name) => Err(LintError::RequiresOneOf(name.clone())),
        None => Ok(()),
    }
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn check_schema(arg: &ArgSpec) -> Result<(), LintError> {
    let refuse = |why: String| LintError::Arg {
        name: arg.name.clone(),
        why,
    };
    match &arg.schema {
        Value::Object(schema) if !schema.is_empty() => {}
        Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            return Err(refuse("its schema says nothing".to_owned()));
        }
    }
    jsonschema::validator_for(&arg.schema)
        .map(|_| ())
        .map_err(|error| refuse(format!("its schema is not JSON Schema: {error}")))
}

fn check_capabilities(manifest: &Manifest) -> Result<(), LintError> {
    let distinct: BTreeSet<_> = manifest.capabilities.iter().collect();
    if distinct.is_empty() || distinct.len() != manifest.capabilities.len() {
        return Err(LintError::Capabilities);
    }
    if manifest.has(Capability::ComputePure) && !manifest.is_pure() {
        return Err(LintError::Pure);
    }
    Ok(())
}

/// Whether this capability alone can leave something behind.
fn can_change(capability: Capability) -> bool {
    match capability {
        Capability::FsWrite
        | Capability::MetnosWrite
        | Capability::SystemUndo
        | Capability::CodeExec
        | Capability::AccountWrite => true,
        // What a tool of others does is known by what the host says of it alone.
        Capability::McpCall => false,
        Capability::ComputePure
        | Capability::TimeRead
        | Capability::FsRead
        | Capability::NetworkHttp
        | Capability::SystemRead
        | Capability::OcrLocal
        | Capability::LlmLocal
        | Capability::AccountRead
        | Capability::MetnosRead => false,
    }
}

fn check_effect(manifest: &Manifest) -> Result<(), LintError> {
    let writer = manifest
        .capabilities
        .iter()
        .copied()
        .find(|capability| can_change(*capability));
    let acts = manifest.verb.is_some_and(|verb| verb.shape_role() == ShapeRole::Act);
    let only_reads = manifest
        .verb
        .is_some_and(|verb| verb.is_producer() || verb.is_processor());
    let changes = manifest.effect.changes_something();
    // A ratified system tool may keep our own books (note a gap) without that being an effect on anybody's world.
    let keeps_books = manifest.verb.is_none() && writer == Some(Capability::MetnosWrite);
    if let (false, Some(capability)) = (changes || keeps_books, writer) {
        return Err(LintError::ReadThatWrites(capability));
    }
    let reaches_out = manifest.has(Capability::NetworkHttp) || manifest.has(Capability::McpCall);
    if changes && writer.is_none() && !reaches_out {
        return Err(LintError::EffectWithoutMeans);
    }
    // Bringing somebody their own file changes nothing, as long as nothing else can leave the machine.
    let to_the_asker =
        manifest.verb == Some(Verb::Send) && manifest.kind == Kind::Builtin && !manifest.has(Capability::NetworkHttp);
    if let Some(verb) = manifest.verb
        && ((acts && !changes && !to_the_asker) || (only_reads && changes))
    {
        return Err(LintError::VerbEffect(verb));
    }
    // A record of ours that undo brings back is nothing anybody loses.
    let is_record = manifest.kind == Kind::Builtin
        && manifest.effect == Effect::Reversible
        && manifest.capabilities == [Capability::MetnosWrite];
    let deletes = manifest.verb == Some(Verb::Delete) && !is_record;
    let grave = deletes || manifest.effect == Effect::Irreversible;
    if grave && manifest.risk == Risk::Low {
        return Err(LintError::RiskTooLow);
    }
    Ok(())
}
