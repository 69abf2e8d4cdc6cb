//! Where the sun and the moon are, by formula: sunrise, sunset, phases. Called by the executor of days; asks nobody.
//!
//! The sun follows the equations of NOAA's solar calculator (Meeus, Astronomical Algorithms, 2nd edition, chapter 25),
//! the moon's phases chapter 49 with its main terms, its light chapter 48. Good to a minute between the polar circles
//! and to a quarter of an hour for the moon, which is finer than anybody asks.

use jiff::{Timestamp, civil::Date};

use crate::domain::place::Point;

/// Centre of the sun below the horizon at sunrise: its radius and the air's refraction, in degrees.
const ZENITH: f64 = 90.833;
/// Julian day of 1970-01-01.
const UNIX_JULIAN: f64 = 2_440_587.5;
/// Julian day of 2000-01-01 at noon.
const J2000: f64 = 2_451_545.0;
const DAY_S: f64 = 86_400.0;
/// Terrestrial time runs ahead of the clock by this, in seconds, in these decades.
const DELTA_T_S: f64 = 70.0;
/// Days from one new moon to the next, on average.
const MONTH: f64 = 29.530_588_861;

/// What the sun does on a day at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sun {
    /// It rises and sets.
    Rises {
        /// When it comes up.
        rise: Timestamp,
        /// When it goes down.
        set: Timestamp,
    },
    /// It stays up all day.
    StaysUp,
    /// It stays below all day.
    StaysDown,
}

/// Sunrise and sunset of a day at a place. `noon` is about local noon of that day.
pub fn sun(noon: Timestamp, at: Point) -> Sun {
    let noon_jd = julian(noon);
    match (event(noon_jd, at, -1.0), event(noon_jd, at, 1.0)) {
        (Ok(rise), Ok(set)) => match (timestamp(rise), timestamp(set)) {
            (Some(rise), Some(set)) => Sun::Rises { rise, set },
            _ => Sun::StaysDown,
        },
        (Err(is_up), _) | (_, Err(is_up)) => {
            if is_up {
                Sun::StaysUp
            } else {
                Sun::StaysDown
            }
        }
    }
}

/// Julian day of a sunrise (−1) or sunset (1); otherwise whether the sun stays up.
fn event(noon_jd: f64, at: Point, side: f64) -> Result<f64, bool> {
    let midnight = (noon_jd - 0.5).floor() + 0.5;
    // Solar noon nearest to the noon that was asked for.
    let day = midnight + ((noon_jd - midnight) - (0.5 - at.longitude() / 360.0)).round();
    let mut jd = noon_jd;
    for _ in 0..4 {
        let (declination, equation) = solar(jd);
        let latitude = at.latitude().to_radians();
        let cosine =
            ZENITH.to_radians().cos() / (latitude.cos() * declination.cos()) - latitude.tan() * declination.tan();
        if cosine > 1.0 {
            return Err(false);
        }
        if cosine < -1.0 {
            return Err(true);
        }
        let hour_angle = cosine.acos().to_degrees();
        let minutes = 720.0 - 4.0 * at.longitude() - equation + side * 4.0 * hour_angle;
        jd = day + minutes / 1_440.0;
    }
    Ok(jd)
}

/// Declination in radians and the equation of time in minutes.
fn solar(jd: f64) -> (f64, f64) {
    let t = (jd - J2000) / 36_525.0;
    let mean_longitude = (280.466_46 + t * (36_000.769_83 + t * 0.000_303_2)).rem_euclid(360.0);
    let anomaly = (357.529_11 + t * (35_999.050_29 - 0.000_153_7 * t)).to_radians();
    let eccentricity = 0.016_708_634 - t * (0.000_042_037 + 0.000_000_126_7 * t);
    let centre = anomaly.sin() * (1.914_602 - t * (0.004_817 + 0.000_014 * t))
        + (2.0 * anomaly).sin() * (0.019_993 - 0.000_101 * t)
        + (3.0 * anomaly).sin() * 0.000_289;
    let node = (125.04 - 1_934.136 * t).to_radians();
    let apparent = (mean_longitude + centre - 0.005_69 - 0.004_78 * node.sin()).to_radians();
    let seconds = 21.448 - t * (46.815 + t * (0.000_59 - t * 0.001_813));
    let obliquity = (23.0 + (26.0 + seconds / 60.0) / 60.0 + 0.002_56 * node.cos()).to_radians();
    let declination = (obliquity.sin() * apparent.sin()).asin();
    let y = (obliquity / 2.0).tan().powi(2);
    let longitude = mean_longitude.to_radians();
    let equation = 4.0
        * (y * (2.0 * longitude).sin() - 2.0 * eccentricity * anomaly.sin()
            + 4.0 * eccentricity * y * anomaly.sin() * (2.0 * longitude).cos()
            - 0.5 * y * y * (4.0 * longitude).sin()
            - 1.25 * eccentricity * eccentricity * (2.0 * anomaly).sin())
        .to_degrees();
    (declination, equation)
}

