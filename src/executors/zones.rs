//! Time zones by the name of a place as people say it: a city that the time zone database names a zone after, or one of
//! the names in `locales/*/zones.toml`. Called by `get_now`. It asks no service, and guesses nothing.

use std::{
    collections::{BTreeMap, HashMap},
    sync::OnceLock,
};

use jiff::tz::TimeZone;

use crate::domain::{fold::fold, lang::InEach};

const NAMES: InEach<&str> = InEach {
    english: include_str!("../../locales/en/zones.toml"),
    italian: include_str!("../../locales/it/zones.toml"),
};

/// Parts of the database whose last words are no places: "US/Eastern", "Etc/GMT+3".
const NO_PLACES: [&str; 8] = [
    "US",
    "Canada",
    "Brazil",
    "Mexico",
    "Chile",
    "Etc",
    "SystemV",
    "Antarctica",
];

/// The zone a place is in; `None` when nobody here knows. "Tokyo, Japan" is where both words say.
pub(super) fn of_place(place: &str) -> Option<TimeZone> {
    static KNOWN: OnceLock<HashMap<String, String>> = OnceLock::new();
    let known = KNOWN.get_or_init(known);
    let place = folded(place);
    let zone = known.get(&place).or_else(|| {
        let splits = place.match_indices(' ').map(|(at, _)| place.split_at(at));
        let mut both = splits.filter_map(|(city, country)| {
            let (city, country) = (known.get(city.trim_end_matches(','))?, known.get(country.trim())?);
            (city == country).then_some(city)
        });
        both.next()
    })?;
    TimeZone::get(zone).ok()
}

/// Names from the lists win over the database: "Valencia" is in Spain to the people we speak with.
fn known() -> HashMap<String, String> {
    let mut known = HashMap::new();
    for zone in jiff::tz::db().available() {
        let zone = zone.as_str();
        let Some((region, city)) = zone.rsplit_once('/') else {
            continue;
        };
        let is_place = !NO_PLACES.contains(&region.split('/').next().unwrap_or_default());
        if is_place {
            known.entry(folded(city)).or_insert_with(|| zone.to_owned());
        }
    }
    for list in NAMES.all() {
        // Checked by a test: the files are part of the program.
        let zones: BTreeMap<String, Vec<String>> = toml::from_str(list).unwrap_or_default();
        for (zone, names) in zones {
            known.extend(names.iter().map(|name| (folded(name), zone.clone())));
        }
    }
    known
}

/// A name as it is compared: folded, one space between words.
fn folded(name: &str) -> String {
    let plain = fold(name).replace(['_', '-'], " ");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(place: &str) -> Option<String> {
        of_place(place).and_then(|zone| zone.iana_name().map(str::to_owned))
    }

    #[test]
    fn places_are_known_in_both_languages() {
        for (place, expected) in [
            ("Tokyo", "Asia/Tokyo"),
            ("new york", "America/New_York"),
            ("Los  Angeles", "America/Los_Angeles"),
            ("Buenos Aires", "America/Argentina/Buenos_Aires"),
            ("Londra", "Europe/London"),
            ("San Francisco", "America/Los_Angeles"),
            ("Città del Capo", "Africa/Johannesburg"),
            ("citta del capo", "Africa/Johannesburg"),
            ("pechino", "Asia/Shanghai"),
            ("São Paulo", "America/Sao_Paulo"),
            ("tokyo japan", "Asia/Tokyo"),
            ("Paris, France", "Europe/Paris"),
        ] {
            assert_eq!(zone(place).as_deref(), Some(expected), "{place}");
        }
        for place in ["", "Eastern", "GMT+3", "the kitchen", "America", "Troll", "Paris Texas"] {
            assert_eq!(zone(place), None, "{place}");
        }
    }

    #[test]
    fn every_zone_of_the_lists_exists_and_no_name_stands_for_two() {
        for list in NAMES.all() {
            let zones: BTreeMap<String, Vec<String>> = toml::from_str(list).unwrap();
            let mut names: Vec<String> = Vec::new();
            for (zone, of_zone) in zones {
                assert!(TimeZone::get(&zone).is_ok(), "{zone}");
                names.extend(of_zone.iter().map(|name| folded(name)));
            }
            let count = names.len();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), count, "a name stands twice");
        }
    }
}
