//! The words of one language as data: `locales/<lang>/lexicon.toml` and the extensions every language shares, turned
//! into one index from a phrase to its senses. Read by the passes of `language`; it decides nothing itself.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Deserialize;

use super::{
    Side,
    canonical::{Courtesy, CourtesyForms},
    sense::{Around, Role, Sense},
    token::words_of,
};
use metnos_domain::{
    fold::fold,
    lang::Lang,
    vocabulary::{Object, Qualifier, Verb},
};

mod asking;
mod changing;
mod endings;
mod extensions;
mod slips;

use changing::ListSaid;
pub(super) use endings::Endings;
pub(super) use extensions::Extensions;

/// Why the embedded words cannot be used. Only a mistake in the data files leads here.
#[derive(Debug, thiserror::Error)]
pub enum LanguageError {
    /// Not the TOML that is expected.
    #[error("cannot read the words of `{what}`")]
    Toml {
        /// Which file.
        what: String,
        /// Where and why.
        #[source]
        source: toml::de::Error,
    },
    /// A word that the closed vocabulary does not have.
    #[error("`{word}` in the words of `{what}` is not in the vocabulary")]
    Unknown {
        /// Which file.
        what: String,
        /// Which word.
        word: String,
    },
    /// A pattern that is no regular expression.
    #[error("a pattern of `{what}` is no regular expression")]
    Regex {
        /// Which file.
        what: String,
        /// Where and why.
        #[source]
        source: regex::Error,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    openings: Vec<String>,
    stop: Vec<String>,
    all: Vec<String>,
    each: Vec<String>,
    show: Vec<String>,
    only: Vec<String>,
    anaphora: Vec<String>,
    echo: Vec<String>,
    connectors: Vec<String>,
    negation: Vec<String>,
    but: Vec<String>,
    howto: Vec<String>,
    conditional: Vec<String>,
    scheduled: Vec<String>,
    older: Vec<String>,
    newer: Vec<String>,
    aged: Vec<String>,
    except: Vec<String>,
    without: Vec<String>,
    says: Vec<String>,
    where_is: Vec<String>,
    when_changed: Vec<String>,
    there: Vec<String>,
    exists: Vec<String>,
    content: Vec<String>,
    about: Vec<String>,
    definite: Vec<String>,
    carriers: Vec<String>,
    home: Vec<String>,
    changed: Vec<String>,
    unchanged: Vec<String>,
    something: Vec<String>,
    how_many: Vec<String>,
    how_much: Vec<String>,
    per: Vec<String>,
    sort_by: Vec<String>,
    descending: Vec<String>,
    reversed: Vec<String>,
    ascending: Vec<String>,
    more: Vec<String>,
    less: Vec<String>,
    or_more: Vec<String>,
    or_less: Vec<String>,
    between: Vec<String>,
    ordinals: Vec<Vec<String>>,
    from_end: Vec<Vec<String>>,
    adjacent_before: Vec<String>,
    adjacent_after: Vec<String>,
    vague: Vec<String>,
    besides: Vec<String>,
    singular: Vec<String>,
    numbered: Vec<String>,
    both: Vec<String>,
    empty: Vec<String>,
    opens: Vec<String>,
    searches: Vec<String>,
    downloaded: Vec<String>,
    plural: Vec<String>,
    verbs: BTreeMap<String, Vec<String>>,
    objects: BTreeMap<String, Vec<String>>,
    pages: BTreeMap<String, Vec<String>>,
    roles: Roles,
    options: BTreeMap<String, Vec<String>>,
    fields: BTreeMap<String, Vec<String>>,
    superlatives: Vec<Superlatives>,
    orders: Vec<Superlatives>,
    kinds: BTreeMap<String, Vec<String>>,
    filler: Fillers,
    confirm: BTreeMap<String, Vec<String>>,
    canonical: CourtesyForms,
    places: BTreeMap<String, Vec<String>>,
    around: ForPlaces,
    refer: ForFiles,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Roles {
    from: Vec<String>,
    to: Vec<String>,
    #[serde(rename = "in")]
    inside: Vec<String>,
    of: Vec<String>,
    named: Vec<String>,
    name_contains: Vec<String>,
    contains: Vec<String>,
    in_name: Vec<String>,
    with: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Superlatives {
    field: String,
    desc: bool,
    words: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fillers {
    kind: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ForPlaces {
    near: Vec<String>,
    here: Vec<String>,
    nearest: Vec<String>,
    praise: Vec<String>,
    #[serde(rename = "where")]
    whereabouts: Vec<String>,
    open_now: Vec<String>,
    hours: Vec<String>,
    opens: Vec<String>,
    opens_if: Vec<String>,
    opening: Vec<String>,
    known: Vec<String>,
}

/// What is said of something that was spoken of before.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ForFiles {
    keep: Vec<String>,
    several: Vec<String>,
    joint: String,
    inside: String,
    show: String,
    those: String,
    count: String,
    #[serde(rename = "move")]
    move_word: String,
}

/// The words of one language, ready to look up.
pub(super) struct Lexicon {
    senses: HashMap<String, Vec<Sense>>,
    starts: HashSet<String>,
    longest: usize,
    pub(super) yes: HashSet<String>,
    pub(super) also: HashSet<String>,
    pub(super) no: HashSet<String>,
    /// Whole messages that stop what runs.
    pub(super) halt: HashSet<String>,
    /// What says nothing by itself.
    pub(super) courtesy: Courtesy,
    pub(super) negations: Vec<String>,
    /// Verbs that put a file where it is to stay.
    pub(super) keep: Vec<String>,
    /// Pronouns, and endings of verbs, for several things.
    pub(super) several: HashSet<String>,
    pub(super) joint: String,
    /// Before the words for a list, whatever is done with it.
    pub(super) inside: String,
    /// Leads to what is to be seen: "show me".
    pub(super) show: String,
    /// Points at several things: "those".
    pub(super) those: String,
    /// Asks how many they are: "count them".
    pub(super) count: String,
    pub(super) move_word: String,
    /// Names people give the folder with their notes.
    pub(super) notes: Vec<String>,
    /// A noun may stand before what it belongs to.
    pub(super) noun_first: bool,
    /// Requests about a list that was only pointed at.
    pub(super) list_said: ListSaid,
    /// Extensions of files that are looked at or listened to.
    pub(super) seen: HashSet<String>,
    pub(super) endings: Endings,
}

impl Lexicon {
    /// Reads the words of a language.
    pub(super) fn parse(lang: Lang, text: &str, extensions: &Extensions) -> Result<Self, LanguageError> {
        let mut words: Words = toml::from_str(text).map_err(|source| LanguageError::Toml {
            what: lang.code().to_owned(),
            source,
        })?;
        let whole = |forms: Option<Vec<String>>| -> HashSet<String> {
            forms.unwrap_or_default().iter().map(|form| key(form)).collect()
        };
        let mut lexicon = Self {
            senses: HashMap::new(),
            starts: HashSet::new(),
            longest: 1,
            yes: whole(words.confirm.remove("yes")),
            also: whole(words.confirm.remove("also")),
            no: whole(words.confirm.remove("no")),
            halt: whole(words.confirm.remove("stop")),
            courtesy: Courtesy::of(&words.canonical),
            negations: words.negation.iter().map(|form| fold(form)).collect(),
            keep: std::mem::take(&mut words.refer.keep),
            several: words.refer.several.drain(..).collect(),
            joint: std::mem::take(&mut words.refer.joint),
            inside: std::mem::take(&mut words.refer.inside),
            show: std::mem::take(&mut words.refer.show),
            those: std::mem::take(&mut words.refer.those),
            count: std::mem::take(&mut words.refer.count),
            move_word: std::mem::take(&mut words.refer.move_word),
            notes: Vec::new(),
            noun_first: false,
            list_said: ListSaid::default(),
            seen: HashSet::new(),
            endings: Endings::embedded(lang)?,
        };
        lexicon.add_plain(&words);
        lexicon.add_vocabulary(lang, &words)?;
        lexicon.add_values(&words);
        lexicon.add_extensions(&words.kinds, extensions);
        lexicon.add_asking(lang)?;
        lexicon.add_changing(lang)?;
        Ok(lexicon)
    }

    fn add_plain(&mut self, words: &Words) {
        let plain: [(&[String], Sense); 59] = [
            (&words.stop, Sense::Stop),
            (&words.openings, Sense::Opening),
            (&words.all, Sense::All),
            (&words.each, Sense::Each),
            (&words.show, Sense::Show),
            (&words.only, Sense::Only),
            (&words.anaphora, Sense::Anaphora),
            (&words.echo, Sense::Echo),
            (&words.connectors, Sense::Connector),
            (&words.negation, Sense::Negation),
            (&words.but, Sense::But),
            (&words.howto, Sense::HowTo),
            (&words.conditional, Sense::Conditional),
            (&words.scheduled, Sense::Scheduled),
            (&words.older, Sense::Older),
            (&words.newer, Sense::Newer),
            (&words.aged, Sense::Aged),
            (&words.except, Sense::Except),
            (&words.without, Sense::Without),
            (&words.says, Sense::Says),
            (&words.where_is, Sense::WhereIs),
            (&words.when_changed, Sense::WhenChanged),
            (&words.there, Sense::There),
            (&words.exists, Sense::Exists),
            (&words.content, Sense::Content),
            (&words.about, Sense::About),
            (&words.definite, Sense::Definite),
            (&words.carriers, Sense::Carrier),
            (&words.home, Sense::Home),
            (&words.changed, Sense::Changed),
            (&words.unchanged, Sense::Unchanged),
            (&words.something, Sense::Something),
            (&words.how_many, Sense::HowMany),
            (&words.how_much, Sense::HowMuch),
            (&words.per, Sense::Per),
            (&words.sort_by, Sense::SortBy),
            (&words.descending, Sense::Descending),
            (&words.reversed, Sense::Reversed),
            (&words.ascending, Sense::Ascending),
            (&words.more, Sense::More),
            (&words.less, Sense::Less),
            (&words.or_more, Sense::OrMore),
            (&words.or_less, Sense::OrLess),
            (&words.between, Sense::Between),
            (&words.adjacent_before, Sense::Side(Side::First)),
            (&words.adjacent_after, Sense::Side(Side::Last)),
            (&words.vague, Sense::Vague),
            (&words.besides, Sense::Besides),
            (&words.singular, Sense::Singular),
            (&words.numbered, Sense::Numbered),
            (&words.both, Sense::Both),
            (&words.empty, Sense::Empty),
            (&words.opens, Sense::Opens),
            (&words.downloaded, Sense::Downloaded),
            (&words.plural, Sense::Plural),
            (&words.filler.kind, Sense::KindFiller),
            (&words.roles.in_name, Sense::InName),
            (&words.roles.with, Sense::With),
            (&words.roles.named, Sense::Named),
        ];
        for (forms, sense) in plain {
            self.add(forms, &sense);
        }
        self.add(&words.roles.name_contains, &Sense::NameContains);
        self.add(&words.roles.contains, &Sense::Contains);
        self.add(&words.roles.from, &Sense::Role(Role::From));
        self.add(&words.roles.to, &Sense::Role(Role::To));
        self.add(&words.roles.inside, &Sense::Role(Role::In));
        self.add(&words.roles.of, &Sense::Role(Role::Of));
    }

    fn add_vocabulary(&mut self, lang: Lang, words: &Words) -> Result<(), LanguageError> {
        let unknown = |word: &str| LanguageError::Unknown {
            what: lang.code().to_owned(),
            word: word.to_owned(),
        };
        let mut verbs = Vec::new();
        for (name, forms) in &words.verbs {
            verbs.push((Verb::parse(name).ok_or_else(|| unknown(name))?, forms));
        }
        verbs.sort_by_key(|(verb, _)| *verb);
        for (verb, forms) in verbs {
            self.add(forms, &Sense::Verb(verb));
        }
        self.add(&words.searches, &Sense::Searches);
        for (name, forms) in words.objects.iter().chain(&words.pages) {
            let (object, qualifier) = match name.split_once('_') {
                Some((object, qualifier)) => (object, Some(Qualifier::parse(qualifier).ok_or_else(|| unknown(name))?)),
                None => (name.as_str(), None),
            };
            let object = Object::parse(object).ok_or_else(|| unknown(name))?;
            self.add(forms, &Sense::Object(object, qualifier));
        }
        Ok(())
    }

    fn add_values(&mut self, words: &Words) {
        for (value, forms) in &words.options {
            self.add(forms, &Sense::Option(value.clone()));
        }
        for (place, forms) in (2..).zip(&words.ordinals) {
            self.add(forms, &Sense::Ordinal(place));
        }
        for (place, forms) in (2..).zip(&words.from_end) {
            self.add(forms, &Sense::FromEnd(place));
        }
        for (field, forms) in &words.fields {
            self.add(forms, &Sense::Field(field.clone()));
        }
        for group in &words.superlatives {
            let sense = Sense::Superlative {
                field: group.field.clone(),
                desc: group.desc,
            };
            self.add(&group.words, &sense);
        }
        for group in &words.orders {
            let sense = Sense::Ordered {
                field: group.field.clone(),
                desc: group.desc,
            };
            self.add(&group.words, &sense);
        }
        for (kind, forms) in &words.places {
            self.add(forms, &Sense::Place(kind.clone()));
        }
        for (forms, around) in [
            (&words.around.near, Around::Near),
            (&words.around.here, Around::Here),
            (&words.around.nearest, Around::Nearest),
            (&words.around.praise, Around::Praise),
            (&words.around.whereabouts, Around::Where),
            (&words.around.open_now, Around::OpenNow),
            (&words.around.hours, Around::Hours),
            (&words.around.opens, Around::Opens),
            (&words.around.opens_if, Around::OpensIf),
            (&words.around.opening, Around::Opening),
            (&words.around.known, Around::Known),
        ] {
            self.add(forms, &Sense::Around(around));
        }
    }

    fn add(&mut self, forms: &[String], sense: &Sense) {
        for form in forms {
            let words = phrase(form);
            if let Some(first) = words.first() {
                self.starts.insert(first.clone());
            }
            self.longest = self.longest.max(words.len());
            let senses = self.senses.entry(words.join(" ")).or_default();
            if !senses.contains(sense) {
                senses.push(sense.clone());
            }
        }
    }

    /// The longest phrase that begins with these words, as the number of words and its senses.
    pub(super) fn longest_match(&self, words: &[&str]) -> Option<(usize, &[Sense])> {
        let first = words.first()?;
        if !self.starts.contains(*first) {
            return None;
        }
        let mut phrase = String::new();
        let mut best = None;
        for (index, word) in words.iter().take(self.longest).enumerate() {
            if index > 0 {
                phrase.push(' ');
            }
            phrase.push_str(word);
            if let Some(senses) = self.senses.get(phrase.as_str()) {
                best = Some((index + 1, senses.as_slice()));
            }
        }
        best
    }

    /// The words that only hold a sentence together, elisions without their apostrophe.
    pub(super) fn glue(&self) -> HashSet<String> {
        // "is", "do we have": that they may ask after a line of a list gives them no meaning of their own.
        let asks = |sense: &Sense| sense.is_function_word() || sense.is_of_sentence();
        let holds = |senses: &[Sense]| senses.iter().any(Sense::is_function_word) && senses.iter().all(asks);
        self.senses
            .iter()
            .filter(|(form, senses)| !form.contains(' ') && holds(senses))
            .map(|(form, _)| form.trim_end_matches('\'').to_owned())
            .collect()
    }

    /// The senses of a single word.
    pub(super) fn senses(&self, word: &str) -> Option<&[Sense]> {
        self.senses.get(word).map(Vec::as_slice)
    }
}

/// The words of a form; an elision at its end ("l'") keeps its apostrophe, as it does before a word.
fn phrase(form: &str) -> Vec<String> {
    let mut words = words_of(form);
    if let Some(last) = words.last_mut().filter(|_| form.ends_with('\'')) {
        last.push('\'');
    }
    words
}

/// A whole message or phrase as it is compared: its words, folded, with one space.
pub(super) fn key(text: &str) -> String {
    let words = words_of(text);
    if words.is_empty() {
        fold(text.trim())
    } else {
        words.join(" ")
    }
}