/// How the moon looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Not to be seen.
    New,
    /// Growing, less than half.
    WaxingCrescent,
    /// Growing, half.
    FirstQuarter,
    /// Growing, more than half.
    WaxingGibbous,
    /// Full.
    Full,
    /// Shrinking, more than half.
    WaningGibbous,
    /// Shrinking, half.
    LastQuarter,
    /// Shrinking, less than half.
    WaningCrescent,
}

impl Phase {
    /// Its name in `locales/`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::WaxingCrescent => "waxing-crescent",
            Self::FirstQuarter => "first-quarter",
            Self::WaxingGibbous => "waxing-gibbous",
            Self::Full => "full",
            Self::WaningGibbous => "waning-gibbous",
            Self::LastQuarter => "last-quarter",
            Self::WaningCrescent => "waning-crescent",
        }
    }
}

/// How the moon looks on a day: a phase that is reached within the day is that day's.
pub fn phase(day_begins: Timestamp, day_ends: Timestamp) -> Phase {
    let turns = [
        (0.0, Phase::New),
        (0.25, Phase::FirstQuarter),
        (0.5, Phase::Full),
        (0.75, Phase::LastQuarter),
    ];
    for (quarter, phase) in turns {
        if next_phase(day_begins, quarter).is_some_and(|at| at < day_ends) {
            return phase;
        }
    }
    let next = |quarter| next_phase(day_begins, quarter).map_or(i64::MAX, |at| at.as_millisecond());
    let ahead = [
        (next(0.25), Phase::WaxingCrescent),
        (next(0.5), Phase::WaxingGibbous),
        (next(0.75), Phase::WaningGibbous),
        (next(0.0), Phase::WaningCrescent),
    ];
    let nearest = ahead.into_iter().min_by_key(|(at, _)| *at);
    nearest.map_or(Phase::New, |(_, phase)| phase)
}

/// Share of the moon's disc that is lit, 0 to 1.
pub fn lit(at: Timestamp) -> f64 {
    let t = (julian(at) + DELTA_T_S / DAY_S - J2000) / 36_525.0;
    let elongation = (297.850_192_1 + 445_267.111_403_4 * t).to_radians();
    let sun = (357.529_109_2 + 35_999.050_290_9 * t).to_radians();
    let moon = (134.963_396_4 + 477_198.867_505_5 * t).to_radians();
    let angle = 180.0 - elongation.to_degrees() - 6.289 * moon.sin() + 2.100 * sun.sin()
        - 1.274 * (2.0 * elongation - moon).sin()
        - 0.658 * (2.0 * elongation).sin()
        - 0.214 * (2.0 * moon).sin()
        - 0.110 * elongation.sin();
    f64::midpoint(1.0, angle.to_radians().cos())
}

/// The next moment of a phase: 0 new, 0.25 first quarter, 0.5 full, 0.75 last quarter.
pub fn next_phase(from: Timestamp, quarter: f64) -> Option<Timestamp> {
    let lunations = (julian(from) - 2_451_550.097_66) / MONTH;
    let first = lunations.floor() - 1.0 + quarter;
    let moments = (0..4).filter_map(|later| timestamp(phase_jd(first + f64::from(later), quarter)));
    moments.into_iter().find(|at| *at > from)
}

