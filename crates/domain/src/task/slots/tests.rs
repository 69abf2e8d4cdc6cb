//! Moments over zones and changes of the clock.

use super::*;
use crate::{
    ids::TaskId,
    task::{Task, TaskKind},
};

fn ms(text: &str) -> i64 {
    text.parse::<Timestamp>().unwrap().as_millisecond()
}

fn zone(name: &str) -> TimeZone {
    TimeZone::get(name).unwrap()
}

fn next(trigger: &str, after: &str, place: &str) -> Option<Slot> {
    Trigger::parse(trigger)
        .unwrap()
        .next_after(ms(after), &zone(place), Weekdays::default())
}

fn shown(slot: Option<Slot>, place: &str) -> String {
    let Some(slot) = slot else {
        return "never".to_owned();
    };
    let at = Timestamp::from_millisecond(slot.at_ms).unwrap().to_zoned(zone(place));
    let adjusted = slot.adjusted.map_or(String::new(), |why| format!(" {why:?}"));
    format!("{}{adjusted}", at.strftime("%F %H:%M%:z"))
}

/// A trigger, a moment, a zone, and when it fires after that.
const MOMENTS: &[(&str, &str, &str, &str)] = &[
    (
        "daily@08:00",
        "2026-11-24T06:59:59Z",
        "Europe/Rome",
        "2026-11-24 08:00+01:00",
    ),
    (
        "daily@08:00",
        "2026-11-24T07:00:00Z",
        "Europe/Rome",
        "2026-11-25 08:00+01:00",
    ),
    (
        "daily@00:00",
        "2026-12-31T22:30:00Z",
        "Europe/Rome",
        "2027-01-01 00:00+01:00",
    ),
    (
        "daily@23:59",
        "2026-11-24T10:00:00Z",
        "Asia/Kathmandu",
        "2026-11-24 23:59+05:45",
    ),
    // The clock skips 02:00 to 03:00 on 29 March 2026, and shows it twice on 25 October.
    (
        "daily@02:30",
        "2026-03-28T12:00:00Z",
        "Europe/Rome",
        "2026-03-29 03:00+02:00 Gap",
    ),
    (
        "daily@02:30",
        "2026-03-29T01:00:00Z",
        "Europe/Rome",
        "2026-03-30 02:30+02:00",
    ),
    (
        "daily@01:30",
        "2026-03-28T12:00:00Z",
        "Europe/London",
        "2026-03-29 02:00+01:00 Gap",
    ),
    (
        "daily@02:30",
        "2026-10-24T12:00:00Z",
        "Europe/Rome",
        "2026-10-25 02:30+02:00 Fold",
    ),
    (
        "daily@02:30",
        "2026-10-25T00:30:00Z",
        "Europe/Rome",
        "2026-10-26 02:30+01:00",
    ),
    // Lord Howe changes by half an hour, Samoa skipped a whole day.
    (
        "daily@02:15",
        "2026-10-03T12:00:00Z",
        "Australia/Lord_Howe",
        "2026-10-04 02:30+11:00 Gap",
    ),
    (
        "daily@00:01",
        "2011-12-29T10:30:00Z",
        "Pacific/Apia",
        "2011-12-31 00:01+14:00",
    ),
    (
        "at:2011-12-30T10:00",
        "2011-12-01T00:00:00Z",
        "Pacific/Apia",
        "2011-12-31 00:00+14:00 Gap",
    ),
    (
        "at:2026-03-29T02:30",
        "2026-01-01T00:00:00Z",
        "Europe/Rome",
        "2026-03-29 03:00+02:00 Gap",
    ),
    ("at:2026-11-25T09:00", "2026-11-25T08:00:00Z", "Europe/Rome", "never"),
    (
        "at:2026-11-25T09:00:00Z",
        "2026-11-25T08:00:00Z",
        "America/Lima",
        "2026-11-25 04:00-05:00",
    ),
    (
        "every_90_seconds",
        "2026-03-29T00:59:00Z",
        "Europe/Rome",
        "2026-03-29 03:00+02:00",
    ),
    (
        "every_12_hours",
        "2026-03-28T20:00:00Z",
        "Europe/Rome",
        "2026-03-29 10:00+02:00",
    ),
    (
        "every_2_days@08:00/2026-11-25",
        "2026-11-01T00:00:00Z",
        "Europe/Rome",
        "2026-11-25 08:00+01:00",
    ),
    (
        "every_2_days@08:00/2026-11-25",
        "2026-11-25T07:00:00Z",
        "Europe/Rome",
        "2026-11-27 08:00+01:00",
    ),
    (
        "every_14_days@08:00/2026-11-23",
        "2026-12-20T00:00:00Z",
        "Europe/Rome",
        "2026-12-21 08:00+01:00",
    ),
    (
        "cron:0 9 * * MON#1",
        "2026-11-24T00:00:00Z",
        "Europe/Rome",
        "2026-12-07 09:00+01:00",
    ),
    (
        "cron:0 9 L * *",
        "2027-02-01T00:00:00Z",
        "Europe/Rome",
        "2027-02-28 09:00+01:00",
    ),
    (
        "cron:0 9 25 12 *",
        "2026-12-25T09:00:00Z",
        "Europe/Rome",
        "2027-12-25 09:00+01:00",
    ),
    ("cron:0 0 30 2 *", "2026-12-25T09:00:00Z", "Europe/Rome", "never"),
    (
        "cron:30 2 * * *",
        "2026-03-28T12:00:00Z",
        "Europe/Rome",
        "2026-03-29 03:00+02:00 Gap",
    ),
    (
        "cron:30 2 * * *",
        "2026-10-25T00:30:00Z",
        "Europe/Rome",
        "2026-10-26 02:30+01:00",
    ),
    // Of every hour: it goes on through the hour that comes twice.
    (
        "cron:*/20 * * * *",
        "2026-10-25T00:40:00Z",
        "Europe/Rome",
        "2026-10-25 02:00+01:00",
    ),
    (
        "cron:*/20 * * * *",
        "2026-10-25T01:00:00Z",
        "Europe/Rome",
        "2026-10-25 02:20+01:00",
    ),
    (
        "cron:*/20 * * * *",
        "2026-10-25T01:40:00Z",
        "Europe/Rome",
        "2026-10-25 03:00+01:00",
    ),
    (
        "cron:*/20 * * * *",
        "2026-03-29T00:40:00Z",
        "Europe/Rome",
        "2026-03-29 03:00+02:00",
    ),
    ("manual", "2026-03-29T00:40:00Z", "Europe/Rome", "never"),
];

