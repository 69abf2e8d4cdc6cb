//! `${RUNTIME:key}`: values of the turn itself. The validator asks which keys exist, the resolver what they are worth.

use jiff::{Span, Zoned};

use crate::domain::turn::Turn;

/// Furthest a plan may reach from now, in days (a century) and hours.
const REACH_MAX: i64 = 36_525;

/// A value of the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnValue {
    /// How the person likes to be called.
    Actor,
    /// ISO 639-1 code of the person's language.
    Lang,
    /// The channel's name.
    Channel,
    /// Where the person's files are, as they say it.
    Home,
    /// The turn's id.
    TurnId,
    /// What was said.
    Request,
    /// Now in the person's zone, with its offset.
    Now,
    /// The date in the person's zone.
    Today,
    /// Now plus or minus days.
    InDays(i64),
    /// Now plus or minus hours.
    InHours(i64),
}

impl TurnValue {
    /// Reads a key such as `now`, `today` or `now_plus_3d`.
    pub fn parse(key: &str) -> Option<Self> {
        match key {
            "actor" => Some(Self::Actor),
            "lang" => Some(Self::Lang),
            "channel" => Some(Self::Channel),
            "home" => Some(Self::Home),
            "turn_id" => Some(Self::TurnId),
            "request" => Some(Self::Request),
            "now" => Some(Self::Now),
            "today" => Some(Self::Today),
            shifted => Self::parse_shift(shifted),
        }
    }

    fn parse_shift(key: &str) -> Option<Self> {
        let (sign, amount) = if let Some(amount) = key.strip_prefix("now_plus_") {
            (1, amount)
        } else {
            (-1, key.strip_prefix("now_minus_")?)
        };
        let days = amount.strip_suffix('d');
        let digits = days.or_else(|| amount.strip_suffix('h'))?;
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let count: i64 = digits.parse().ok().filter(|count| *count <= REACH_MAX)?;
        Some(if days.is_some() {
            Self::InDays(sign * count)
        } else {
            Self::InHours(sign * count)
        })
    }

    /// What it is worth in this turn; `None` when the calendar ends before it.
    pub fn of(self, turn: &Turn) -> Option<String> {
        match self {
            Self::Actor => Some(turn.actor.name.clone()).filter(|name| !name.trim().is_empty()),
            Self::Lang => Some(turn.actor.lang.code().to_owned()),
            Self::Channel => Some(turn.channel.as_str().to_owned()),
            Self::Home => Some("~".to_owned()),
            Self::TurnId => Some(turn.id.as_str().to_owned()),
            Self::Request => Some(turn.text.clone()),
            Self::Now => Some(instant(&turn.now)),
            Self::Today => Some(turn.now.strftime("%Y-%m-%d").to_string()),
            Self::InDays(days) => shifted(&turn.now, Span::new().try_days(days)),
            Self::InHours(hours) => shifted(&turn.now, Span::new().try_hours(hours)),
        }
    }
}

fn shifted(now: &Zoned, span: Result<Span, jiff::Error>) -> Option<String> {
    match span.and_then(|span| now.checked_add(span)) {
        Ok(then) => Some(instant(&then)),
        Err(error) => {
            tracing::debug!(%error, "a plan reaches beyond the calendar");
            None
        }
    }
}

fn instant(at: &Zoned) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fixtures::turn;

    #[test]
    fn keys_are_closed() {
        for (key, known) in [
            ("now", true),
            ("today", true),
            ("now_plus_3d", true),
            ("now_minus_12h", true),
            ("now_plus_d", false),
            ("now_plus_-1d", false),
            ("now_plus_99999999999999999999d", false),
            ("now_plus_3w", false),
            ("password", false),
            ("", false),
        ] {
            assert_eq!(TurnValue::parse(key).is_some(), known, "{key}");
        }
    }

    #[test]
    fn values_come_from_the_turn() {
        let turn = turn("what time is it");
        let value = |key: &str| TurnValue::parse(key).unwrap().of(&turn).unwrap();
        assert_eq!(value("today"), "2026-03-28");
        assert_eq!(value("now"), "2026-03-28T10:00:00+01:00");
        // The clocks go forward that night: a day later is still ten o'clock, a day of hours is not.
        assert_eq!(value("now_plus_1d"), "2026-03-29T10:00:00+02:00");
        assert_eq!(value("now_plus_24h"), "2026-03-29T11:00:00+02:00");
        assert_eq!(value("lang"), "it");
    }
}
