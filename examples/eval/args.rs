//! `args`: the values of a sentence, field by field as the set names them.

use jiff::SignedDuration;
use metnos::language::{
    Fact, FactKind, Language,
    time::{Form, Mention, Unit, Value as Time},
};
use serde_json::{Map, Value, json};

pub(crate) fn predictor(language: Language) -> crate::Predictor {
    Box::new(move |case| {
        let (text, lang, now) = crate::said(case);
        let reading = language.read(text, lang, &now);
        let of = |kind: FactKind| reading.facts.iter().filter(move |fact| fact.kind == kind);
        let texts = |kind: FactKind| -> Vec<&str> { of(kind).map(Fact::text).collect() };
        // The home folder is "~/" in the set.
        let path = |fact: &Fact| if fact.text() == "~" { "~/" } else { fact.text() }.to_owned();
        // The set calls a name without a folder no path, and a broad kind such as "photos" no extension.
        let placed = |fact: &&Fact| fact.text().contains(['/', '\\', '~']);
        let paths: Vec<String> = of(FactKind::Path).filter(placed).map(path).collect();
        let exts: Vec<&str> = of(FactKind::Glob)
            .map(Fact::text)
            .filter(|glob| !glob.contains('{'))
            .collect();
        let dates: Vec<String> = reading.times.iter().filter_map(day).collect();
        let windows: Vec<Value> = reading.times.iter().filter_map(window).collect();
        Map::from_iter([
            ("urls".to_owned(), json!(texts(FactKind::Url))),
            ("paths".to_owned(), json!(paths)),
            ("emails".to_owned(), json!(texts(FactKind::Email))),
            ("numbers".to_owned(), json!(reading.numbers)),
            ("exts".to_owned(), json!(exts)),
            ("dates".to_owned(), json!(dates)),
            ("windows".to_owned(), json!(windows)),
        ])
    })
}

/// No night is longer.
const NIGHT: SignedDuration = SignedDuration::from_hours(12);

/// The day of a time that is one; the likeliest.
fn day(time: &Mention) -> Option<String> {
    match time.readings.first()? {
        Time::Date(day) => Some(day.to_string()),
        Time::Moment(moment) => Some(moment.date().to_string()),
        // "tomorrow morning" is within a day, and "tonight" is of the day it begins on.
        Time::Range(Some(from), Some(to)) if from.date() == to.date() || from.duration_until(*to) < NIGHT => {
            Some(from.date().to_string())
        }
        Time::Range(..) | Time::Duration(_) => None,
    }
}

fn window(time: &Mention) -> Option<Value> {
    match time.form {
        Form::Named(_, Unit::Day) => None,
        Form::Named(shift, unit) => {
            let which = match shift {
                0 => "this",
                1 => "next",
                _ => "last",
            };
            Some(json!({"named": format!("{which}_{}", unit.name())}))
        }
        Form::Window(number, unit) => {
            let dir = if number < 0 { "past" } else { "future" };
            Some(json!({"dir": dir, "n": number.unsigned_abs(), "unit": unit.name()}))
        }
        Form::Weekday(_) | Form::Length(..) | Form::Recurring(_) | Form::Plain => None,
    }
}
