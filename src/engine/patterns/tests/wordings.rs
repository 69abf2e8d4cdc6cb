//! The wordings P0 reads beside the plain ones: verbs in two parts, politeness and reasons around a command, names and
//! amounts in any order. Every kind has its near misses, which must stay unread.

use std::sync::LazyLock;

use super::*;

fn home() -> Household {
    let area = |name: &str| Area {
        name: name.to_owned(),
        aliases: Vec::new(),
    };
    let device = |name: &str, kind: DeviceKind| Device {
        name: name.to_owned(),
        aliases: Vec::new(),
        kind,
        area: None,
        floor: None,
    };
    let devices = vec![
        device("Ceiling Fan", DeviceKind::Fan),
        device("Thermostat", DeviceKind::Climate),
        device("Front Door", DeviceKind::Lock),
        device("Ventilatore", DeviceKind::Fan),
    ];
    let areas = ["Kitchen", "Bedroom", "Bagno", "Entrata", "Stanza degli ospiti"].map(area);
    Household::new(devices, areas.to_vec(), Vec::new(), Vec::new())
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns::embedded().unwrap());
static HOME: LazyLock<Household> = LazyLock::new(home);

fn read(text: &str) -> PatternMatch {
    PATTERNS.matching(text, &Speaker::host(Lang::EN), &HOME)
}

/// What is done and where, of a command to devices.
fn device(text: &str) -> (Action, String) {
    let PatternMatch::Hit(Pattern::Command(Command::Device(command))) = read(text) else {
        panic!("{text} must be a command to devices: {:?}", read(text));
    };
    let target = command.target;
    let place = target.names.first().or(target.areas.first()).cloned();
    (command.action, place.unwrap_or_default())
}

fn question(text: &str) -> String {
    let PatternMatch::Clarify(question, Some(_)) = read(text) else {
        panic!("{text} must be asked about: {:?}", read(text));
    };
    question.key.as_str().to_owned()
}

#[test]
fn verbs_in_two_parts_are_one_verb() {
    for (text, action, place) in [
        ("shut the ceiling fan off", Action::Off, "Ceiling Fan"),
        ("get the kitchen lights going", Action::On, "Kitchen"),
        ("flip the kitchen lights off", Action::Off, "Kitchen"),
        ("would you mind turning the bedroom lights on", Action::On, "Bedroom"),
        ("le luci dell'entrata spegnile", Action::Off, "Entrata"),
        ("puoi spegnermi la luce in bagno", Action::Off, "Bagno"),
        ("fai partire il ventilatore", Action::On, "Ventilatore"),
        ("stop the ceiling fan", Action::Off, "Ceiling Fan"),
    ] {
        assert_eq!(device(text), (action, place.to_owned()), "{text}");
    }
    for text in [
        "stop the kitchen lights",
        "turn it off",
        "spegnila",
        "shut the front door",
    ] {
        assert_eq!(read(text), PatternMatch::Miss, "{text}");
    }
}

#[test]
fn a_reason_beside_a_command_changes_nothing_but_the_place() {
    for (text, action, place) in [
        (
            "turn the kitchen lights off, I'm going to sleep",
            Action::Off,
            "Kitchen",
        ),
        ("nobody is in the bedroom, turn off the lights", Action::Off, "Bedroom"),
        ("you left the kitchen lights on turn them off", Action::Off, "Kitchen"),
        (
            "it is way too dark in the kitchen put the light on",
            Action::On,
            "Kitchen",
        ),
        ("spegni le luci in bagno, andiamo a dormire", Action::Off, "Bagno"),
        ("in bagno fa freddo spegni la luce", Action::Off, "Bagno"),
        ("non c'è nessuno in bagno, spegni la luce", Action::Off, "Bagno"),
        (
            "nella stanza degli ospiti accendi la luce",
            Action::On,
            "Stanza degli ospiti",
        ),
    ] {
        assert_eq!(device(text), (action, place.to_owned()), "{text}");
    }
    assert!(matches!(
        read("set the alarm for eight so I don't miss the bus"),
        PatternMatch::Hit(Pattern::Command(Command::SetAlarm(_)))
    ));
}

#[test]
fn what_only_looks_like_a_reason_is_not_left_out() {
    for text in [
        "it's a shame to turn off the lights",
        "I don't want you to turn on the lights",
        "it's dark, don't turn on the lights",
        "did somebody leave the kitchen lights on",
        "I can't turn on the lights",
        "devo accendere la luce",
        "turn on the lights, the radio and the tv",
        "turn off the lights, it's after the movie",
        "I'm going to the bedroom, turn off the lights",
        "turn on the kitchen lights, I'm starting a timer for ten minutes",
    ] {
        assert!(
            !matches!(read(text), PatternMatch::Hit(_) | PatternMatch::Clarify(..)),
            "{text}: {:?}",
            read(text)
        );
    }
}

