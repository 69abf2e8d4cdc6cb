//! `time`: every value a sentence gives to a time, in the conventions of the set it comes from.

use jiff::{
    ToSpan,
    civil::{DateTime, Time as Clock},
    tz::{Offset, TimeZone},
};
use metnos::{
    domain::lang::Lang,
    language::{
        Language,
        time::{Conventions, Ends, Value as Time},
    },
};
use serde_json::{Map, Value, json};

pub(crate) fn predictor(language: Language) -> crate::Predictor {
    Box::new(move |case| {
        let (text, lang, mut now) = crate::said(case);
        let duckling = case["source"] == "duckling";
        if duckling {
            // Where its corpus is said to be spoken.
            let zone = TimeZone::fixed(Offset::constant(-2));
            now = now.datetime().to_zoned(zone).unwrap_or(now);
        }
        let conventions = if duckling { calendar(lang) } else { rolling() };
        let times = language.times(text, lang, &now, &conventions);
        let readings = times.iter().flat_map(|time| &time.readings);
        let values: Vec<Value> = readings.flat_map(|reading| written(reading, duckling)).collect();
        Map::from_iter([("values".to_owned(), Value::Array(values))])
    })
}

/// What Duckling assumes: whole units of the calendar, and an end that is over.
fn calendar(lang: Lang) -> Conventions {
    let parts = match lang {
        Lang::IT => [(4, 12), (12, 14), (12, 19), (18, 24), (24, 28)],
        _ => [(0, 12), (12, 14), (12, 19), (18, 24), (18, 24)],
    };
    Conventions {
        whole_units: true,
        ends: Ends::Over,
        parts,
        weekend_from: Some(18),
        thirds: true,
    }
}

/// What Recognizers-Text assumes: windows that roll with now, and an end that begins.
fn rolling() -> Conventions {
    Conventions {
        whole_units: false,
        ends: Ends::Begin,
        parts: [(8, 12), (11, 13), (12, 16), (16, 20), (20, 24)],
        weekend_from: None,
        thirds: false,
    }
}

fn text(at: &DateTime) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S").to_string()
}

/// A value as the set writes it.
fn written(reading: &Time, duckling: bool) -> Vec<Value> {
    let midnight = |at: &DateTime| at.time() == Clock::midnight();
    let clock = |at: &DateTime| at.strftime("%H:%M:%S").to_string();
    match reading {
        Time::Date(day) => vec![json!(["date", day.to_string()])],
        Time::Moment(at) => vec![json!(["datetime", text(at)])],
        Time::Duration(seconds) => vec![json!(["duration", seconds])],
        Time::Range(from, to) => {
            let mut to = *to;
            // The end of a night is its last second in one set.
            if !duckling
                && from.is_some_and(|from| from.hour() >= 20)
                && let Some(end) = to.filter(midnight)
            {
                to = end.checked_sub(1.second()).ok();
            }
            let mut values = vec![json!(["range", from.as_ref().map(text), to.as_ref().map(text)])];
            // One open side and a time of day: the set writes no day.
            let open = from.is_none() != to.is_none();
            if let Some(at) = from.or(to).filter(|at| open && !midnight(at)) {
                let (from, to) = (from.map(|_| clock(&at)), to.map(|_| clock(&at)));
                values.push(json!(["trange", from, to]));
            }
            values
        }
    }
}
