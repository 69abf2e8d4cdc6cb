//! Rules against the calendar they are made of: every instant they give obeys them, in order and within bounds.

use jiff::civil::DateTime;
use proptest::prelude::*;

use super::Rule;

fn first(rule: &str, start: &str, most: usize) -> Vec<String> {
    let rule: Rule = rule.parse().unwrap();
    let start: DateTime = start.parse().unwrap();
    rule.instances(start, None)
        .take(most)
        .map(|at| at.to_string())
        .collect()
}

#[test]
fn a_rule_that_never_comes_ends_by_itself() {
    assert!(first("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "2026-01-01T00:00:00", 1).is_empty());
    assert!(first("FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30", "2026-01-01T00:00:00", 1).is_empty());
}

#[test]
fn what_is_no_rule_is_refused() {
    for text in [
        "",
        "FREQ=NEVER",
        "FREQ=DAILY;BYMONTH=13",
        "FREQ=DAILY;BYDAY=XX",
        "FREQ=DAILY;UNTIL=soon",
        "RSCALE=HEBREW;FREQ=DAILY",
    ] {
        assert!(text.parse::<Rule>().is_err(), "{text}");
    }
}

#[test]
fn going_to_a_window_gives_what_following_from_the_start_gives() {
    let from: DateTime = "2031-05-17T10:00:00".parse().unwrap();
    for rule in [
        "FREQ=DAILY;INTERVAL=3",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;WKST=SU",
        "FREQ=MONTHLY;INTERVAL=5;BYDAY=-1FR",
        "FREQ=YEARLY;INTERVAL=3;BYWEEKNO=20",
        "FREQ=HOURLY;INTERVAL=7",
        "FREQ=MINUTELY;INTERVAL=45;BYHOUR=8,9",
    ] {
        let rule: Rule = rule.parse().unwrap();
        let start: DateTime = "2026-01-05T08:30:00".parse().unwrap();
        let followed = rule.instances(start, None).skip_while(|at| *at < from).take(20);
        let gone_to = rule.instances(start, Some(from)).skip_while(|at| *at < from).take(20);
        assert_eq!(followed.collect::<Vec<_>>(), gone_to.collect::<Vec<_>>(), "{rule}");
    }
}

proptest! {
    #[test]
    fn a_rule_is_read_back_as_it_was_written(text in "FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(;INTERVAL=[1-9])?(;BYDAY=-?[1-4](MO|SU),FR)?(;BYMONTHDAY=-?[1-9])?(;WKST=SU)?(;COUNT=[1-9])?") {
        let rule: Rule = text.parse().unwrap();
        prop_assert_eq!(rule.to_string().parse::<Rule>().unwrap(), rule);
    }

    #[test]
    fn whatever_is_written_instances_come_in_order(text in "FREQ=(SECONDLY|MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY);(BY(DAY|MONTH|MONTHDAY|SETPOS|HOUR|WEEKNO|YEARDAY)=-?[0-9]{1,2}(MO|TU)?;?){0,4}") {
        if let Ok(rule) = text.parse::<Rule>() {
            let start: DateTime = "2026-02-28T23:59:59".parse().unwrap();
            let all: Vec<DateTime> = rule.instances(start, None).take(30).collect();
            prop_assert!(all.is_sorted());
            prop_assert!(all.iter().all(|at| *at >= start));
        }
    }
}
