//! Time windows as plans write them (`this-week`, `last-7d`, `2026-03-05`), turned into a range, in this one place.
//! Pure. Weeks start on Monday; a range ends where the next one starts.

use jiff::{Span, Timestamp, ToSpan, Zoned, civil::Date, tz::TimeZone};

/// A stretch of time; the end is not part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// First instant.
    pub start: Timestamp,
    /// First instant after.
    pub end: Timestamp,
}

impl Range {
    /// Whether an instant is inside.
    pub fn contains(&self, instant: Timestamp) -> bool {
        self.start <= instant && instant < self.end
    }
}

/// The range of a window as seen from `now`; `None` when the text is none.
pub fn parse(text: &str, now: &Zoned) -> Option<Range> {
    let token = text.trim().to_ascii_lowercase().replace('_', "-");
    let today = now.date();
    let zone = now.time_zone();
    let (first, after) = match token.as_str() {
        "today" => (today, tomorrow(today)?),
        "yesterday" => (today.yesterday().ok()?, today),
        "tomorrow" => (tomorrow(today)?, tomorrow(tomorrow(today)?)?),
        _ => {
            if let Some(rest) = token.strip_prefix("last-")
                && rest.starts_with(|c: char| c.is_ascii_digit())
            {
                return last_amount(rest, now);
            }
            if let Some(rest) = token.strip_prefix("older-") {
                let end = last_amount(rest, now)?.start;
                let start = Timestamp::MIN;
                return Some(Range { start, end });
            }
            if let Some(rest) = token.strip_prefix("before-") {
                let (first, after) = one_date(rest)?;
                let end = range(first, after, zone)?.start;
                let start = Timestamp::MIN;
                return Some(Range { start, end });
            }
            named_period(&token, today).or_else(|| dates(&token))?
        }
    };
    range(first, after, zone)
}

fn tomorrow(day: Date) -> Option<Date> {
    day.tomorrow().ok()
}

fn range(first: Date, after: Date, zone: &TimeZone) -> Option<Range> {
    let instant = |day: Date| day.to_zoned(zone.clone()).ok().map(|zoned| zoned.timestamp());
    let (start, end) = (instant(first)?, instant(after)?);
    (start < end).then_some(Range { start, end })
}

/// `7d`, `24h`, `2w`, `3m`, `1y` back from now.
fn last_amount(text: &str, now: &Zoned) -> Option<Range> {
    let unit = text.chars().last()?;
    let amount: i64 = text.strip_suffix(unit)?.parse().ok()?;
    let zero = Span::new();
    let span = match unit {
        'h' => zero.try_hours(amount),
        'd' => zero.try_days(amount),
        'w' => zero.try_weeks(amount),
        'm' => zero.try_months(amount),
        'y' => zero.try_years(amount),
        _ => return None,
    };
    let start = now.checked_sub(span.ok()?).ok()?.timestamp();
    // What was changed in this very second belongs to it.
    let end = now.timestamp().checked_add(1.second()).ok()?;
    Some(Range { start, end })
}

/// `this-week`, `last-month`, `next-year` and the like.
fn named_period(token: &str, today: Date) -> Option<(Date, Date)> {
    let (which, period) = token.split_once('-')?;
    let shift: i64 = match which {
        "this" => 0,
        "last" => -1,
        "next" => 1,
        _ => return None,
    };
    let (first, length) = match period {
        "week" => {
            let back = i64::from(today.weekday().to_monday_zero_offset());
            (today.checked_sub(back.days()).ok()?, 1.week())
        }
        "month" => (today.first_of_month(), 1.month()),
        "year" => (today.first_of_year(), 1.year()),
        _ => return None,
    };
    let start = first.checked_add(length.checked_mul(shift).ok()?).ok()?;
    Some((start, start.checked_add(length).ok()?))
}

/// `2026-03-05`, `2026-03`, `2026`, or two of them with a slash between.
fn dates(token: &str) -> Option<(Date, Date)> {
    if let Some((from, to)) = token.split_once('/') {
        return Some((one_date(from)?.0, one_date(to)?.1));
    }
    one_date(token)
}

fn one_date(text: &str) -> Option<(Date, Date)> {
    let numbers: Vec<&str> = text.split('-').collect();
    let number = |index: usize| -> Option<i8> { numbers.get(index)?.parse().ok() };
    let year: i16 = numbers.first().filter(|year| year.len() == 4)?.parse().ok()?;
    match numbers.len() {
        1 => Some((Date::new(year, 1, 1).ok()?, Date::new(year.checked_add(1)?, 1, 1).ok()?)),
        2 => {
            let first = Date::new(year, number(1)?, 1).ok()?;
            Some((first, first.checked_add(1.month()).ok()?))
        }
        3 => {
            let day = Date::new(year, number(1)?, number(2)?).ok()?;
            Some((day, day.tomorrow().ok()?))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> Option<String> {
        // A Thursday.
        let now: Zoned = "2026-03-05T14:30:00+01:00[Europe/Rome]".parse().unwrap();
        let range = parse(text, &now)?;
        let zoned = |t: Timestamp| {
            t.to_zoned(now.time_zone().clone())
                .strftime("%Y-%m-%dT%H:%M")
                .to_string()
        };
        Some(format!("{} {}", zoned(range.start), zoned(range.end)))
    }

    #[test]
    fn windows_are_ranges() {
        for (text, expected) in [
            ("today", "2026-03-05T00:00 2026-03-06T00:00"),
            ("Yesterday", "2026-03-04T00:00 2026-03-05T00:00"),
            ("this-week", "2026-03-02T00:00 2026-03-09T00:00"),
            ("last_week", "2026-02-23T00:00 2026-03-02T00:00"),
            ("this-month", "2026-03-01T00:00 2026-04-01T00:00"),
            ("last-month", "2026-02-01T00:00 2026-03-01T00:00"),
            ("this-year", "2026-01-01T00:00 2027-01-01T00:00"),
            ("last-year", "2025-01-01T00:00 2026-01-01T00:00"),
            ("last-7d", "2026-02-26T14:30 2026-03-05T14:30"),
            ("last-24h", "2026-03-04T14:30 2026-03-05T14:30"),
            ("older-2m", "-9999-01-02T02:49 2026-01-05T14:30"),
            ("before-2026-03", "-9999-01-02T02:49 2026-03-01T00:00"),
            ("before-2025", "-9999-01-02T02:49 2025-01-01T00:00"),
            ("2026-03-29", "2026-03-29T00:00 2026-03-30T00:00"),
            ("2026-02", "2026-02-01T00:00 2026-03-01T00:00"),
            ("2025", "2025-01-01T00:00 2026-01-01T00:00"),
            ("2026-01-05/2026-01-07", "2026-01-05T00:00 2026-01-08T00:00"),
        ] {
            assert_eq!(show(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn anything_else_is_none() {
        for text in [
            "",
            "soon",
            "last-",
            "last-d",
            "older-",
            "before-",
            "before-last-week",
            "older-week",
            "last-999999999999d",
            "last-week-end",
            "2026-13-01",
            "26-01-01",
            "2026-01-07/2026-01-05",
        ] {
            assert_eq!(show(text), None, "{text}");
        }
    }
}
