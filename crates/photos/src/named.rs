//! What the name of a picture tells of when it was taken: messengers take out what the camera wrote, and phones name
//! their pictures by the clock (`IMG-20190814-WA0012.jpg`, `Screenshot 2021-03-04 at 10.11.12.png`).

use jiff::civil::{self, date, time};

/// Before this nobody named a picture so.
const FIRST_YEAR: i16 = 1990;

/// The moment in a name, in the phone's own time; noon where it tells the day alone.
pub fn day_in_name(name: &str) -> Option<civil::DateTime> {
    let bytes = name.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let digits = run(bytes, at);
        if digits == 0 {
            at += 1;
            continue;
        }
        if let Some((day, after)) = day(name, at, digits) {
            let clock = clock(name, after).unwrap_or(time(12, 0, 0, 0));
            return Some(day.to_datetime(clock));
        }
        at += digits;
    }
    None
}

/// How many digits stand from here on.
fn run(bytes: &[u8], at: usize) -> usize {
    bytes
        .get(at..)
        .unwrap_or_default()
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count()
}

/// `20190814` or `2019-08-14`, and where it ends.
fn day(name: &str, at: usize, digits: usize) -> Option<(civil::Date, usize)> {
    let bytes = name.as_bytes();
    let part = |from: usize, length: usize| -> Option<i16> { name.get(from..from + length)?.parse().ok() };
    let (year, month, of_month, after) = match digits {
        8 => (part(at, 4)?, part(at + 4, 2)?, part(at + 6, 2)?, at + 8),
        4 => {
            let mark = *bytes.get(at + 4)?;
            let is_parted = matches!(mark, b'-' | b'_' | b'.') && bytes.get(at + 7) == Some(&mark);
            if !is_parted || run(bytes, at + 5) != 2 || run(bytes, at + 8) != 2 {
                return None;
            }
            (part(at, 4)?, part(at + 5, 2)?, part(at + 8, 2)?, at + 10)
        }
        _ => return None,
    };
    let day = civil::Date::new(year, i8::try_from(month).ok()?, i8::try_from(of_month).ok()?).ok()?;
    (day >= date(FIRST_YEAR, 1, 1)).then_some((day, after))
}

/// `_101112345`, `-101112` or ` at 10.11.12` behind the day.
fn clock(name: &str, after: usize) -> Option<civil::Time> {
    let rest = name
        .get(after..)?
        .trim_start_matches(['_', '-', ' '])
        .trim_start_matches("at ");
    let digits: String = rest
        .chars()
        .filter(|letter| !matches!(letter, '.' | '-' | ':'))
        .take(6)
        .collect();
    let part = |from: usize| -> Option<i8> { digits.get(from..from + 2)?.parse().ok() };
    civil::Time::new(part(0)?, part(2)?, part(4)?, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phones_and_messengers_write_the_day_into_names() {
        for (name, told) in [
            ("IMG-20190814-WA0012.jpg", Some("2019-08-14T12:00:00")),
            ("IMG_20190814_183005.jpg", Some("2019-08-14T18:30:05")),
            ("PXL_20230102_101112345.jpg", Some("2023-01-02T10:11:12")),
            ("Screenshot 2021-03-04 at 10.11.12.png", Some("2021-03-04T10:11:12")),
            ("2021_03_04 beach.jpg", Some("2021-03-04T12:00:00")),
            ("IMG_1034.jpg", None),
            ("12345678.jpg", None),
            ("20191399.jpg", None),
            ("1566123456789.jpg", None),
            ("à20190814.jpg", Some("2019-08-14T12:00:00")),
        ] {
            assert_eq!(
                day_in_name(name).map(|moment| moment.to_string()).as_deref(),
                told,
                "{name}"
            );
        }
    }
}
