//! Values of a request as slots of its remembered plan: what was planned for "translate ~/a.txt" serves "translate
//! ~/b.txt". Asked by dispatch, for plans a model wrote and requests that only a model could plan. It never serves a
//! request whose other words differ, and keeps no slots of a plan that says something of a value in other words.
//!
//! ```text
//! request    sum up ~/notes/may.md in 3 lines            → template  sum up ⟨path:md⟩ in ⟨number⟩ lines
//! plan       read {"path": "~/notes/may.md"}, …          → places    /steps/0/args/path is value 0
//! ```

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    domain::{
        ids::{CanonicalHash, ExecutorName},
        kind::Class,
        lang::Lang,
        manifest::{ArgSpec, Manifest},
        plan::Plan,
    },
    engine::fastpath::canonical_hash,
    language::{Fact, FactKind, Language, Reading},
};

/// Words of fewer letters than this name nothing.
const NAME_LETTERS_MIN: usize = 3;

/// A request without its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// The canonical words, with the kind of each value in its place.
    pub text: String,
    /// The values, as they stand.
    pub values: Vec<Value>,
}

/// Where a remembered plan holds the values of its request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slots {
    values: Vec<Value>,
    places: Vec<Place>,
}

/// One argument that is a value of the request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Place {
    /// JSON pointer into the plan.
    at: String,
    /// Which value.
    nth: usize,
}

impl Template {
    /// The template of a request; `None` where it has no value that may be another, or where every letter counts.
    pub fn of(reading: &Reading, language: &Language) -> Option<Self> {
        if reading.verbatim || !reading.by_name.is_empty() || !reading.missing.is_empty() {
            return None;
        }
        let facts = reading.facts.iter();
        let mut slots: Vec<(&Fact, Slot)> = facts.filter_map(|fact| Some((fact, Slot::of(fact)?))).collect();
        slots.sort_by_key(|(fact, _)| fact.span.start);
        let mut words: Vec<String> = Vec::new();
        let mut values: Vec<Value> = Vec::new();
        let mut end = 0;
        for (fact, slot) in slots {
            // Two readings of the same words, or the same value twice: which is which cannot be told.
            if fact.span.start < end || values.contains(&slot.value) {
                return None;
            }
            let before = reading.original.get(end..fact.span.start)?;
            let before = match end {
                0 => language.canonical(before, reading.lang),
                _ => language.canonical_rest(before, reading.lang),
            };
            words.extend([before, format!("⟨{}⟩", slot.kind)]);
            values.push(slot.value);
            end = fact.span.end;
        }
        words.push(language.canonical_rest(reading.original.get(end..)?, reading.lang));
        // "delete ~/a" and "delete ~/a?"
        words.extend(reading.was_question.then(|| "?".to_owned()));
        words.retain(|piece| !piece.is_empty());
        (!values.is_empty()).then(|| Self {
            text: words.join(" "),
            values,
        })
    }

    /// What a plan for this template is kept under.
    pub fn hash(&self) -> Option<CanonicalHash> {
        canonical_hash(&self.text)
    }
}

/// A value that may be another, and what must not change with it.
struct Slot {
    kind: String,
    value: Value,
}

impl Slot {
    fn of(fact: &Fact) -> Option<Self> {
        let text = |kind: String| {
            let value = Value::String(fact.text().to_owned());
            (!fact.text().is_empty()).then_some(Self { kind, value })
        };
        let part = |name: &str| fact.value.get(name).and_then(Value::as_str).unwrap_or_default();
        match fact.kind {
            FactKind::Path => text(with_ending("path", fact.text())),
            FactKind::Url => text(with_ending("url", path_of(fact.text()))),
            FactKind::Email => text("email".to_owned()),
            FactKind::Phone => text("phone".to_owned()),
            FactKind::Quoted => text("quoted".to_owned()),
            FactKind::Window => text(window(fact.text()).to_owned()),
            FactKind::Number => Self::number("number", &fact.value),
            FactKind::Percent => Self::number("percent", &fact.value),
            FactKind::Count => Self::number(&format!("count:{}", part("side")), fact.value.get("count")?),
            FactKind::Size => Self::number(&format!("size:{}", part("bound")), fact.value.get("bytes")?),
            FactKind::Money => Self::number(&format!("money:{}", part("currency")), fact.value.get("amount")?),
            FactKind::Amount => {
                let kind = format!("amount:{}:{}", part("unit"), part("of"));
                Self::number(&kind, fact.value.get("amount")?)
            }
            // Words of the request: they stay in the template.
            FactKind::Glob
            | FactKind::Weekday
            | FactKind::Name
            | FactKind::NamePart
            | FactKind::Query
            | FactKind::Topic
            | FactKind::Title
            | FactKind::Matter
            | FactKind::Listed
            | FactKind::NotQuery
            | FactKind::NotGlob
            | FactKind::PlaceKind
            | FactKind::PlaceName
            | FactKind::Whereabouts
            | FactKind::OpenNow
            | FactKind::PlaceDetails
            | FactKind::Taken => None,
        }
    }

