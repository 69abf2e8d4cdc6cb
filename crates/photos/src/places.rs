//! Where on the earth a picture was taken, by name and without asking anybody: the nearest town, its region and its
//! country, and what else people call them. The data are GeoNames' (CC BY 4.0), as `reverse_geocoder` carries them.

use std::{collections::BTreeMap, fmt, sync::LazyLock};

use reverse_geocoder::ReverseGeocoder;
use serde::Deserialize;

use crate::Place;

/// As far as a town counts as the place where something was taken, in degrees of a great circle: about 40 km.
const NEAR_DEGREES: f64 = 0.36;

const NAMES: &str = include_str!("places.toml");

/// A town, by the names that the places data has.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Town {
    /// Its own name; empty far from any town.
    pub name: String,
    /// The province or county.
    pub province: String,
    /// The region or state.
    pub region: String,
    /// Two letters (ISO 3166-1).
    pub country: String,
}

/// All towns. Loading them takes a moment and some memory: made in the process that looks at pictures, once.
pub struct Towns(ReverseGeocoder);

impl fmt::Debug for Towns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Towns")
    }
}

impl Towns {
    /// Loads them.
    pub fn load() -> Self {
        Self(ReverseGeocoder::new())
    }

    /// The nearest one; only its country where it is far.
    pub fn near(&self, place: Place) -> Town {
        let found = self.0.search((place.latitude, place.longitude));
        let record = found.record;
        let town = Town {
            name: record.name.clone(),
            province: record.admin2.clone(),
            region: record.admin1.clone(),
            country: record.cc.clone(),
        };
        let is_near = degrees_between(place, (record.lat, record.lon)) <= NEAR_DEGREES;
        if is_near {
            return town;
        }
        Town {
            name: String::new(),
            province: String::new(),
            ..town
        }
    }
}

fn degrees_between(place: Place, (latitude, longitude): (f64, f64)) -> f64 {
    let (one, other) = (place.latitude.to_radians(), latitude.to_radians());
    let (north, east) = (other - one, (longitude - place.longitude).to_radians());
    let part = (north / 2.0).sin().powi(2) + one.cos() * other.cos() * (east / 2.0).sin().powi(2);
    (2.0 * part.sqrt().min(1.0).asin()).to_degrees()
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    towns: BTreeMap<String, Vec<String>>,
    regions: BTreeMap<String, Vec<String>>,
    /// By language, then by code.
    countries: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

/// A test reads them; damaged ones would be none.
static KNOWN: LazyLock<Names> = LazyLock::new(|| toml::from_str(NAMES).unwrap_or_default());

impl Town {
    /// Everything it is called, in any language: the town, its province, its region and its country.
    pub fn names(&self) -> Vec<&str> {
        let mut names = vec![self.name.as_str(), self.region.as_str()];
        let others = [(&KNOWN.towns, &self.name), (&KNOWN.regions, &self.region)];
        names.extend(
            others
                .iter()
                .filter_map(|(known, own)| known.get(*own))
                .flatten()
                .map(String::as_str),
        );
        let countries = KNOWN.countries.values().filter_map(|all| all.get(&self.country));
        names.extend(countries.flatten().map(String::as_str));
        // "Provincia di Rimini" is the one around Rimini.
        names.extend(self.province.rsplit_once(" di ").map(|(_, name)| name));
        names.retain(|name| !name.is_empty());
        names
    }

    /// It in a line: the town and its region, else its country in this language.
    pub fn shown(&self, lang: &str) -> String {
        if !self.name.is_empty() {
            return format!("{}, {}", self.name, self.region);
        }
        let known = KNOWN
            .countries
            .get(lang)
            .and_then(|all| all.get(&self.country)?.first());
        known.cloned().unwrap_or_else(|| self.country.clone())
    }
}
