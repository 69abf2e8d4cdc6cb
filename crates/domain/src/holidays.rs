//! Public holidays by code: the days a country's law names, Easter, and a town's patron saint. Called by the executor
//! of days. Nothing here asks a server; names are keys of `locales/`.
//!
//! Sources: Italy, law 260/1949 with its changes up to law 151/2025 (4 October from 2026); United States, 5 U.S.C.
//! 6103; England and Wales, Banking and Financial Dealings Act 1971; Ireland, Organisation of Working Time Act 1997.

use jiff::{
    Span,
    civil::{Date, Weekday},
};

/// Whose holidays count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Country {
    /// Italy.
    #[default]
    Italy,
    /// The federal holidays of the United States.
    UnitedStates,
    /// England and Wales.
    England,
    /// Ireland.
    Ireland,
}

impl Country {
    /// The country of this code, as settings write it.
    pub fn parse(code: &str) -> Option<Self> {
        Some(match code.to_ascii_uppercase().as_str() {
            "IT" => Self::Italy,
            "US" => Self::UnitedStates,
            "GB" | "UK" => Self::England,
            "IE" => Self::Ireland,
            _ => return None,
        })
    }

    /// The country that a time zone lies in; `None` where its holidays are not known.
    pub fn of_zone(zone: &str) -> Option<Self> {
        Some(match zone {
            "Europe/Rome" | "Europe/Vatican" | "Europe/San_Marino" => Self::Italy,
            "Europe/London" | "Europe/Belfast" => Self::England,
            "Europe/Dublin" => Self::Ireland,
            "America/New_York"
            | "America/Chicago"
            | "America/Denver"
            | "America/Los_Angeles"
            | "America/Phoenix"
            | "America/Detroit"
            | "America/Anchorage"
            | "America/Boise"
            | "Pacific/Honolulu" => Self::UnitedStates,
            _ => return None,
        })
    }
}

/// When a holiday is.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// The same month and day every year.
    Fixed(i8, i8),
    /// So many days from Easter Sunday.
    Easter(i64),
    /// The nth such weekday of a month, counted from its end when negative.
    Nth(i8, i8, Weekday),
    /// The first Monday of February, or the first of February where that is a Friday.
    Brigid,
}

/// What becomes of a holiday at the weekend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moved {
    /// Nothing.
    Never,
    /// The nearest weekday is free as well.
    Nearest,
    /// The next weekday that is none yet is free as well.
    Next,
}

/// A day of the law: its name in `locales/`, its rule, the first year it counts.
type Law = (&'static str, Rule, i16);

const ITALY: &[Law] = &[
    ("new-year", Rule::Fixed(1, 1), 0),
    ("epiphany", Rule::Fixed(1, 6), 1986),
    ("easter", Rule::Easter(0), 0),
    ("easter-monday", Rule::Easter(1), 0),
    ("liberation", Rule::Fixed(4, 25), 1946),
    ("labour", Rule::Fixed(5, 1), 1945),
    ("republic", Rule::Fixed(6, 2), 2001),
    ("assumption", Rule::Fixed(8, 15), 0),
    ("francis", Rule::Fixed(10, 4), 2026),
    ("all-saints", Rule::Fixed(11, 1), 0),
    ("immaculate", Rule::Fixed(12, 8), 0),
    ("christmas", Rule::Fixed(12, 25), 0),
    ("stephen", Rule::Fixed(12, 26), 0),
];

const UNITED_STATES: &[Law] = &[
    ("new-year", Rule::Fixed(1, 1), 0),
    ("king", Rule::Nth(1, 3, Weekday::Monday), 1986),
    ("presidents", Rule::Nth(2, 3, Weekday::Monday), 1971),
    ("memorial", Rule::Nth(5, -1, Weekday::Monday), 1971),
    ("juneteenth", Rule::Fixed(6, 19), 2021),
    ("independence", Rule::Fixed(7, 4), 0),
    ("labor", Rule::Nth(9, 1, Weekday::Monday), 0),
    ("columbus", Rule::Nth(10, 2, Weekday::Monday), 1971),
    ("veterans", Rule::Fixed(11, 11), 0),
    ("thanksgiving", Rule::Nth(11, 4, Weekday::Thursday), 0),
    ("christmas", Rule::Fixed(12, 25), 0),
];

const ENGLAND: &[Law] = &[
    ("new-year", Rule::Fixed(1, 1), 1974),
    ("good-friday", Rule::Easter(-2), 0),
    ("easter-monday", Rule::Easter(1), 0),
    ("may", Rule::Nth(5, 1, Weekday::Monday), 1978),
    ("spring", Rule::Nth(5, -1, Weekday::Monday), 1971),
    ("summer", Rule::Nth(8, -1, Weekday::Monday), 1971),
    ("christmas", Rule::Fixed(12, 25), 0),
    ("boxing", Rule::Fixed(12, 26), 0),
];

const IRELAND: &[Law] = &[
    ("new-year", Rule::Fixed(1, 1), 1974),
    ("brigid", Rule::Brigid, 2023),
    ("patrick", Rule::Fixed(3, 17), 1903),
    ("easter-monday", Rule::Easter(1), 0),
    ("may", Rule::Nth(5, 1, Weekday::Monday), 1994),
    ("june", Rule::Nth(6, 1, Weekday::Monday), 1973),
    ("august", Rule::Nth(8, 1, Weekday::Monday), 0),
    ("october", Rule::Nth(10, -1, Weekday::Monday), 1977),
    ("christmas", Rule::Fixed(12, 25), 0),
    ("stephen", Rule::Fixed(12, 26), 0),
];

/// The patron saint's day of towns: where their offices and schools are closed.
const PATRONS: &[(&str, i8, i8)] = &[
    ("ancona", 5, 4),
    ("aosta", 9, 7),
    ("bari", 12, 6),
    ("bergamo", 8, 26),
    ("bologna", 10, 4),
    ("brescia", 2, 15),
    ("cagliari", 10, 30),
    ("campobasso", 4, 23),
    ("catania", 2, 5),
    ("catanzaro", 7, 16),
    ("ferrara", 4, 23),
    ("firenze", 6, 24),
    ("genova", 6, 24),
    ("l'aquila", 6, 10),
    ("livorno", 5, 22),
    ("messina", 6, 3),
    ("milano", 12, 7),
    ("modena", 1, 31),
    ("napoli", 9, 19),
    ("padova", 6, 13),
    ("palermo", 7, 15),
    ("parma", 1, 13),
    ("perugia", 1, 29),
    ("pescara", 10, 10),
    ("pisa", 6, 17),
    ("potenza", 5, 30),
    ("prato", 12, 26),
    ("ravenna", 7, 23),
    ("reggio emilia", 11, 24),
    ("rimini", 10, 14),
    ("roma", 6, 29),
    ("salerno", 9, 21),
    ("torino", 6, 24),
    ("trento", 6, 26),
    ("trieste", 11, 3),
    ("venezia", 11, 21),
    ("verona", 5, 21),
    ("vicenza", 9, 8),
];

/// A town's own day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patron {
    /// What it is called; empty where only the date is known.
    pub name: String,
    /// Month.
    pub month: i8,
    /// Day of the month.
    pub day: i8,
}

