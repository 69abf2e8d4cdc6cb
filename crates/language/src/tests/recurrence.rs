//! What happens again and again: every so many of what, on which days, at which time; and what happens only once.

use super::*;
use crate::time::{Form, Recurrence, Unit};

fn again(text: &str, lang: Lang) -> Option<Recurrence> {
    let times = LANGUAGE.times(text, lang, &now(), &Conventions::HOUSEHOLD);
    times.into_iter().find_map(|time| match time.form {
        Form::Recurring(again) => Some(again),
        Form::Named(..) | Form::Window(..) | Form::Weekday(_) | Form::Length(..) | Form::Plain => None,
    })
}

/// Every so many of a unit, and nothing else.
fn every(every: u64, unit: Unit) -> Recurrence {
    Recurrence {
        every,
        unit: Some(unit),
        ..Recurrence::default()
    }
}

fn on(weekdays: &[i8], hour: Option<i8>) -> Recurrence {
    Recurrence {
        every: 1,
        weekdays: weekdays.to_vec(),
        at: hour.map(|hour| jiff::civil::time(hour, 0, 0, 0)),
        ..Recurrence::default()
    }
}

/// The nth of a day of the week in every month.
fn nth(nth: i8, weekday: i8, hour: Option<i8>) -> Recurrence {
    Recurrence {
        unit: Some(Unit::Month),
        nth: Some(nth),
        ..on(&[weekday], hour)
    }
}

#[test]
fn days_of_the_month_are_counted() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    let day = |day: i8| Recurrence {
        day: Some(day),
        ..every(1, Unit::Month)
    };
    for (text, lang, expected) in [
        ("the first Monday of every month", EN, nth(1, 1, None)),
        ("every first Monday of the month", EN, nth(1, 1, None)),
        ("every first Monday of the month at 9", EN, nth(1, 1, Some(9))),
        ("every last Friday of the month at 18:00", EN, nth(-1, 5, Some(18))),
        ("every third Tuesday", EN, nth(3, 2, None)),
        ("the 5th of every month", EN, day(5)),
        ("il primo lunedì di ogni mese", IT, nth(1, 1, None)),
        ("ogni primo lunedì del mese", IT, nth(1, 1, None)),
        ("ogni primo lunedì del mese alle 9", IT, nth(1, 1, Some(9))),
        ("ogni ultimo venerdì del mese alle 18", IT, nth(-1, 5, Some(18))),
        ("ogni terzo martedì", IT, nth(3, 2, None)),
        ("il 5 di ogni mese", IT, day(5)),
    ] {
        assert_eq!(again(text, lang), Some(expected), "{text}");
    }
    for (text, lang, hour) in [
        ("the first Monday of the month", EN, None),
        ("on the first Monday of the month at 9", EN, Some(9)),
        ("il primo lunedì del mese", IT, None),
        ("il primo lunedì del mese alle 9", IT, Some(9)),
    ] {
        let expected = Recurrence {
            loose: true,
            ..nth(1, 1, hour)
        };
        assert_eq!(again(text, lang), Some(expected), "{text}");
    }
}

#[test]
fn rhythms_of_days_and_hours_are_read() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    let often = |times: u64, unit: Unit| Recurrence {
        times: Some(times),
        ..every(1, unit)
    };
    let half_past_seven = Recurrence {
        at: Some(jiff::civil::time(7, 30, 0, 0)),
        ..on(&[2, 4], None)
    };
    for (text, lang, expected) in [
        ("every weekday at 8", EN, on(&[1, 2, 3, 4, 5], Some(8))),
        ("every Tuesday and Thursday at 7:30", EN, half_past_seven),
        ("every 15 minutes", EN, every(15, Unit::Minute)),
        ("every other day", EN, every(2, Unit::Day)),
        ("every second week", EN, every(2, Unit::Week)),
        ("on alternate days", EN, every(2, Unit::Day)),
        ("twice a week", EN, often(2, Unit::Week)),
        ("three times a day", EN, often(3, Unit::Day)),
        ("once a month", EN, often(1, Unit::Month)),
        ("on Mondays and Thursdays at 8", EN, on(&[1, 4], Some(8))),
        ("il lunedì e il giovedì alle 8", IT, on(&[1, 4], Some(8))),
        (
            "la domenica, il lunedì e il giovedì alle 8",
            IT,
            on(&[7, 1, 4], Some(8)),
        ),
        ("ogni giorno feriale alle 8", IT, on(&[1, 2, 3, 4, 5], Some(8))),
        ("ogni 15 minuti", IT, every(15, Unit::Minute)),
        ("ogni due giorni", IT, every(2, Unit::Day)),
        ("a giorni alterni", IT, every(2, Unit::Day)),
        ("a settimane alterne", IT, every(2, Unit::Week)),
        ("due volte a settimana", IT, often(2, Unit::Week)),
        ("tre volte al giorno", IT, often(3, Unit::Day)),
        ("una volta al mese", IT, often(1, Unit::Month)),
    ] {
        assert_eq!(again(text, lang), Some(expected), "{text}");
    }
    let mondays = Recurrence {
        weekdays: vec![1],
        ..every(2, Unit::Week)
    };
    assert_eq!(again("every other Monday", EN), Some(mondays));
}

#[test]
fn what_happens_once_is_no_schedule() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    for (text, lang) in [
        ("every file", EN),
        ("the first Monday of the month was rainy", EN),
        ("when is the first Monday of the month", EN),
        ("the first Monday of March", EN),
        ("list the files in ~/docs twice", EN),
        ("once upon a time", EN),
        ("three times two", EN),
        ("il primo lunedì del mese era piovoso", IT),
        ("che giorno è il primo lunedì del mese", IT),
        ("il primo lunedì di marzo", IT),
        ("elenca i file due volte", IT),
        ("ogni file", IT),
    ] {
        assert_eq!(again(text, lang), None, "{text}");
        assert!(
            !LANGUAGE.read_in(text, lang, &now(), &Home::unknown()).scheduled,
            "{text}"
        );
    }
    for (text, lang, scheduled) in [
        ("remind me to pay the rent on the first Monday of the month", EN, true),
        ("on the first Monday of the month list ~/docs", EN, true),
        ("find the photos taken on the first Monday of the month", EN, false),
        ("files modified on the first Monday of the month", EN, false),
        ("il primo lunedì del mese ricordami l'affitto", IT, true),
        ("elenca i file modificati il primo lunedì del mese", IT, false),
    ] {
        let reading = LANGUAGE.read_in(text, lang, &now(), &Home::unknown());
        assert_eq!(reading.scheduled, scheduled, "{text}");
    }
    assert_eq!(
        facts("files modified on the first Monday of the month"),
        ["Window 2026-11-02"]
    );
}