#[test]
fn the_next_moment_of_every_trigger() {
    for (trigger, after, place, expected) in MOMENTS {
        let found = shown(next(trigger, after, place), place);
        assert_eq!(found, *expected, "{trigger} after {after} in {place}");
    }
}

#[test]
fn weekdays_narrow_every_trigger() {
    let working = Weekdays::parse("mon,tue,wed,thu,fri").unwrap();
    let rome = zone("Europe/Rome");
    for (trigger, after, expected) in [
        ("daily@08:00", "2026-11-27T07:00:00Z", "2026-11-30 08:00+01:00"),
        ("every_30_minutes", "2026-11-27T22:40:00Z", "2026-11-30 00:00+01:00"),
        (
            "every_2_days@08:00/2026-11-26",
            "2026-11-26T07:00:00Z",
            "2026-11-30 08:00+01:00",
        ),
        ("cron:0 8 * * *", "2026-11-27T07:00:00Z", "2026-11-30 08:00+01:00"),
    ] {
        let slot = Trigger::parse(trigger).unwrap().next_after(ms(after), &rome, working);
        assert_eq!(shown(slot, "Europe/Rome"), expected, "{trigger}");
    }
}

#[test]
fn a_trigger_of_one_moment_knows_it_even_when_it_is_past() {
    let moment = |text: &str| Trigger::parse(text).unwrap().moment(&zone("Europe/Rome"));
    assert_eq!(
        shown(moment("at:2020-01-01T09:00"), "Europe/Rome"),
        "2020-01-01 09:00+01:00"
    );
    assert_eq!(moment("daily@09:00"), None);
}

#[test]
fn of_many_missed_slots_the_latest_counts_and_an_interval_keeps_its_rhythm() {
    let task = |trigger: &str| {
        let trigger = Trigger::parse(trigger).unwrap();
        Task::new(TaskId::from("t"), TaskKind::Alarm, trigger, "Europe/Rome", None, 0)
    };
    for (trigger, due, now, latest, next) in [
        (
            "daily@07:00",
            "2026-11-20T06:00:00Z",
            "2026-11-24T06:05:00Z",
            "2026-11-24T06:00:00Z",
            "2026-11-25T06:00:00Z",
        ),
        (
            "daily@07:00",
            "2026-11-24T06:00:00Z",
            "2026-11-24T06:00:00Z",
            "2026-11-24T06:00:00Z",
            "2026-11-25T06:00:00Z",
        ),
        (
            "every_30_seconds",
            "2026-11-17T00:00:10Z",
            "2026-11-24T00:00:00Z",
            "2026-11-23T23:59:40Z",
            "2026-11-24T00:00:10Z",
        ),
        (
            "cron:0 9 * * MON#1",
            "2026-01-05T08:00:00Z",
            "2026-11-24T00:00:00Z",
            "2026-11-02T08:00:00Z",
            "2026-12-07T08:00:00Z",
        ),
        (
            "at:2026-11-20T07:00",
            "2026-11-20T06:00:00Z",
            "2026-11-24T06:05:00Z",
            "2026-11-20T06:00:00Z",
            "",
        ),
    ] {
        let task = task(trigger);
        assert_eq!(task.latest_slot(ms(due), ms(now)), ms(latest), "{trigger}");
        let following = task.slot_after(ms(due), ms(now)).map(|slot| slot.at_ms);
        assert_eq!(following, (!next.is_empty()).then(|| ms(next)), "{trigger}");
    }
}