    /// One and none are said of other things than two are, so they are kinds of their own.
    fn number(kind: &str, value: &Value) -> Option<Self> {
        let number = value.as_f64()?;
        let few = if number == 0.0 || number == 1.0 {
            format!(":{number}")
        } else {
            String::new()
        };
        Some(Self {
            kind: format!("{kind}{few}"),
            value: whole_as_integer(number),
        })
    }
}

/// `3.0` as the `3` that schemas ask for.
fn whole_as_integer(number: f64) -> Value {
    number.to_string().parse().unwrap_or(Value::Null)
}

/// "older than a month" and "newer than a month" take opposite things.
fn window(value: &str) -> &'static str {
    if value.starts_with("before-") || value.starts_with("older-") {
        "window:before"
    } else if value.contains('/') {
        "window:between"
    } else {
        "window"
    }
}

/// What stands behind the server in a web address.
fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split_once('/').map_or("", |(_, path)| path)
}

/// A kind with the ending of a file's name: a pdf is read by another tool than a picture, a folder by a third. A
/// pattern and the root of everything are no folders like others.
fn with_ending(kind: &str, path: &str) -> String {
    if path.contains(['*', '?', '{']) && kind == "path" {
        return format!("{kind}:*{path}");
    }
    if path.trim_end_matches(['/', '\\']).trim_start_matches('~').is_empty() && kind == "path" {
        return format!("{kind}:/{path}");
    }
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    match name.trim_start_matches('.').rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => format!("{kind}:{}", ending.to_lowercase()),
        Some(_) | None => kind.to_owned(),
    }
}

impl Slots {
    /// Where the values of a template stand in the plan for it; `None` unless every value stands there as a whole
    /// argument, a number only once, and nothing else of the plan can have come from a value.
    pub fn of<S>(
        template: &Template,
        plan: &Plan<S>,
        manifests: &dyn Fn(&ExecutorName) -> Option<Arc<Manifest>>,
        language: &Language,
    ) -> Option<Self> {
        let written = plan.to_json();
        let mut search = Search {
            template,
            words: Lang::BUILT_IN.map(|lang| Words::of(template, lang, language)),
            language,
            places: Vec::new(),
        };
        for (index, step) in plan.steps.iter().enumerate() {
            let manifest = manifests(&step.tool)?;
            let args = written.pointer(&format!("/steps/{index}/args"))?.as_object()?;
            for (name, value) in args.iter().filter(|(name, _)| *name != "from_step") {
                let at = format!("/steps/{index}/args/{}", pointed(name));
                if !search.value(&at, value, manifest.arg(name)) {
                    return None;
                }
            }
        }
        let fillers = plan.fillers.values();
        let mut texts = fillers.flat_map(|filler| [Some(&filler.prompt), filler.default.as_ref()]);
        let says_no_value = |text: &String| search.is_free(text);
        if !texts.by_ref().flatten().all(says_no_value) || !plan.final_message.iter().all(says_no_value) {
            return None;
        }
        let times = |nth: usize| search.places.iter().filter(|place| place.nth == nth).count();
        let fits = |(nth, value): (usize, &Value)| {
            let times = times(nth);
            times == 1 || times > 1 && value.is_string()
        };
        template.values.iter().enumerate().all(fits).then_some(Self {
            values: template.values.clone(),
            places: search.places,
        })
    }

    /// Whether values may stand in for others: as many, and not the same ones turned round, which is another request.
    pub fn fit(known: &[Value], values: &[Value]) -> bool {
        let is_permuted = values != known && values.iter().all(|value| known.contains(value));
        values.len() == known.len() && !is_permuted
    }

