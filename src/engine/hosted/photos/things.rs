//! What words mean among the photos of a person: places where they were taken, by what people call them, and what is
//! seen in them, by the captions of a model. Made for a turn by the family of photos; it asks nobody outside. A caption
//! is a model's: its words are looked for and never read for what they say.
//!
//! | kind | what it is |
//! |---|---|
//! | `photo-place` | a place where one of the person's photos was taken, or a city, region or country of the world |
//! | `photo-subject` | words that all stand in the caption of one of the person's photos |

use std::{collections::BTreeSet, sync::LazyLock};

use metnos_photos::{Town, places_named};
use serde_json::json;

use crate::{
    domain::fold::fold,
    engine::{
        frames::says_something,
        things::{Asking, Meant, Resolver},
    },
    language::Language,
    photos::place,
    store::captions::Caption,
};

/// The kinds.
const PLACE: &str = "photo-place";
const SUBJECT: &str = "photo-subject";
/// Words of the longest name of a place, and of what is looked for.
const WORDS_MAX: usize = 5;

/// Places of the world that are known by name, folded.
static ELSEWHERE: LazyLock<BTreeSet<String>> = LazyLock::new(|| places_named().map(fold).collect());

/// What is known of the photos of a person.
pub(super) struct Photographed<'a> {
    /// What places are called, folded.
    names: BTreeSet<String>,
    /// The stems of captions that share a word with the request.
    captions: Vec<BTreeSet<String>>,
    language: &'a Language,
}

impl<'a> Photographed<'a> {
    /// Taken in these towns, as they are kept, with these captions.
    pub(super) fn of(towns: &[String], captions: Vec<Caption>, language: &'a Language) -> Self {
        let towns: Vec<Town> = towns.iter().filter_map(|town| place(town)).collect();
        let stems = |caption: Caption| caption.stems.into_iter().collect();
        Self {
            names: towns.iter().flat_map(Town::names).map(fold).collect(),
            captions: captions.into_iter().map(stems).collect(),
            language,
        }
    }

    /// A place that nobody was at is one, too: whoever looks for it says so.
    fn is_place(&self, written: &str) -> bool {
        let name = fold(written);
        self.names.contains(&name) || ELSEWHERE.contains(&name)
    }

    /// Whether all words that say something stand in one caption.
    fn is_seen(&self, written: &str) -> bool {
        let wanted = wanted(self.language, written);
        !wanted.is_empty() && self.captions.iter().any(|stems| holds(stems, &wanted))
    }
}

/// The stems of each word that says something.
pub(super) fn wanted(language: &Language, written: &str) -> Vec<Vec<String>> {
    let words = written.split(|letter: char| !letter.is_alphanumeric());
    let stems = words.map(|word| metnos_papers::stems(language, word));
    stems.filter(|stems| !stems.is_empty()).collect()
}

/// Whether a caption with these stems holds each word, in any of its forms.
pub(super) fn holds(caption: &BTreeSet<String>, wanted: &[Vec<String>]) -> bool {
    wanted
        .iter()
        .all(|stems| stems.iter().any(|stem| caption.contains(stem)))
}

impl Resolver for Photographed<'_> {
    fn knows(&self, kind: &str) -> bool {
        matches!(kind, PLACE | SUBJECT)
    }

    fn is_certain(&self) -> bool {
        true
    }

    /// The longest run of words that names one.
    fn meant(&self, asking: &Asking<'_>) -> Option<Meant> {
        // A place is one of photos where photos are spoken of.
        if !asking.clause.iter().any(|at| asking.named.contains(at)) {
            return None;
        }
        let is_open = |at: &usize| {
            let word = asking.words.get(*at);
            word.is_some_and(|word| !word.is_time) && !asking.named.contains(at)
        };
        let run = |from: usize, length: usize| -> Option<Vec<usize>> {
            let places = asking.clause.get(from..from + length)?;
            places.iter().all(is_open).then(|| places.to_vec())
        };
        let lengths = (1..=WORDS_MAX).rev();
        let mut runs = lengths.flat_map(|length| (0..asking.clause.len()).map(move |from| (from, length)));
        runs.find_map(|(from, length)| {
            let places = run(from, length)?;
            let written = asking.written(&places)?;
            if asking.slot.kind == PLACE {
                return self.is_place(written).then(|| Meant::by(json!(written), places, true));
            }
            // What says nothing stands in many a caption, and is no part of what is looked for.
            let tells = |at: &&usize| asking.words.get(**at).is_some_and(says_something);
            let telling: Vec<&str> = places
                .iter()
                .filter(tells)
                .filter_map(|at| asking.written(&[*at]))
                .collect();
            let subject = telling.join(" ");
            // Where photos were taken is known better than what a model read in them.
            let is_one = self.is_seen(&subject) && !self.is_place(&subject);
            is_one.then(|| Meant::by(json!(subject), places, true))
        })
    }
}
