//! Commands that are nearly another one: by so much and to so much, all but one, two at once, and what only asks.

use super::*;

#[test]
fn by_so_much_is_not_to_so_much() {
    let kitchen = || in_room(DeviceKind::Light, "Kitchen");
    for (text, action, target) in [
        (
            "abbassa la lampada camera del 20%",
            Action::Dimmer(Some(20)),
            named("Lampada Camera"),
        ),
        (
            "alza del 10% la lampada camera",
            Action::Brighter(Some(10)),
            named("Lampada Camera"),
        ),
        (
            "make the kitchen lights 20% brighter",
            Action::Brighter(Some(20)),
            kitchen(),
        ),
        ("dim the kitchen lights to 20%", Action::Level(20), kitchen()),
    ] {
        let command = on(action, target);
        assert_eq!(read(text), PatternMatch::Hit(Pattern::Command(command)), "{text}");
    }
    let PatternMatch::Clarify(question, Some(_)) = read("set the kitchen lights to -5%") else {
        panic!("nothing is darker than off");
    };
    assert_eq!(question.key.as_str(), "pattern-device-percent");
}

#[test]
fn nothing_is_done_to_what_is_left_out_or_only_asked_about() {
    for text in [
        "cancella tutti i timer meno quello della pizza",
        "cancel all alarms except 7 am",
        "cancella tutte le sveglie tranne quella delle 7",
        "smettila di accendere le luci",
        "quit turning on the fan",
        "cancella la sveglia delle 7 e mettine una alle 8",
    ] {
        assert!(
            matches!(read(text), PatternMatch::Decline(_)),
            "{text}: {:?}",
            read(text)
        );
    }
    for text in [
        "do we have lights on in the kitchen",
        "are there any lights on in the kitchen",
        "metti la cucina rossa e il soggiorno blu",
        "set the reading lamp to red at 50%",
        "turn off the smoke alarm",
        "set a timer for 5 to 10 minutes",
        "timer di 5 o 10 minuti",
        "timer un'ora meno cinque minuti",
    ] {
        assert_eq!(read(text), PatternMatch::Miss, "{text}");
    }
}

#[test]
fn amounts_and_hours_are_taken_as_people_say_them() {
    let alarm = |clock: Option<(u8, u8)>, after: Option<u64>, recurring: bool| {
        Command::SetAlarm(AlarmTime {
            clock,
            after,
            recurring,
            ..AlarmTime::default()
        })
    };
    let timer = |seconds: u64, label: Option<&str>| Command::SetTimer {
        seconds,
        label: label.map(str::to_owned),
        reminds: false,
    };
    let more = |seconds: u64| Command::ChangeTimer {
        change: TimerChange::Add(seconds),
        which: WhichTimer::default(),
    };
    for (text, command) in [
        ("svegliami ogni sera alle 8", alarm(Some((20, 0)), None, true)),
        ("sveglia ogni weekend alle 9", alarm(Some((9, 0)), None, true)),
        ("metti la sveglia tra un'ora", alarm(None, Some(3600), false)),
        ("set an alarm for ten to noon", alarm(Some((11, 50)), None, false)),
        ("sveglia a mezzanotte e mezza", alarm(Some((0, 30)), None, false)),
        ("sveglia alle otto e tre quarti", alarm(Some((8, 45)), None, false)),
        (
            "posticipa la sveglia di dieci minuti",
            Command::SnoozeAlarm { seconds: Some(600) },
        ),
        ("make the timer 5 minutes longer", more(300)),
        ("put two more minutes on the timer", more(120)),
        ("timer 2 minuti e 30", timer(150, None)),
        ("metti il timer per la pizza, 15 minuti", timer(900, Some("pizza"))),
        ("timer per il tè 4 minuti", timer(240, Some("tè"))),
    ] {
        assert_eq!(read(text), PatternMatch::Hit(Pattern::Command(command)), "{text}");
    }
}