    /// The plan with other values; `None` where these do not fit.
    pub fn filled(&self, plan: &Value, values: &[Value]) -> Option<Value> {
        if !Self::fit(&self.values, values) {
            return None;
        }
        let mut plan = plan.clone();
        for place in &self.places {
            let slot = plan.pointer_mut(&place.at)?;
            let value = values.get(place.nth)?;
            *slot = match (&*slot, value) {
                (Value::String(_), Value::Number(number)) => Value::String(number.to_string()),
                (_, value) => value.clone(),
            };
        }
        Some(plan)
    }
}

/// The look through a plan for values of its request.
struct Search<'a> {
    template: &'a Template,
    words: [Words; Lang::BUILT_IN.len()],
    language: &'a Language,
    places: Vec<Place>,
}

/// The stems of a request, in one language.
struct Words {
    lang: Lang,
    /// Of the template.
    shared: Vec<String>,
    /// Of its values.
    own: Vec<String>,
}

impl Words {
    fn of(template: &Template, lang: Lang, language: &Language) -> Self {
        let stems = |text: &str| language.stems(text, lang).into_iter().map(|stem| stem.text);
        let values = template.values.iter().filter_map(Value::as_str);
        Self {
            lang,
            shared: stems(&template.text).collect(),
            own: values.flat_map(stems).collect(),
        }
    }
}

impl Search<'_> {
    /// Notes where the values stand in an argument; `false` when some of it may have come from one in other words.
    fn value(&mut self, at: &str, value: &Value, spec: Option<&ArgSpec>) -> bool {
        if let Some(nth) = self.template.values.iter().position(|known| is_same(known, value)) {
            self.places.push(Place { at: at.to_owned(), nth });
            return true;
        }
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => true,
            Value::String(text) => spec.is_some_and(|spec| is_choice(spec, value)) || self.is_free(text),
            Value::Array(items) => {
                let mut items = items.iter().enumerate();
                items.all(|(index, item)| self.value(&format!("{at}/{index}"), item, spec))
            }
            Value::Object(fields) => self.fields(at, fields, spec),
        }
    }

    fn fields(&mut self, at: &str, fields: &Map<String, Value>, spec: Option<&ArgSpec>) -> bool {
        let mut fields = fields.iter();
        fields.all(|(name, field)| self.value(&format!("{at}/{}", pointed(name)), field, spec))
    }

    /// Whether a text holds only references, words of the template, and words that are about no thing in particular: so
    /// that it is as true with other values.
    fn is_free(&self, text: &str) -> bool {
        let said = without_references(text);
        self.words.iter().any(|words| {
            let stems = self.language.stems(&said, words.lang);
            let general = self.language.mentions(&stems, words.lang);
            stems.iter().enumerate().all(|(at, stem)| {
                if words.shared.contains(&stem.text) {
                    return true;
                }
                let is_number = stem.text.starts_with(|letter: char| letter.is_ascii_digit());
                let is_short = stem.letters < NAME_LETTERS_MIN && !is_number;
                let is_general = stem.is_glue || general.iter().any(|(begins, _)| *begins == at);
                (is_short || is_general) && !words.own.contains(&stem.text)
            })
        })
    }
}

/// A value of the request as an argument holds it; a number may be a text there.
fn is_same(known: &Value, value: &Value) -> bool {
    match (known, value) {
        (Value::Number(known), Value::Number(value)) => known.as_f64() == value.as_f64(),
        (Value::Number(known), Value::String(text)) => known.to_string() == *text,
        (known, value) => known == value,
    }
}

/// One of a closed list, or the name of a field: never a value of the request.
fn is_choice(spec: &ArgSpec, value: &Value) -> bool {
    let choices = spec.schema.get("enum").and_then(Value::as_array);
    spec.class() == Class::Column || choices.is_some_and(|choices| choices.contains(value))
}

/// A name as a JSON pointer has it (RFC 6901).
fn pointed(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A text with what stands between `${` and `}` taken out.
fn without_references(text: &str) -> String {
    let mut said = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        said.push_str(before);
        rest = after.split_once('}').map_or("", |(_, after)| after);
    }
    said.push_str(rest);
    said
}

#[cfg(test)]
mod tests;
