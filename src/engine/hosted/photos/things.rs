//! Places where the photos of a person were taken, as things that words mean: towns, provinces, regions and
//! countries, by what people call them. Made for a turn by the family of photos; it asks nobody outside.
//!
//! | kind | what it is |
//! |---|---|
//! | `photo-place` | a place where one of the person's photos was taken, or a city, region or country of the world |

use std::{collections::BTreeSet, sync::LazyLock};

use metnos_photos::{Town, places_named};
use serde_json::json;

use crate::{
    domain::fold::fold,
    engine::things::{Asking, Meant, Resolver},
    photos::place,
};

/// Words of the longest name of a place.
const WORDS_MAX: usize = 5;

/// Places of the world that are known by name, folded.
static ELSEWHERE: LazyLock<BTreeSet<String>> = LazyLock::new(|| places_named().map(fold).collect());

/// What places are called, folded.
pub(super) struct Places {
    names: BTreeSet<String>,
}

impl Places {
    /// Those of these towns, as they are kept.
    pub(super) fn of(written: &[String]) -> Self {
        let towns: Vec<Town> = written.iter().filter_map(|town| place(town)).collect();
        Self {
            names: towns.iter().flat_map(Town::names).map(fold).collect(),
        }
    }
}

impl Resolver for Places {
    fn knows(&self, kind: &str) -> bool {
        kind == "photo-place"
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
            let name = fold(written);
            // A place that nobody was at is one, too: whoever looks for it says so.
            let is_one = self.names.contains(&name) || ELSEWHERE.contains(&name);
            is_one.then(|| Meant::by(json!(written), places, true))
        })
    }
}