#[test]
fn timers_are_set_in_any_order_of_words() {
    for (text, seconds, label) in [
        ("kick off a timer for 6 minutes", 360, None),
        ("count down from five minutes", 300, None),
        ("time me for 30 seconds", 30, None),
        ("put ten minutes on a timer named tea", 600, Some("tea")),
        ("start a second timer for 4 minutes", 240, None),
        ("set a timer of 1 hour 20", 4_800, None),
        ("half a minute timer please", 30, None),
        ("fammi un timer per la lavatrice di 50 minuti", 3_000, Some("lavatrice")),
        ("vorrei un timer di un'ora e dieci", 4_200, None),
        ("metti dodici minuti di timer", 720, None),
        ("parti con un timer di quaranta secondi", 40, None),
        ("timer di un'ora e mezza per favore", 5_400, None),
        ("metti il timer della pasta a 9 minuti", 540, Some("pasta")),
    ] {
        let command = Command::SetTimer {
            seconds,
            label: label.map(str::to_owned),
            reminds: false,
        };
        assert_eq!(read(text), PatternMatch::Hit(Pattern::Command(command)), "{text}");
    }
    let pizza = WhichTimer {
        name: Some("pizza".to_owned()),
        ..WhichTimer::default()
    };
    for (text, change) in [
        ("give the pizza timer another 10 minutes", TimerChange::Add(600)),
        ("knock 3 minutes off the pizza timer", TimerChange::Remove(180)),
        ("forget the pizza timer", TimerChange::Cancel),
        ("il timer della pizza puoi toglierlo", TimerChange::Cancel),
        ("put the pizza timer on hold", TimerChange::Pause),
    ] {
        let which = pizza.clone();
        let command = Command::ChangeTimer { change, which };
        assert_eq!(read(text), PatternMatch::Hit(Pattern::Command(command)), "{text}");
    }
}

#[test]
fn alarms_are_read_with_spoken_times() {
    for (text, clock) in [
        ("wake me at ten to seven", (6, 50)),
        ("set an alarm for twenty past eight", (8, 20)),
        ("alarm at half six", (6, 30)),
        ("wake me up five minutes to eight", (7, 55)),
        ("alarm at 6 30", (6, 30)),
        ("give me a wake up call at six fifteen", (6, 15)),
        ("sveglia alle sette meno dieci", (6, 50)),
        ("nuova sveglia ore 8 e 05", (8, 5)),
        ("vorrei essere svegliato alle otto", (8, 0)),
        ("regola la sveglia sulle 6 e 20", (6, 20)),
    ] {
        let time = AlarmTime {
            clock: Some(clock),
            ..AlarmTime::default()
        };
        assert_eq!(
            read(text),
            PatternMatch::Hit(Pattern::Command(Command::SetAlarm(time))),
            "{text}"
        );
    }
    for text in [
        "set alarms for 6 and 6:15 am",
        "sveglia il martedì e il giovedì alle sette",
    ] {
        assert_eq!(question(text), "pattern-alarm-one", "{text}");
    }
}

#[test]
fn what_is_set_is_listed_in_more_words() {
    for (text, what) in [
        ("how long until the timer goes off", Schedule::Timers),
        ("fra quanto suona il timer", Schedule::Timers),
        ("how are my timers doing", Schedule::Timers),
        ("show the alarms for this week", Schedule::Alarms),
        ("read my reminders out loud", Schedule::Reminders),
        ("ho già una sveglia?", Schedule::Alarms),
        ("che promemoria ho", Schedule::Reminders),
        ("give me my reminders", Schedule::Reminders),
    ] {
        let command = Command::ListSchedules {
            what,
            next: false,
            day: None,
            which: WhichTimer::default(),
        };
        assert_eq!(read(text), PatternMatch::Hit(Pattern::Command(command)), "{text}");
    }
}

#[test]
fn a_device_of_a_known_kind_and_an_unknown_name_is_asked_about() {
    for text in [
        "turn the heater plug off",
        "accendi la presa della stufetta",
        "switch on the fairy lanterns light",
    ] {
        assert_eq!(question(text), "pattern-device-unknown", "{text}");
    }
    for text in ["put on blinding lights", "play light my fire", "turn on the radio"] {
        assert_eq!(read(text), PatternMatch::Miss, "{text}");
    }
}

#[test]
fn near_misses_of_clocks_and_devices_stay_unread() {
    for text in [
        "add a kitchen timer to the wish list",
        "put buy an alarm clock on my to do list",
        "the alarm woke me at six",
        "my timer is for ten minutes",
        "what is a timer",
        "set the alarm to vibrate",
        "add ten minutes to the alarm",
        "turn on the alarm system",
        "turn the thermostat down to 18",
        "do i need a new alarm clock",
        "il timer del forno è rotto",
        "la luce in bagno è accesa",
        "aggiungi un timer alla lista della spesa",
        "a che ora ti svegli",
        "one hundred and five",
        "240 percento",
        "at 1030",
    ] {
        assert!(
            !matches!(read(text), PatternMatch::Hit(_) | PatternMatch::Clarify(..)),
            "{text}: {:?}",
            read(text)
        );
    }
    // Taken off is taken back, not set.
    assert!(matches!(
        read("take the seven o'clock alarm off"),
        PatternMatch::Hit(Pattern::Command(Command::CancelAlarm { .. }))
    ));
}
