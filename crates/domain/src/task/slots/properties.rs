//! What holds for every trigger in every zone, whatever the clock does there.

use jiff::{Timestamp, civil::Time, tz::TimeZone};
use proptest::prelude::*;

use super::{Adjusted, Slot};
use crate::task::{Trigger, Weekdays};

const ZONES: &[&str] = &[
    "Europe/Rome",
    "Europe/London",
    "Europe/Chisinau",
    "America/New_York",
    "America/Sao_Paulo",
    "America/Santiago",
    "America/St_Johns",
    "America/Havana",
    "America/Asuncion",
    "Australia/Lord_Howe",
    "Australia/Adelaide",
    "Africa/Cairo",
    "Africa/Casablanca",
    "Asia/Kathmandu",
    "Asia/Beirut",
    "Asia/Gaza",
    "Asia/Tehran",
    "Pacific/Apia",
    "Pacific/Auckland",
    "Pacific/Chatham",
    "Antarctica/Troll",
    "UTC",
];
/// From 2000 to 2040.
const MOMENTS_S: std::ops::Range<i64> = 946_684_800..2_208_988_800;

fn zone() -> impl Strategy<Value = TimeZone> {
    prop::sample::select(ZONES).prop_map(|name| TimeZone::get(name).unwrap())
}

/// Any moment, or one within a day and a half of a change of the clock, where everything is decided.
fn moment() -> impl Strategy<Value = (TimeZone, i64)> {
    (zone(), MOMENTS_S, -130_000_i64..130_000, any::<bool>()).prop_map(|(zone, at_s, off_s, is_near)| {
        let at = Timestamp::from_second(at_s).unwrap();
        let change = zone.following(at).next().map(|change| change.timestamp().as_second());
        let near_s = change.map_or(at_s, |change_s| change_s + off_s);
        (zone, 1_000 * if is_near { near_s } else { at_s })
    })
}

fn weekdays() -> impl Strategy<Value = Weekdays> {
    let some = prop::collection::vec(0_i8..7, 0..4);
    some.prop_map(|days| {
        Weekdays::of(
            days.into_iter()
                .map(|day| jiff::civil::Weekday::from_monday_zero_offset(day).unwrap()),
        )
    })
}

fn time() -> impl Strategy<Value = Time> {
    // The hours in which clocks change come often.
    (prop_oneof![0_i8..4, 0_i8..24], 0_i8..60).prop_map(|(hour, minute)| Time::new(hour, minute, 0, 0).unwrap())
}

fn civil(slot: Slot, zone: &TimeZone) -> jiff::civil::DateTime {
    zone.to_datetime(Timestamp::from_millisecond(slot.at_ms).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn a_wall_time_is_shown_by_the_clock_or_was_skipped_by_it(
        (zone, after_ms) in moment(), at in time(), weekdays in weekdays()
    ) {
        let slot = Trigger::Daily(at).next_after(after_ms, &zone, weekdays).unwrap();
        prop_assert!(slot.at_ms > after_ms);
        let shown = civil(slot, &zone);
        let before = zone.to_datetime(Timestamp::from_millisecond(slot.at_ms - 1).unwrap());
        match slot.adjusted {
            None | Some(Adjusted::Fold) => {
                prop_assert_eq!(shown.time(), at);
                prop_assert!(weekdays.allow(shown.date().weekday()));
            }
            // The clock showed an earlier time a moment ago, and shows a later one now.
            Some(Adjusted::Gap) => {
                let mut days = [before.date(), before.date().tomorrow().unwrap()].into_iter();
                prop_assert!(days.any(|day| before < day.to_datetime(at) && day.to_datetime(at) < shown));
            }
        }
        // Of two, the first: no earlier instant of that day shows it.
        let earlier = zone.to_ambiguous_timestamp(shown).earlier().unwrap().as_millisecond();
        prop_assert!(slot.at_ms == earlier || slot.adjusted == Some(Adjusted::Gap));
    }

    #[test]
    fn no_day_is_skipped_and_none_comes_twice((zone, after_ms) in moment(), at in time()) {
        let trigger = Trigger::Daily(at);
        let next = |after_ms: i64| trigger.next_after(after_ms, &zone, Weekdays::default()).unwrap();
        let mut slot = next(after_ms);
        for _ in 0..8 {
            let following = next(slot.at_ms);
            let hours = (following.at_ms - slot.at_ms) / 3_600_000;
            prop_assert!((20..=49).contains(&hours), "{hours} h");
            let days = civil(following, &zone).date().since(civil(slot, &zone).date()).unwrap().get_days();
            // Samoa once skipped a whole day: nothing happens on it.
            prop_assert!((1..=2).contains(&days), "{days} days");
            slot = following;
        }
    }

    #[test]
    fn between_two_moments_there_is_none((zone, after_ms) in moment(), at in time(), part in 0_i64..1_000) {
        for trigger in [
            Trigger::Daily(at),
            Trigger::parse(&format!("cron:{} {} * * *", at.minute(), at.hour())).unwrap(),
            Trigger::parse(&format!("cron:{} */3 * * *", at.minute())).unwrap(),
            Trigger::Days { every: 3, at, from: jiff::civil::date(2010, 1, 1) },
        ] {
            let Some(slot) = trigger.next_after(after_ms, &zone, Weekdays::default()) else { continue };
            let between_ms = after_ms + (slot.at_ms - after_ms - 1) * part / 1_000;
            let again = trigger.next_after(between_ms, &zone, Weekdays::default());
            prop_assert_eq!(again.map(|again| again.at_ms), Some(slot.at_ms), "{}", trigger);
        }
    }

    #[test]
    fn a_pattern_of_one_time_a_day_is_that_time_every_day((zone, after_ms) in moment(), at in time()) {
        let pattern = Trigger::parse(&format!("cron:{} {} * * *", at.minute(), at.hour())).unwrap();
        let daily = Trigger::Daily(at).next_after(after_ms, &zone, Weekdays::default());
        prop_assert_eq!(pattern.next_after(after_ms, &zone, Weekdays::default()), daily);
    }

    #[test]
    fn a_pattern_of_every_hour_has_no_hole_and_no_storm((zone, after_ms) in moment()) {
        let pattern = Trigger::parse("cron:*/10 * * * *").unwrap();
        let mut last_ms = after_ms;
        for _ in 0..20 {
            let slot = pattern.next_after(last_ms, &zone, Weekdays::default()).unwrap();
            let apart_s = (slot.at_ms - last_ms) / 1_000;
            prop_assert!((0..=2_400).contains(&apart_s), "{apart_s} s");
            prop_assert_eq!(civil(slot, &zone).minute() % 10, 0);
            last_ms = slot.at_ms;
        }
    }

    #[test]
    fn an_interval_meets_no_zone((zone, after_ms) in moment(), seconds in 1_u32..1_000_000) {
        let slot = Trigger::Every { seconds }.next_after(after_ms, &zone, Weekdays::default()).unwrap();
        prop_assert_eq!(slot.at_ms - after_ms, i64::from(seconds) * 1_000);
    }

    #[test]
    fn whatever_reads_as_a_trigger_reads_again(text in "(daily@|every_|at:|cron:)[0-9:* _a-z/T-]{0,18}") {
        if let Ok(trigger) = Trigger::parse(&text) {
            prop_assert_eq!(Trigger::parse(&trigger.to_string()), Ok(trigger));
        }
    }
}
