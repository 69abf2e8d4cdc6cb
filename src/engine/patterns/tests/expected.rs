//! The table of expectations, row by row: what must be hit, asked about, left to the planner, and never done.

use super::*;

/// What is to come of a sentence.
#[derive(Debug, PartialEq)]
enum Want {
    /// Hit, as this.
    Hit(Pattern),
    /// Asked about, with this sentence.
    Ask(&'static str),
    /// Left to the next layers: later, under a condition, or about something else.
    Left,
}

fn got(text: &str, household: &Household) -> Want {
    match PATTERNS.matching(text, &Speaker::host(Lang::EN), household) {
        PatternMatch::Hit(pattern) => Want::Hit(pattern),
        PatternMatch::Clarify(question, _) => {
            let known = ASKED.iter().find(|key| **key == question.key.as_str());
            Want::Ask(known.unwrap_or_else(|| panic!("{text}: {question:?}")))
        }
        PatternMatch::Decline(_) | PatternMatch::Miss => Want::Left,
        refused @ PatternMatch::Refuse(_) => panic!("{text}: {refused:?}"),
    }
}

const ASKED: &[&str] = &[
    "pattern-timer-range",
    "pattern-alarm-range",
    "pattern-alarm-or-device",
    "pattern-device-percent",
    "pattern-device-which",
    "pattern-device-everything",
    "pattern-device-unlock",
    "pattern-device-unknown",
    "pattern-watcher-which",
];

fn set(seconds: u64, label: Option<&str>, reminds: bool) -> Want {
    Want::Hit(Pattern::Command(timer(seconds, label, reminds)))
}

fn done(action: Action, target: Target) -> Want {
    Want::Hit(Pattern::Command(on(action, target)))
}

fn check(rows: &[(&str, Want)], household: &Household) {
    for (text, want) in rows {
        assert_eq!(got(text, household), *want, "{text}");
    }
}

#[test]
fn timers() {
    let mum = || set(300, Some("call Mum"), true);
    check(
        &[
            ("remind me in 5 minutes to call Mum", mum()),
            (
                "ricordami tra 5 minuti di chiamare Mum",
                set(300, Some("chiamare Mum"), true),
            ),
            ("timer 1h30m", set(5_400, None, false)),
            ("timer for an hour", set(3_600, None, false)),
            ("timer 1.5 hours", set(5_400, None, false)),
            ("timer 10 mins", set(600, None, false)),
            ("remind me in 2 months to renew", Want::Left),
            ("set timer 0s", Want::Ask("pattern-timer-range")),
            ("set timer 99999999999 hours", Want::Ask("pattern-timer-range")),
            ("don't set a timer for 5 minutes", Want::Left),
            ("set a timer for 5 minutes and turn off the lights", Want::Left),
            ("imposta un timer di 5 minuti e spegni le luci", Want::Left),
        ],
        &HOME,
    );
}

#[test]
fn alarms() {
    let cancel = || {
        Want::Hit(Pattern::Command(Command::CancelAlarm {
            all: false,
            which: AlarmTime::default(),
        }))
    };
    check(
        &[
            ("wake me at 25", Want::Ask("pattern-alarm-range")),
            ("wake me at 7:75", Want::Ask("pattern-alarm-range")),
            ("wake me at 13pm", Want::Ask("pattern-alarm-range")),
            ("turn off the alarm", cancel()),
            ("spegni la sveglia", cancel()),
            (
                "what\u{2019}s my next alarm?",
                Want::Hit(Pattern::Command(Command::ListSchedules {
                    what: Schedule::Alarms,
                    next: true,
                    day: None,
                    which: WhichTimer::default(),
                })),
            ),
        ],
        &HOME,
    );
    let alarmed = Household::new(
        vec![device("Alarm", DeviceKind::Switch, None)],
        Vec::new(),
        Vec::new(),
        Vec::new(),
    );
    check(
        &[("turn off the alarm", Want::Ask("pattern-alarm-or-device"))],
        &alarmed,
    );
}

#[test]
fn devices() {
    let lamp = |name: &str| Target {
        kind: Some(DeviceKind::Lamp),
        ..named(name)
    };
    let bedroom = || in_room(DeviceKind::Light, "Bedroom");
    let kitchen = || done(Action::Off, in_room(DeviceKind::Light, "Kitchen"));
    check(
        &[
            ("turn off the lights at 10pm", Want::Left),
            ("turn off the oven when i leave", Want::Left),
            ("switch off the kitchen light", kitchen()),
            ("turn the kitchen lights off", kitchen()),
            ("dim the bedroom to 30 percent", done(Action::Level(30), bedroom())),
            ("dim the bedroom to 150%", Want::Ask("pattern-device-percent")),
            ("dim the bedroom by 20%", done(Action::Dimmer(Some(20)), bedroom())),
            ("turn on the lamp", done(Action::On, lamp("Reading Lamp"))),
            ("turn off everything", Want::Ask("pattern-device-everything")),
            ("unlock the front door", Want::Ask("pattern-device-unlock")),
            ("turn off the front door lock", Want::Ask("pattern-device-unlock")),
            ("open the front door lock", Want::Ask("pattern-device-unlock")),
            ("lock the front door", done(Action::Lock, named("Front Door"))),
            ("turn on the zorb lamp", Want::Ask("pattern-device-unknown")),
            ("accendi la lampada del drago", Want::Ask("pattern-device-unknown")),
            ("switch the meeting to friday", Want::Left),
            ("turn on do not disturb", Want::Left),
        ],
        &HOME,
    );
    // From nowhere in particular it can be either lamp; with one lamp at home there is no question.
    let nowhere = Household::new(HOME.devices().to_vec(), Vec::new(), Vec::new(), Vec::new());
    check(&[("turn on the lamp", Want::Ask("pattern-device-which"))], &nowhere);
    let one = Household::new(
        vec![
            device("Floor Lamp", DeviceKind::Lamp, None),
            device("Fan", DeviceKind::Fan, None),
        ],
        Vec::new(),
        Vec::new(),
        Vec::new(),
    );
    check(
        &[
            ("turn on the lamp", done(Action::On, lamp("Floor Lamp"))),
            ("turn on the desk lamp", Want::Ask("pattern-device-unknown")),
        ],
        &one,
    );
}

#[test]
fn everything_is_counted() {
    let PatternMatch::Clarify(question, _) = read("turn off everything") else {
        panic!("it must be asked about");
    };
    assert_eq!(question.args.get("count"), Some(&5_usize.into()));
}

#[test]
fn autonomy_and_watchers() {
    check(
        &[
            ("how do i set autonomy to a4?", Want::Left),
            ("set autonomy to a1", Want::Hit(Pattern::SetAutonomy(Autonomy::A1))),
            ("stop the watcher", Want::Ask("pattern-watcher-which")),
        ],
        &HOME,
    );
}

/// When "wake me at …" rings, said at these times in Rome.
#[test]
fn the_next_seven_is_the_next_time_the_clock_shows_it() {
    use crate::engine::patterns::contract::rings_at;
    for (now, text, rings) in [
        ("2026-05-04T06:59", "wake me at 7", "2026-05-04T07:00+02:00"),
        ("2026-05-04T07:00", "wake me at 7", "2026-05-05T07:00+02:00"),
        ("2026-12-31T22:00", "wake me at 7", "2027-01-01T07:00+01:00"),
        // The clock goes forward in the night of the 29th of March: 02:30 is skipped.
        ("2026-03-28T22:00", "wake me at 7", "2026-03-29T07:00+02:00"),
        ("2026-03-28T22:00", "wake me at 2:30", "2026-03-29T03:30+02:00"),
        // It goes back in the night of the 25th of October: 02:30 comes twice.
        ("2026-10-24T22:00", "wake me at 7", "2026-10-25T07:00+01:00"),
        ("2026-10-24T22:00", "wake me at 2:30", "2026-10-25T02:30+02:00"),
        ("2026-10-25T02:45", "wake me at 2:30", "2026-10-25T02:30+01:00"),
        ("2026-05-04T12:00", "wake me up at 7 tomorrow", "2026-05-05T07:00+02:00"),
        (
            "2026-05-04T12:00",
            "set an alarm for monday at 3 am",
            "2026-05-11T03:00+02:00",
        ),
        (
            "2026-05-04T02:00",
            "set an alarm for monday at 3 am",
            "2026-05-04T03:00+02:00",
        ),
        (
            "2026-05-26T12:00",
            "set alarm on twenty fifth may at five pm",
            "2027-05-25T17:00+02:00",
        ),
        (
            "2026-05-04T23:50",
            "imposta una sveglia fra quindici minuti",
            "2026-05-05T00:05+02:00",
        ),
        ("2026-05-04T12:00", "wake me today at 7", ""),
    ] {
        let PatternMatch::Hit(Pattern::Command(Command::SetAlarm(time))) = read(text) else {
            panic!("{text}: {:?}", read(text));
        };
        let now: jiff::civil::DateTime = now.parse().unwrap();
        let zone = jiff::tz::TimeZone::get("Europe/Rome").unwrap();
        let rung = rings_at(&time, &now.to_zoned(zone).unwrap());
        let shown = rung.map(|at| at.strftime("%Y-%m-%dT%H:%M%:z").to_string());
        assert_eq!(shown.unwrap_or_default(), rings, "{text} at {now}");
    }
}