impl Patron {
    /// The day of a town we know, or a date and a name such as `06-24 San Giovanni`.
    pub fn parse(written: &str) -> Option<Self> {
        let written = written.trim();
        let town = written.to_lowercase();
        if let Some((_, month, day)) = PATRONS.iter().find(|(name, ..)| *name == town) {
            return Some(Self {
                name: String::new(),
                month: *month,
                day: *day,
            });
        }
        let (date, name) = written.split_once(' ').unwrap_or((written, ""));
        let (month, day) = date.split_once('-')?;
        let (month, day) = (month.parse().ok()?, day.parse().ok()?);
        Date::new(2024, month, day).ok()?;
        Some(Self {
            name: name.trim().to_owned(),
            month,
            day,
        })
    }
}

/// One holiday of one year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holiday {
    /// The day that is free.
    pub date: Date,
    /// Its name in `locales/`; `patron` for a town's own.
    pub key: &'static str,
    /// What a town calls its own day.
    pub name: String,
    /// It stands for a day at the weekend.
    pub is_instead: bool,
}

/// All holidays of a year, in order.
pub fn of_year(country: Country, patron: Option<&Patron>, year: i16) -> Vec<Holiday> {
    let (laws, moved) = match country {
        Country::Italy => (ITALY, Moved::Never),
        Country::UnitedStates => (UNITED_STATES, Moved::Nearest),
        Country::England => (ENGLAND, Moved::Next),
        Country::Ireland => (IRELAND, Moved::Never),
    };
    let counts = laws.iter().filter(|(_, _, since)| year >= *since);
    let mut all: Vec<Holiday> = counts
        .filter_map(|(key, rule, _)| {
            Some(Holiday {
                date: rule.in_year(year)?,
                key,
                name: String::new(),
                is_instead: false,
            })
        })
        .collect();
    let mut instead = Vec::new();
    for holiday in &all {
        if let Some(date) = free_instead(moved, holiday.date, &all, &instead) {
            instead.push(Holiday {
                date,
                is_instead: true,
                ..holiday.clone()
            });
        }
    }
    all.extend(instead);
    // The first of January may be kept on the last day of the year before.
    let next = Date::new(year.saturating_add(1), 1, 1).ok();
    if let Some(date) = next.and_then(|next| free_instead(moved, next, &[], &[]))
        && date.year() == year
    {
        all.push(Holiday {
            date,
            key: "new-year",
            name: String::new(),
            is_instead: true,
        });
    }
    all.retain(|holiday| holiday.date.year() == year);
    if let Some(patron) = patron
        && let Ok(date) = Date::new(year, patron.month, patron.day)
    {
        all.push(Holiday {
            date,
            key: "patron",
            name: patron.name.clone(),
            is_instead: false,
        });
    }
    all.sort_by_key(|holiday| holiday.date);
    all
}

