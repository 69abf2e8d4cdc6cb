//! A year of a thousand tasks in many zones, with restarts and days without power: nothing is lost, nothing comes
//! twice, and every wall time is right. What is right is said here in another way than the scheduler finds it: a moment
//! is the first instant of its day whose clock shows the time or, where the clock skipped it, a later one.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use jiff::{
    Timestamp, ToSpan as _,
    civil::{Date, DateTime, Time, Weekday},
    tz::TimeZone,
};
use metnos::{
    clock::Clock,
    domain::{
        ids::{ActorId, TaskId},
        task::{Task, TaskKind, Trigger, Weekdays},
    },
};

use super::{OWNER, TestHands, started, store_in};

const TASKS: usize = 1_000;
const RESTARTS: usize = 60;
const ZONES: [&str; 12] = [
    "Europe/Rome",
    "Europe/London",
    "America/New_York",
    "America/Santiago",
    "America/St_Johns",
    "Australia/Lord_Howe",
    "Africa/Cairo",
    "Asia/Kathmandu",
    "Asia/Tehran",
    "Pacific/Auckland",
    "Pacific/Chatham",
    "UTC",
];

/// Small numbers that look random; the same seed gives the same ones.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn small(&mut self, limit: u64) -> i8 {
        i8::try_from(self.below(limit)).unwrap()
    }
}

fn start() -> Timestamp {
    "2026-01-01T00:00:00Z".parse().unwrap()
}

fn end() -> Timestamp {
    "2027-01-01T00:00:00Z".parse().unwrap()
}

/// Its wall times, as days and one time of day.
struct Wanted {
    days: Vec<Date>,
    at: Time,
    zone: TimeZone,
}

/// Reminders of all shapes, most of them once; many in the hours in which clocks change.
fn invented(number: usize, dice: &mut Dice) -> (Task, Wanted) {
    let zone = ZONES[usize::try_from(dice.below(12)).unwrap()];
    let hour = if dice.below(3) == 0 {
        dice.small(4)
    } else {
        dice.small(24)
    };
    let at = Time::new(hour, 15 * dice.small(4), 0, 0).unwrap();
    let known = TimeZone::get(zone).unwrap();
    let year: Vec<Date> = Date::new(2025, 12, 31).unwrap().series(1.day()).take(372).collect();
    let clock = format!("{:02}:{:02}", at.hour(), at.minute());
    let mut weekdays = Weekdays::default();
    let (trigger, days) = match dice.below(200) {
        0 => (format!("daily@{clock}"), year),
        1..8 => {
            let day = Weekday::from_monday_zero_offset(dice.small(7)).unwrap();
            weekdays = Weekdays::of([day]);
            (
                format!("daily@{clock}"),
                year.into_iter().filter(|date| date.weekday() == day).collect(),
            )
        }
        8..40 => {
            let day = dice.small(28) + 1;
            let days = year.into_iter().filter(|date| date.day() == day).collect();
            (format!("cron:{} {} {day} * *", at.minute(), at.hour()), days)
        }
        40..50 => {
            let from = Date::new(2026, 1, 1).unwrap();
            let days = year
                .into_iter()
                .filter(|date| *date >= from && date.since(from).unwrap().get_days() % 30 == 0);
            (format!("every_30_days@{clock}/{from}"), days.collect())
        }
        _ => {
            let day = year[usize::try_from(dice.below(364)).unwrap() + 2];
            (format!("at:{}", day.to_datetime(at)), vec![day])
        }
    };
    let mut task = Task::new(
        TaskId::from(format!("t{number}")),
        TaskKind::Reminder,
        Trigger::parse(&trigger).unwrap(),
        zone,
        None,
        0,
    );
    task.weekdays = weekdays;
    task.owner = Some(ActorId::from(OWNER));
    let first = task.trigger.next_after(start().as_millisecond() - 1, &known, weekdays);
    task.due_ms = first.map(|slot| slot.at_ms);
    (task, Wanted { days, at, zone: known })
}

/// The first instant whose clock shows that time or, later on that day, one after it.
fn right(day: Date, at: Time, zone: &TimeZone) -> i64 {
    let wall = day.to_datetime(at);
    let shows = |ms: i64| -> DateTime { zone.to_datetime(Timestamp::from_millisecond(ms).unwrap()) };
    // Every time here and every change of a clock falls on a quarter of an hour; from well before any clock shows it.
    let from = wall.to_zoned(TimeZone::UTC).unwrap().timestamp().as_millisecond() - 15 * 3_600_000;
    let quarter = (0..30 * 4).find(|quarter| shows(from + quarter * 900_000) >= wall);
    from + quarter.unwrap() * 900_000
}

