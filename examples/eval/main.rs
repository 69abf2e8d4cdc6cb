//! `cargo run --release --example eval -- KIND CASES.jsonl > PRED.jsonl`: runs the product's own code over a set of
//! evaluation cases and writes what the set's scorer reads, one JSON object a line. Called by `just eval`. It knows no
//! expected value: a case's gold is never looked at. `prefilter CASES.jsonl 1000` fills the catalog up to so many
//! tools; `planning CASES.jsonl http://127.0.0.1:8080` asks that llama-server for the plans.

mod args;
mod documents;
mod eml;
mod exif;
mod foreign;
mod guard;
mod ics_expand;
mod intent;
mod nearmiss;
mod planning;
mod prefilter;
mod recur;
mod time;
mod understood;
mod values;

use std::{
    io::{BufWriter, Write},
    path::Path,
    time::Instant,
};

use anyhow::{Context, bail};
use jiff::{Zoned, civil::DateTime, tz::TimeZone};
use metnos::{domain::lang::Lang, engine::patterns::Patterns, language::Language};
use serde_json::{Map, Value, json};

/// What one kind of set asks of the product: a case in, the prediction's fields out.
type Predictor = Box<dyn Fn(&Value) -> Map<String, Value>>;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (kind, path, more) = match arguments.as_slice() {
        [kind, path] => (kind, path, None),
        [kind, path, more] if ["prefilter", "planning"].contains(&kind.as_str()) => (kind, path, Some(more.as_str())),
        _ => bail!("eval KIND CASES.jsonl"),
    };
    let cases = cases(path)?;
    let predict: Predictor = match kind.as_str() {
        "args" => args::predictor(Language::embedded()?),
        "documents" => documents::predictor(Path::new(path)),
        "eml" => eml::predictor(),
        "exif" => exif::predictor(Path::new(path)),
        "guard" => {
            let language = Language::embedded()?;
            let patterns = Patterns::embedded(language.time_words())?;
            guard::predictor(language, patterns)
        }
        "ics_expand" => ics_expand::predictor(),
        "intent" => intent::predictor(Path::new(path))?,
        "nearmiss" => nearmiss::predictor(Language::embedded()?),
        "planning" => planning::predictor(Language::embedded()?, Path::new(path), more)?,
        "prefilter" => {
            let tools = more.map(str::parse).transpose()?;
            prefilter::predictor(Language::embedded()?, Path::new(path), tools)?
        }
        "recur" => recur::predictor(),
        "time" => time::predictor(Language::embedded()?),
        "understood" => understood::predictor(Language::embedded()?),
        "values" => values::predictor(Language::embedded()?),
        other => bail!("no kind `{other}`"),
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    for case in &cases {
        let started = Instant::now();
        let mut prediction = predict(case);
        let ms = ms_since(started);
        prediction.insert("id".to_owned(), case["id"].clone());
        // A kind that measures a part of its work says so itself.
        prediction.entry("ms").or_insert_with(|| json!(ms));
        writeln!(out, "{}", Value::Object(prediction))?;
    }
    Ok(out.flush()?)
}

fn cases(path: &str) -> anyhow::Result<Vec<Value>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {path}"))?;
    let lines = text.split('\n').filter(|line| !line.trim().is_empty());
    let cases: Result<_, _> = lines.map(serde_json::from_str).collect();
    cases.with_context(|| format!("parsing {path}"))
}

/// The parsed file of this name in the folder of the cases.
fn beside(cases: &Path, name: &str) -> anyhow::Result<Value> {
    let path = cases.with_file_name(name);
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("parsing {}", path.display()))
}

fn ms_since(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1000.0
}

/// The text of a case, its language, and when it was said.
fn said(case: &Value) -> (&str, Lang, Zoned) {
    let text = case["text"].as_str().unwrap_or_default();
    let lang = if case["lang"] == "it" { Lang::IT } else { Lang::EN };
    let at = case["ref_time"].as_str().and_then(|at| at.parse::<DateTime>().ok());
    let at = at.and_then(|at| at.to_zoned(TimeZone::UTC).ok()).unwrap_or_default();
    (text, lang, at)
}
