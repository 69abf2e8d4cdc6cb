//! Where things are: a point on the earth and a place somebody could go to. Locations, geo services and answers all
//! speak of these; nothing here asks anybody where it is.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Mean radius of the earth, in metres.
const EARTH_RADIUS_M: f64 = 6_371_008.8;
/// Points are kept in steps of a ten-millionth of a degree, a centimetre: finer than any source, and comparable.
const STEPS_PER_DEGREE: f64 = 1e7;

/// A point on the earth, WGS 84. Only ever a real one: latitude −90 to 90, longitude −180 to 180.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Degrees", into = "Degrees")]
pub struct Point {
    latitude: i32,
    longitude: i32,
}

/// A point as it is written: in degrees.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Degrees {
    latitude: f64,
    longitude: f64,
}

/// Two numbers that are no point on the earth.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{latitude}, {longitude} is no point on the earth")]
pub struct NoSuchPoint {
    latitude: f64,
    longitude: f64,
}

impl Point {
    /// The point at these degrees.
    pub fn new(latitude: f64, longitude: f64) -> Result<Self, NoSuchPoint> {
        let on_earth = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
        if !on_earth {
            return Err(NoSuchPoint { latitude, longitude });
        }
        Ok(Self {
            latitude: steps(latitude),
            longitude: steps(longitude),
        })
    }

    /// The point two numbers in degrees name, such as `45.4642, 9.19`; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let (latitude, longitude) = text.split_once([',', ';']).or_else(|| text.trim().split_once(' '))?;
        let degrees = |part: &str| part.trim().parse::<f64>().ok().filter(|_| part.contains('.'));
        Self::new(degrees(latitude)?, degrees(longitude)?).ok()
    }

    /// Degrees north of the equator.
    pub fn latitude(self) -> f64 {
        f64::from(self.latitude) / STEPS_PER_DEGREE
    }

    /// Degrees east of Greenwich.
    pub fn longitude(self) -> f64 {
        f64::from(self.longitude) / STEPS_PER_DEGREE
    }

    /// How far another point is along the earth, in metres.
    pub fn distance_m(self, other: Self) -> f64 {
        let (from, to) = (self.latitude().to_radians(), other.latitude().to_radians());
        let north = (to - from) / 2.0;
        let east = (other.longitude() - self.longitude()).to_radians() / 2.0;
        let half_chord = north.sin().powi(2) + from.cos() * to.cos() * east.sin().powi(2);
        2.0 * EARTH_RADIUS_M * half_chord.min(1.0).sqrt().asin()
    }

    /// A page with a map and a mark on this point.
    pub fn map_link(self) -> String {
        let (latitude, longitude) = (self.latitude(), self.longitude());
        format!(
            "https://www.openstreetmap.org/?mlat={latitude:.5}&mlon={longitude:.5}#map=17/{latitude:.5}/{longitude:.5}"
        )
    }
}

/// Checked before: fits, as 180 × 10⁷ is below 2³¹.
#[expect(clippy::cast_possible_truncation, reason = "the range was checked by the caller")]
fn steps(degrees: f64) -> i32 {
    (degrees * STEPS_PER_DEGREE).round() as i32
}

impl fmt::Display for Point {
    /// As people copy it into a map: `45.46421, 9.18998`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.5}, {:.5}", self.latitude(), self.longitude())
    }
}

impl TryFrom<Degrees> for Point {
    type Error = NoSuchPoint;

    fn try_from(degrees: Degrees) -> Result<Self, NoSuchPoint> {
        Self::new(degrees.latitude, degrees.longitude)
    }
}

impl From<Point> for Degrees {
    fn from(point: Point) -> Self {
        Self {
            latitude: point.latitude(),
            longitude: point.longitude(),
        }
    }
}

/// Who told us about a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaceProvider {
    /// Google Places.
    Google,
    /// Photon, over OpenStreetMap.
    Photon,
}

/// A place as a provider knows it. What the provider did not say is `None` or empty, never guessed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// How its provider names it; asks for its details again.
    pub id: String,
    /// Its name; for an address without one, the first line of the address.
    pub name: String,
    /// Its address on one line; empty when unknown.
    #[serde(default)]
    pub address: String,
    /// Where it is.
    pub point: Point,
    /// What it is, in the provider's word, such as `pharmacy` or `city`; empty when unknown.
    #[serde(default)]
    pub kind: String,
    /// How far it is from where was asked about, in metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance_m: Option<u32>,
    /// Whether it is open at this moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_now: Option<bool>,
    /// When it is open, one line each, in the provider's words; empty when unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening_hours: Vec<String>,
    /// Its telephone number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// Its web address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub website: Option<String>,
    /// Who says so.
    pub provider: PlaceProvider,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_earth_has_points() {
        for (latitude, longitude, exists) in [
            (0.0, 0.0, true),
            (90.0, 180.0, true),
            (-90.0, -180.0, true),
            (90.1, 0.0, false),
            (0.0, -180.000_1, false),
            (f64::NAN, 0.0, false),
            (0.0, f64::INFINITY, false),
        ] {
            assert_eq!(
                Point::new(latitude, longitude).is_ok(),
                exists,
                "{latitude}, {longitude}"
            );
        }
        assert!(serde_json::from_str::<Point>(r#"{"latitude": 91, "longitude": 0}"#).is_err());
    }

    #[test]
    fn two_numbers_in_degrees_are_a_point_and_nothing_else_is() {
        let milan = Point::new(45.4642, 9.19).unwrap();
        for text in ["45.4642, 9.19", "45.4642,9.19", " 45.4642 9.19 "] {
            assert_eq!(Point::parse(text), Some(milan), "{text}");
        }
        for text in [
            "",
            "45.4642",
            "via Roma 3, 5",
            "3, 5",
            "91.0, 9.0",
            "45.4642, 9.19, 3.0",
        ] {
            assert_eq!(Point::parse(text), None, "{text}");
        }
    }

    #[test]
    fn distances_follow_the_earth() {
        let point = |latitude, longitude| Point::new(latitude, longitude).unwrap();
        let near = |metres: f64, expected: f64| (metres - expected).abs() <= expected * 0.003 + 0.01;
        for (from, to, expected) in [
            (point(45.4642, 9.19), point(45.4642, 9.19), 0.0),
            // Milan to Rome.
            (point(45.4642, 9.19), point(41.9028, 12.4964), 477_000.0),
            // One degree along the equator, over the date line.
            (point(0.0, 179.5), point(0.0, -179.5), 111_195.0),
            // From pole to pole.
            (point(90.0, 0.0), point(-90.0, 77.0), 20_015_115.0),
        ] {
            let metres = from.distance_m(to);
            assert!(near(metres, expected), "{from} to {to}: {metres}");
            assert!(near(to.distance_m(from), expected), "{to} to {from}");
        }
    }

    #[test]
    fn a_point_survives_being_written() {
        let point = Point::new(45.464_211_1, -9.189_982_3).unwrap();
        let written = serde_json::to_string(&point).unwrap();
        assert_eq!(written, r#"{"latitude":45.4642111,"longitude":-9.1899823}"#);
        assert_eq!(serde_json::from_str::<Point>(&written).unwrap(), point);
        assert_eq!(point.to_string(), "45.46421, -9.18998");
    }
}
