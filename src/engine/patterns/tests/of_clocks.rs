//! Timers, alarms and lists of them: what is read out of a sentence.

use super::*;

#[test]
fn timers_are_read_with_their_amounts_and_labels() {
    for (text, command) in [
        ("remind me in 5 minutes to call Mum", timer(300, Some("call Mum"), true)),
        ("remind me to call Mum in 5 minutes", timer(300, Some("call Mum"), true)),
        ("remind me in 2 hours", timer(7_200, None, true)),
        (
            "ricordami tra 10 minuti di spegnere il forno",
            timer(600, Some("spegnere il forno"), true),
        ),
        ("timer 1h30m", timer(5_400, None, false)),
        ("timer for an hour", timer(3_600, None, false)),
        ("1.5 hours timer", timer(5_400, None, false)),
        ("timer 10 mins", timer(600, None, false)),
        ("set a timer for half an hour", timer(1_800, None, false)),
        ("set a timer for 1 and a 1/2 hours", timer(5_400, None, false)),
        ("start a 5 minute timer named pizza", timer(300, Some("pizza"), false)),
        ("imposta un timer di un'ora e mezza", timer(5_400, None, false)),
        ("timer pasta 8 minuti", timer(480, Some("pasta"), false)),
        (
            "metti un timer da venticinque minuti per la pizza",
            timer(1_500, Some("pizza"), false),
        ),
    ] {
        assert_eq!(read(text), PatternMatch::Hit(Pattern::Command(command)), "{text}");
    }
}

#[test]
fn running_timers_are_changed_and_told_apart() {
    let change = |change, which| Command::ChangeTimer { change, which };
    let of = |name: &str| WhichTimer {
        name: Some(name.to_owned()),
        ..WhichTimer::default()
    };
    let any = WhichTimer::default();
    for (text, command) in [
        ("cancel the timer", change(TimerChange::Cancel, any.clone())),
        ("cancella tutti i timer", change(TimerChange::CancelAll, any.clone())),
        ("stop my pizza timer", change(TimerChange::Cancel, of("pizza"))),
        ("pause timer", change(TimerChange::Pause, any.clone())),
        ("riprendi timer pizza", change(TimerChange::Resume, of("pizza"))),
        (
            "add 5 minutes to pizza timer",
            change(TimerChange::Add(300), of("pizza")),
        ),
        ("togli 5 minuti dal timer", change(TimerChange::Remove(300), any)),
        (
            "stop 5 minute timer",
            change(
                TimerChange::Cancel,
                WhichTimer {
                    seconds: Some(300),
                    ..WhichTimer::default()
                },
            ),
        ),
    ] {
        assert_eq!(read(text), PatternMatch::Hit(Pattern::Command(command)), "{text}");
    }
}

#[test]
fn alarms_keep_the_time_as_it_was_said() {
    let at = |hour, minute| AlarmTime {
        clock: Some((hour, minute)),
        ..AlarmTime::default()
    };
    let tomorrow = |time: AlarmTime| AlarmTime {
        day: Some(Day::In(1)),
        ..time
    };
    for (text, time) in [
        ("wake me at 7", at(7, 0)),
        ("wake me up at 7.30", at(7, 30)),
        ("set the alarm for 6:45am", at(6, 45)),
        ("set alarm for 615am", at(6, 15)),
        ("set an alarm at six in the morning", at(6, 0)),
        ("wake me up at 7 tomorrow", tomorrow(at(7, 0))),
        ("svegliami domani alle sette e mezza", tomorrow(at(7, 30))),
        ("imposta una sveglia per le 5 del pomeriggio", at(17, 0)),
        (
            "set an alarm for monday at 3 am",
            AlarmTime {
                day: Some(Day::Weekday(1)),
                ..at(3, 0)
            },
        ),
        (
            "set alarm on twenty fifth may at five pm",
            AlarmTime {
                day: Some(Day::Date { month: 5, day: 25 }),
                ..at(17, 0)
            },
        ),
        (
            "set an alarm for 7 every weekday",
            AlarmTime {
                recurring: true,
                ..at(7, 0)
            },
        ),
        (
            "imposta una sveglia fra quindici minuti",
            AlarmTime {
                after: Some(900),
                ..AlarmTime::default()
            },
        ),
    ] {
        assert_eq!(
            read(text),
            PatternMatch::Hit(Pattern::Command(Command::SetAlarm(time))),
            "{text}"
        );
    }
}

#[test]
fn alarms_are_taken_back_and_put_off() {
    assert_eq!(
        read("turn off the alarm"),
        PatternMatch::Hit(Pattern::Command(Command::CancelAlarm {
            all: false,
            which: AlarmTime::default()
        }))
    );
    let saturday = AlarmTime {
        day: Some(Day::Weekday(6)),
        ..AlarmTime::default()
    };
    assert_eq!(
        read("cancel my alarm on Saturday"),
        PatternMatch::Hit(Pattern::Command(Command::CancelAlarm {
            all: false,
            which: saturday
        }))
    );
    assert_eq!(
        read("posticipa la sveglia"),
        PatternMatch::Hit(Pattern::Command(Command::SnoozeAlarm { seconds: None }))
    );
}

#[test]
fn what_is_set_is_listed() {
    for (text, what, next) in [
        ("what\u{2019}s my next alarm?", Schedule::Alarms, true),
        ("show me my timers", Schedule::Timers, false),
        ("show all alarms", Schedule::Alarms, false),
        ("what alarms do i have", Schedule::Alarms, false),
        ("what are my reminders", Schedule::Reminders, false),
        ("mostrami i miei promemoria", Schedule::Reminders, false),
        ("che sveglie ho impostato?", Schedule::Alarms, false),
        ("quanto tempo resta sui miei timer", Schedule::Timers, false),
    ] {
        let command = Command::ListSchedules {
            what,
            next,
            day: None,
            which: WhichTimer::default(),
        };
        assert_eq!(read(text), PatternMatch::Hit(Pattern::Command(command)), "{text}");
    }
}