#[tokio::test]
async fn a_year_of_a_thousand_tasks_loses_nothing_doubles_nothing_and_is_on_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice(0x5EED_2026);
    let clock = Clock::fixed(start());
    let mut store = store_in(folder.path()).await;
    let mut wanted = BTreeMap::new();
    for number in 0..TASKS {
        let (task, wants) = invented(number, &mut dice);
        wanted.insert(task.id.clone(), wants);
        store.task_add(task, None, 0).await.unwrap();
    }
    let year_s = u64::try_from(end().duration_since(start()).as_secs()).unwrap();
    let mut outages: Vec<u64> = (0..RESTARTS).map(|_| dice.below(year_s)).collect();
    outages.sort_unstable();
    let mut dark = Vec::new();
    let hands = Arc::new(TestHands::default());
    let (mut scheduler, _) = started(&store, &clock, &hands).await;
    for outage in outages.into_iter().map(Some).chain([None]) {
        let until = outage.map_or(end(), |at| start() + Duration::from_secs(at));
        while let Some(next_ms) = scheduler
            .step()
            .await
            .unwrap()
            .filter(|next_ms| *next_ms <= until.as_millisecond())
        {
            advance_to(&clock, next_ms);
        }
        advance_to(&clock, until.as_millisecond());
        // The process ends; half of the time it is back at once, otherwise after up to three days.
        let off_s = if dice.below(2) == 0 { 0 } else { dice.below(3 * 86_400) };
        let from_ms = clock.now_ms();
        clock.advance(Duration::from_secs(off_s));
        dark.push((from_ms, clock.now_ms()));
        store = store_in(folder.path()).await;
        (scheduler, _) = started(&store, &clock, &hands).await;
    }
    scheduler.step().await.unwrap();
    let fired = super::column(folder.path(), "SELECT id FROM task_runs WHERE state = 'done'");
    assert_eq!(
        super::column(folder.path(), "SELECT count(*) || '' FROM outbox"),
        [fired.len().to_string()]
    );
    let started_at = super::column(folder.path(), "SELECT id || ' ' || started_at FROM task_runs");
    compare(&wanted, &dark, &started_at, clock.now_ms());
}

fn advance_to(clock: &Clock, at_ms: i64) {
    let by_ms = at_ms.saturating_sub(clock.now_ms());
    clock.advance(Duration::from_millis(u64::try_from(by_ms).unwrap_or_default()));
}

/// Every wanted moment fired at that very instant or, when it lay in the dark, the latest of them right after it.
fn compare(wanted: &BTreeMap<TaskId, Wanted>, dark: &[(i64, i64)], started_at: &[String], now_ms: i64) {
    let mut fired: BTreeMap<&str, BTreeMap<i64, i64>> = BTreeMap::new();
    for run in started_at {
        let (id, at) = run.split_once(' ').unwrap();
        let (task, slot) = id.split_once(':').unwrap();
        let before = fired
            .entry(task)
            .or_default()
            .insert(slot.parse().unwrap(), at.parse().unwrap());
        assert_eq!(before, None, "{id} fired twice");
    }
    let mut checked = 0;
    for (id, wants) in wanted {
        let slots: BTreeSet<i64> = wants
            .days
            .iter()
            .map(|day| right(*day, wants.at, &wants.zone))
            .collect();
        let slots: Vec<i64> = slots
            .into_iter()
            .filter(|slot| (start().as_millisecond()..=now_ms).contains(slot))
            .collect();
        let mut expected = BTreeMap::new();
        for (place, slot) in slots.iter().enumerate() {
            let outage = dark.iter().find(|(from, to)| from < slot && slot <= to);
            let next_too = slots
                .get(place + 1)
                .is_some_and(|next| outage.is_some_and(|(_, to)| next <= to));
            if !next_too {
                expected.insert(*slot, outage.map_or(*slot, |(_, to)| *to));
            }
        }
        checked += expected.len();
        let found = fired.remove(id.as_str()).unwrap_or_default();
        assert_eq!(found, expected, "{id} at {} in {:?}", wants.at, wants.zone.iana_name());
    }
    assert!(fired.is_empty(), "nobody wanted these: {fired:?}");
    assert!(checked > 5_000, "{checked}");
}
