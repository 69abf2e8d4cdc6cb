//! From the bytes of `manifest.toml` to `domain::manifest::Manifest`. `catalog::load` calls it after the signature
//! verified, `catalog::install` before it signs. Unknown keys are errors; nothing is guessed and no other file is read.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::lint::{self, LintError, NameParts};
use crate::domain::{
    frame::{FrameSpec, SlotRole},
    hex::hex,
    ids::ExecutorName,
    kind::Class,
    lang::Lang,
    limits,
    manifest::{
        ArgSpec, Capability, Column, ColumnFormat, Description, Effect, Feed, Kind, Manifest, McpTool, Presentation,
        Things,
    },
    plan::Plan,
    verdict::Risk,
};

/// The one format there is.
pub(super) const MANIFEST_FORMAT: &str = "1.0";

/// Why bytes are not a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// Not UTF-8 TOML with exactly our keys.
    #[error("not a manifest: {0}")]
    Toml(String),
    /// Written for another version of metnos.
    #[error("manifest_format `{0}` is not `{MANIFEST_FORMAT}`")]
    Format(String),
    /// `kind` and `[code]` disagree.
    #[error("{0}")]
    Code(String),
    /// `[presentation]` must hold exactly one of its three forms.
    #[error("presentation must be one of `entries`, `text`, `sentence`")]
    Presentation,
    /// An argument says what it is in two ways.
    #[error(
        "argument `{0}` says `semantic` beside its `kind`: take `semantic` out, and say by `kind` (file, folder, target, \
         address, glob, window, moment, number, column, words, text, choice, whereabouts, or a kind of your own) and \
         `role` what it is"
    )]
    Semantic(String),
    /// Well-formed, but breaks a rule.
    #[error(transparent)]
    Lint(#[from] LintError),
}

/// A manifest and the digest of the code it vouches for.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// The manifest.
    pub manifest: Manifest,
    /// SHA-256 over the concatenation of the code files, hex; `None` for builtins.
    pub code_digest: Option<String>,
}

/// Reads a manifest and checks everything that can be checked without another file.
pub fn parse(bytes: &[u8]) -> Result<Parsed, ParseError> {
    let text = std::str::from_utf8(bytes).map_err(|error| ParseError::Toml(error.to_string()))?;
    let raw: RawManifest = toml::from_str(text).map_err(|error| ParseError::Toml(one_line(&error.to_string())))?;
    if raw.manifest_format != MANIFEST_FORMAT {
        return Err(ParseError::Format(raw.manifest_format));
    }
    let says_twice = |arg: &&RawArg| arg.semantic.is_some() && arg.kind.is_some();
    if let Some(arg) = raw.args.iter().find(says_twice) {
        return Err(ParseError::Semantic(arg.name.clone()));
    }
    let name = lint::parse_name(&raw.name).map_err(LintError::from)?;
    let (kind, code_digest) = code(&raw)?;
    let manifest = raw.into_manifest(kind, &name, sha256_hex(bytes))?;
    lint::check(&manifest)?;
    Ok(Parsed { manifest, code_digest })
}

/// SHA-256 in hex.
pub(super) fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// A parser's message without its picture of the line.
fn one_line(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.contains('|'))
        .collect();
    lines.join(": ")
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawKind {
    Builtin,
    Program,
    Composite,
    Mcp,
}

