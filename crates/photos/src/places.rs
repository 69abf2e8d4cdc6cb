//! Where on the earth a picture was taken, by name and without asking anybody: the nearest town, its region and its
//! country, and what else people call them. The data are GeoNames' (CC BY 4.0), as `reverse_geocoder` carries them.

use std::{collections::BTreeMap, fmt, sync::LazyLock};

use reverse_geocoder::ReverseGeocoder;
use serde::{Deserialize, Serialize};

use crate::Place;

/// As far as a town counts as the place where something was taken, in degrees of a great circle: about 40 km.
const NEAR_DEGREES: f64 = 0.36;

/// As far from its middle a city gives its name to what lies there, in degrees: about 12 km.
const CITY_DEGREES: f64 = 0.108;

const NAMES: &str = include_str!("places.toml");

/// A town, by the names that the places data has.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Town {
    /// Its own name; empty far from any town.
    #[serde(rename = "town")]
    pub name: String,
    /// The city it lies in or beside, by country and name: `IT Rome`.
    pub city: String,
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
            city: city(place).unwrap_or_default(),
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
            city: String::new(),
            province: String::new(),
            ..town
        }
    }
}

/// The city whose middle is nearest, within a dozen kilometres.
fn city(place: Place) -> Option<String> {
    let apart = |(name, city): (&'static String, &City)| (name, degrees_between(place, (city.at[0], city.at[1])));
    let cities = KNOWN.cities.iter().map(apart);
    let near = cities.filter(|(_, degrees)| *degrees <= CITY_DEGREES);
    let (name, _) = near.min_by(|(_, one), (_, other)| one.total_cmp(other))?;
    Some(name.clone())
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
    /// By country and name: `IT Rome`.
    cities: BTreeMap<String, City>,
    regions: BTreeMap<String, Vec<String>>,
    /// By language, then by code.
    countries: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

/// A city that gives its name to what lies around it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct City {
    /// Latitude and longitude of its middle, in degrees.
    at: [f64; 2],
    /// What else it is called.
    #[serde(default)]
    also: Vec<String>,
}

/// A test reads them; damaged ones would be none.
static KNOWN: LazyLock<Names> = LazyLock::new(|| toml::from_str(NAMES).unwrap_or_default());

impl Town {
    /// Everything it is called, in any language: the town, its province, its region and its country.
    pub fn names(&self) -> Vec<&str> {
        let mut names = vec![self.name.as_str(), self.region.as_str()];
        let own = format!("{} {}", self.country, self.name);
        let cities = [&own, &self.city].map(|key| KNOWN.cities.get_key_value(key));
        for (key, city) in cities.into_iter().flatten() {
            names.extend(key.split_once(' ').map(|(_, name)| name));
            names.extend(city.also.iter().map(String::as_str));
        }
        names.extend(
            KNOWN
                .regions
                .get(&self.region)
                .into_iter()
                .flatten()
                .map(String::as_str),
        );
        let of_city = self.city.split_once(' ').map(|(country, _)| country);
        let codes = of_city.into_iter().chain([self.country.as_str()]);
        let countries = codes.flat_map(|code| KNOWN.countries.values().filter_map(move |all| all.get(code)));
        names.extend(countries.flatten().map(String::as_str));
        // "Provincia di Rimini" is the one around Rimini.
        names.extend(self.province.rsplit_once(" di ").map(|(_, name)| name));
        names.retain(|name| !name.is_empty());
        names
    }

    /// It in a line: the city, else the town, and the region; far from any its country in this language.
    pub fn shown(&self, lang: &str) -> String {
        let named = |code: &str| {
            let known = KNOWN.countries.get(lang).and_then(|all| all.get(code)?.first());
            known.cloned().unwrap_or_else(|| code.to_owned())
        };
        match self.city.split_once(' ') {
            // The region is that of a town across the border.
            Some((country, city)) if country != self.country => format!("{city}, {}", named(country)),
            Some((_, city)) => format!("{city}, {}", self.region),
            None if self.name.is_empty() => named(&self.country),
            None => format!("{}, {}", self.name, self.region),
        }
    }
}

/// Every name of a city, a region or a country that is known here, in any language.
pub fn places_named() -> impl Iterator<Item = &'static str> {
    let cities = KNOWN.cities.iter().flat_map(|(key, city)| {
        let own = key.split_once(' ').map(|(_, name)| name);
        own.into_iter().chain(city.also.iter().map(String::as_str))
    });
    let regions = KNOWN
        .regions
        .iter()
        .flat_map(|(own, also)| std::iter::once(own).chain(also).map(String::as_str));
    let countries = KNOWN.countries.values().flat_map(BTreeMap::values).flatten();
    cities.chain(regions).chain(countries.map(String::as_str))
}