/// The holiday of a day, the law's before the town's.
pub fn on(country: Country, patron: Option<&Patron>, day: Date) -> Option<Holiday> {
    let mut all = of_year(country, patron, day.year()).into_iter();
    all.find(|holiday| holiday.date == day)
}

/// The first holiday behind a day.
pub fn after(country: Country, patron: Option<&Patron>, day: Date) -> Option<Holiday> {
    let years = [day.year(), day.year().saturating_add(1)];
    let mut all = years.into_iter().flat_map(|year| of_year(country, patron, year));
    all.find(|holiday| holiday.date > day)
}

/// The weekday that is free for a holiday at the weekend.
fn free_instead(moved: Moved, date: Date, all: &[Holiday], taken: &[Holiday]) -> Option<Date> {
    let weekday = date.weekday();
    if !matches!(weekday, Weekday::Saturday | Weekday::Sunday) {
        return None;
    }
    match moved {
        Moved::Never => None,
        Moved::Nearest if weekday == Weekday::Saturday => date.yesterday().ok(),
        Moved::Nearest => date.tomorrow().ok(),
        Moved::Next => {
            let is_free = |day: &Date| {
                let is_weekend = matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday);
                !is_weekend && !all.iter().chain(taken).any(|holiday| holiday.date == *day)
            };
            let mut days = std::iter::successors(date.tomorrow().ok(), |day| day.tomorrow().ok());
            days.find(is_free)
        }
    }
}

impl Rule {
    fn in_year(self, year: i16) -> Option<Date> {
        match self {
            Self::Fixed(month, day) => Date::new(year, month, day).ok(),
            Self::Easter(days) => easter(year)?.checked_add(Span::new().days(days)).ok(),
            Self::Nth(month, nth, weekday) => {
                let first = Date::new(year, month, 1).ok()?;
                first.nth_weekday_of_month(nth, weekday).ok()
            }
            Self::Brigid => {
                let first = Date::new(year, 2, 1).ok()?;
                if first.weekday() == Weekday::Friday {
                    return Some(first);
                }
                first.nth_weekday_of_month(1, Weekday::Monday).ok()
            }
        }
    }
}

/// Easter Sunday of the Gregorian calendar, by the anonymous algorithm (Meeus, chapter 8).
fn easter(year: i16) -> Option<Date> {
    let y = i32::from(year);
    let (a, b, c) = (y % 19, y / 100, y % 100);
    let h = (19 * a + b - b / 4 - (8 * b + 13) / 25 + 15) % 30;
    let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7;
    let m = (a + 11 * h + 19 * l) / 433;
    let month = (h + l - 7 * m + 90) / 25;
    let day = (h + l - 7 * m + 33 * month + 19) % 32;
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(country: Country, year: i16) -> Vec<String> {
        let all = of_year(country, None, year).into_iter();
        all.map(|holiday| format!("{} {}", holiday.date.strftime("%m-%d"), holiday.key))
            .collect()
    }

    #[test]
    fn italy_keeps_the_fourth_of_october_from_2026_on() {
        let is_free = |year| on(Country::Italy, None, Date::new(year, 10, 4).unwrap()).is_some();
        assert!(!is_free(2025) && is_free(2026) && is_free(2027));
        assert_eq!(days(Country::Italy, 2026).len(), 13);
        let easter = |year| of_year(Country::Italy, None, year)[2].date.to_string();
        assert_eq!(
            [easter(2025), easter(2026), easter(2027)],
            ["2025-04-20", "2026-04-05", "2027-03-28"]
        );
    }

    #[test]
    fn a_town_has_its_own_day() {
        let patron = Patron::parse("Milano").unwrap();
        let own = on(Country::Italy, Some(&patron), Date::new(2026, 12, 7).unwrap()).unwrap();
        assert_eq!(own.key, "patron");
        let named = Patron::parse("06-24 San Giovanni").unwrap();
        assert_eq!((named.name.as_str(), named.month, named.day), ("San Giovanni", 6, 24));
        assert_eq!(Patron::parse("13-40"), None);
        assert_eq!(Patron::parse("Atlantis"), None);
    }

    #[test]
    fn a_holiday_at_the_weekend_is_made_up_for_where_the_law_says_so() {
        // Christmas 2027 is a Saturday.
        let late = |country| {
            let all = days(country, 2027).into_iter();
            all.filter(|day| day.starts_with("12-")).collect::<Vec<_>>()
        };
        assert_eq!(
            late(Country::England),
            ["12-25 christmas", "12-26 boxing", "12-27 christmas", "12-28 boxing"]
        );
        assert_eq!(
            late(Country::UnitedStates),
            ["12-24 christmas", "12-25 christmas", "12-31 new-year"]
        );
        assert_eq!(late(Country::Ireland), ["12-25 christmas", "12-26 stephen"]);
    }

    #[test]
    fn the_next_one_may_be_next_year() {
        let next = after(Country::Italy, None, Date::new(2026, 12, 26).unwrap()).unwrap();
        assert_eq!((next.date.to_string().as_str(), next.key), ("2027-01-01", "new-year"));
    }
}