/// The plan of a composite, as JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawComposite {
    plan: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCode {
    files: Vec<String>,
    digest: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPresentation {
    entries: Option<Vec<RawColumn>>,
    text: Option<String>,
    sentence: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawColumn {
    source: String,
    #[serde(default)]
    format: ColumnFormat,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawOutput {
    #[serde(default)]
    entry_fields: Vec<String>,
    #[serde(default)]
    result_fields: Vec<String>,
    #[serde(default)]
    own_fields: Vec<String>,
    things: Option<Things>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDescription {
    purpose: String,
    pattern: String,
    not: String,
    out: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawArg {
    name: String,
    schema: Value,
    /// What `kind` was called where no kind stood: composites that an older version made still say it.
    semantic: Option<Class>,
    role: Option<SlotRole>,
    kind: Option<String>,
    does: Option<String>,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    runtime_resolved: bool,
    from_entries_key: Option<String>,
    description: BTreeMap<Lang, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawManifest {
    manifest_format: String,
    name: String,
    kind: RawKind,
    version: String,
    affinity: Vec<String>,
    effect: Effect,
    risk: Risk,
    #[serde(default)]
    feed: Feed,
    timeout_s: Option<u64>,
    cacheable: Option<bool>,
    #[serde(default)]
    companions: Vec<ExecutorName>,
    #[serde(default)]
    requires_one_of: Vec<Vec<String>>,
    capabilities: Vec<Capability>,
    #[serde(default)]
    hosts: Vec<String>,
    description: BTreeMap<Lang, RawDescription>,
    #[serde(default)]
    args: Vec<RawArg>,
    #[serde(default)]
    output: RawOutput,
    presentation: RawPresentation,
    code: Option<RawCode>,
    composite: Option<RawComposite>,
    mcp: Option<McpTool>,
    #[serde(default)]
    frames: Vec<FrameSpec>,
}

impl RawManifest {
    fn into_manifest(self, kind: Kind, parts: &NameParts, digest: String) -> Result<Manifest, ParseError> {
        Ok(Manifest {
            name: ExecutorName::from(self.name),
            version: self.version,
            digest,
            verb: parts.verb,
            object: parts.object,
            qualifier: parts.qualifier,
            kind,
            affinity: self.affinity,
            description: self
                .description
                .into_iter()
                .map(|(lang, raw)| (lang, raw.into()))
                .collect(),
            args: self.args.into_iter().map(ArgSpec::from).collect(),
            requires_one_of: self.requires_one_of,
            feed: self.feed,
            capabilities: self.capabilities,
            hosts: self.hosts,
            effect: self.effect,
            risk: self.risk,
            timeout_s: self.timeout_s.unwrap_or(limits::EXECUTOR_TIMEOUT_S),
            cacheable: self.cacheable.unwrap_or(true),
            companions: self.companions,
            entry_fields: self.output.entry_fields,
            result_fields: self.output.result_fields,
            own_fields: self.output.own_fields,
            things: self.output.things,
            presentation: presentation(self.presentation)?,
            frames: self.frames,
        })
    }
}

impl From<RawDescription> for Description {
    fn from(raw: RawDescription) -> Self {
        Self {
            purpose: raw.purpose,
            pattern: raw.pattern,
            not: raw.not,
            out: raw.out,
        }
    }
}

impl From<RawArg> for ArgSpec {
    fn from(raw: RawArg) -> Self {
        Self {
            name: raw.name,
            schema: raw.schema,
            role: raw.role,
            kind: raw.kind.or(raw.semantic.map(|class| class.as_str().to_owned())),
            does: raw.does,
            required: raw.required,
            runtime_resolved: raw.runtime_resolved,
            from_entries_key: raw.from_entries_key,
            description: raw.description,
        }
    }
}

fn presentation(raw: RawPresentation) -> Result<Presentation, ParseError> {
    match (raw.entries, raw.text, raw.sentence) {
        (Some(columns), None, None) => {
            let columns = columns.into_iter().map(|column| Column {
                source: column.source,
                format: column.format,
            });
            Ok(Presentation::Entries(columns.collect()))
        }
        (None, Some(field), None) => Ok(Presentation::Text(field)),
        (None, None, Some(key)) => Ok(Presentation::Sentence(key)),
        _ => Err(ParseError::Presentation),
    }
}

fn code(raw: &RawManifest) -> Result<(Kind, Option<String>), ParseError> {
    let refuse = |why: &str| Err(ParseError::Code(why.to_owned()));
    match (raw.kind, &raw.code, &raw.composite, &raw.mcp) {
        (RawKind::Builtin, None, None, None) => Ok((Kind::Builtin, None)),
        (RawKind::Builtin, ..) => refuse("a builtin has no `[code]`, no `[composite]` and no `[mcp]`"),
        (RawKind::Composite, None, Some(composite), None) => Ok((
            Kind::Composite {
                plan: steps(composite)?,
            },
            None,
        )),
        (RawKind::Composite, ..) => refuse("a composite needs `[composite]` and nothing like it"),
        (RawKind::Mcp, None, None, Some(tool)) if is_digest(&tool.digest) => Ok((Kind::Mcp(tool.clone()), None)),
        (RawKind::Mcp, ..) => {
            refuse("a tool of others needs `[mcp]` with its `digest` of 64 hex digits, and nothing like it")
        }
        (RawKind::Program, Some(code), None, None) => {
            if code.files.is_empty() || !code.files.iter().all(|file| is_plain_file_name(file)) {
                return refuse("`files` must name files beside the manifest");
            }
            let Some(hex) = code.digest.strip_prefix("sha256:") else {
                return refuse("`digest` must be `sha256:` and 64 hex digits");
            };
            if !is_digest(hex) {
                return refuse("`digest` must be `sha256:` and 64 hex digits");
            }
            let files = code.files.clone();
            Ok((Kind::Program { files }, Some(hex.to_ascii_lowercase())))
        }
        (RawKind::Program, ..) => refuse("a program needs `[code]` and nothing like it"),
    }
}

/// 64 hex digits.
fn is_digest(hex: &str) -> bool {
    hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A plan of two steps or more.
fn steps(composite: &RawComposite) -> Result<Value, ParseError> {
    let refuse = |why: String| ParseError::Code(why);
    let plan: Value = serde_json::from_str(&composite.plan).map_err(|error| refuse(format!("the plan: {error}")))?;
    let parsed = Plan::from_json(&plan).map_err(|error| refuse(format!("the plan: {error}")))?;
    if parsed.steps.len() < 2 {
        return Err(refuse("the plan of a composite has two steps at least".to_owned()));
    }
    Ok(plan)
}

/// A name that stays in its folder and is neither hidden nor one of ours.
fn is_plain_file_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(['.', '-'])
        && !name.starts_with("manifest.toml")
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}