/// Julian day of the phase of lunation `k` (Meeus, chapter 49, main terms).
fn phase_jd(k: f64, quarter: f64) -> f64 {
    let t = k / 1_236.85;
    let mean = 2_451_550.097_66 + MONTH * k + t * t * 0.000_154_37;
    let e = 1.0 - t * (0.002_516 + 0.000_007_4 * t);
    let sun = (2.553_4 + 29.105_356_70 * k).to_radians();
    let moon = (201.564_3 + 385.816_935_28 * k).to_radians();
    let latitude = (160.710_8 + 390.670_502_84 * k).to_radians();
    let node = (124.774_6 - 1.563_755_88 * k).to_radians();
    let is_quarter = (quarter - 0.25).abs() < 0.1 || (quarter - 0.75).abs() < 0.1;
    let shift = if is_quarter {
        let common = -0.628_01 * moon.sin() + 0.171_72 * e * sun.sin() - 0.011_83 * e * (moon + sun).sin()
            + 0.008_62 * (2.0 * moon).sin()
            + 0.008_04 * (2.0 * latitude).sin()
            + 0.004_54 * e * (moon - sun).sin()
            + 0.002_04 * e * e * (2.0 * sun).sin()
            - 0.001_80 * (moon - 2.0 * latitude).sin()
            - 0.000_70 * (moon + 2.0 * latitude).sin();
        let width = 0.003_06 - 0.000_38 * e * sun.cos() + 0.000_26 * moon.cos() - 0.000_02 * (moon - sun).cos();
        common + if quarter < 0.5 { width } else { -width }
    } else {
        let (a, b) = if quarter < 0.25 {
            (-0.407_20, 0.172_41)
        } else {
            (-0.406_14, 0.173_02)
        };
        a * moon.sin()
            + b * e * sun.sin()
            + 0.016_08 * (2.0 * moon).sin()
            + 0.010_39 * (2.0 * latitude).sin()
            + 0.007_39 * e * (moon - sun).sin()
            - 0.005_14 * e * (moon + sun).sin()
            + 0.002_08 * e * e * (2.0 * sun).sin()
            - 0.001_11 * (moon - 2.0 * latitude).sin()
            - 0.000_57 * (moon + 2.0 * latitude).sin()
    };
    mean + shift - 0.000_17 * node.sin() - DELTA_T_S / DAY_S
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of these centuries are exact")]
fn julian(at: Timestamp) -> f64 {
    UNIX_JULIAN + at.as_millisecond() as f64 / 1_000.0 / DAY_S
}

#[expect(clippy::cast_possible_truncation, reason = "seconds of these centuries fit")]
fn timestamp(jd: f64) -> Option<Timestamp> {
    Timestamp::from_second(((jd - UNIX_JULIAN) * DAY_S).round() as i64).ok()
}

/// Noon of a day in a zone.
pub fn noon(day: Date, zone: &jiff::tz::TimeZone) -> Option<Timestamp> {
    Some(day.at(12, 0, 0, 0).to_zoned(zone.clone()).ok()?.timestamp())
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;

    fn times(day: &str, zone: &str, at: (f64, f64)) -> String {
        let zone = TimeZone::get(zone).unwrap();
        let noon = noon(day.parse().unwrap(), &zone).unwrap();
        match sun(noon, Point::new(at.0, at.1).unwrap()) {
            Sun::Rises { rise, set } => {
                let told = |at: Timestamp| at.to_zoned(zone.clone()).strftime("%H:%M").to_string();
                format!("{} {}", told(rise), told(set))
            }
            other @ (Sun::StaysUp | Sun::StaysDown) => format!("{other:?}"),
        }
    }

    #[test]
    fn the_sun_rises_where_it_should() {
        assert_eq!(times("2026-11-26", "Europe/Rome", (41.9, 12.48)), "07:12 16:41");
        assert_eq!(
            times("2026-06-21", "America/Los_Angeles", (34.05, -118.24)),
            "05:42 20:07"
        );
        assert_eq!(times("2026-06-21", "Europe/Oslo", (69.65, 18.96)), "StaysUp");
        assert_eq!(times("2026-12-21", "Europe/Oslo", (69.65, 18.96)), "StaysDown");
        // East of the zone's own noon.
        assert_eq!(times("2026-03-20", "Pacific/Auckland", (-36.85, 174.76)), "07:23 19:33");
    }

    #[test]
    fn the_moon_is_full_when_it_should_be() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let full = next_phase(at("2026-11-20T00:00:00Z"), 0.5).unwrap();
        assert_eq!(full.to_string().get(..13).unwrap(), "2026-11-24T14");
        let new = next_phase(at("2026-08-01T00:00:00Z"), 0.0).unwrap();
        assert_eq!(new.to_string().get(..13).unwrap(), "2026-08-12T17");
        let day = (at("2026-11-24T00:00:00Z"), at("2026-11-25T00:00:00Z"));
        assert_eq!(phase(day.0, day.1), Phase::Full);
        assert!(lit(full) > 0.99 && lit(new) < 0.01);
    }
}
