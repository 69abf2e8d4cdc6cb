//! What takes more than a sentence and the command it is: when an alarm rings, which change is named, what is asked
//! besides, and who needs to be granted what.

use super::{undo::Described, *};
use crate::{
    domain::{actor::Autonomy, verdict::Risk},
    engine::patterns::{
        contract::rings_at,
        trust::{Scope, risk},
    },
};

#[test]
fn everything_is_counted() {
    let PatternMatch::Clarify(question, _) = read("turn off everything") else {
        panic!("it must be asked about");
    };
    assert_eq!(question.args.get("count"), Some(&5_usize.into()));
}

/// When "wake me at …" rings, said at these times in Rome.
#[test]
fn the_next_seven_is_the_next_time_the_clock_shows_it() {
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

#[test]
fn a_named_undo_fits_only_the_change_that_it_names() {
    let list = Described::new(
        "add tea to the shopping list",
        ["/home/u/notes/shopping.txt"].into_iter(),
        vec!["write".to_owned()],
    );
    let moved = Described::new(
        "sposta a.tmp dai download nei documenti",
        ["/home/u/Downloads/a.tmp", "/home/u/docs/a.tmp"].into_iter(),
        vec!["move".to_owned()],
    );
    for (text, of_list, of_move, about) in [
        ("undo the shopping list change", true, false, true),
        ("undo adding tea", true, false, true),
        ("undo last change to shopping.txt", true, false, true),
        ("undo moving a.tmp", false, true, true),
        ("undo moving b.tmp", false, false, true),
        ("annulla lo spostamento di a.tmp", false, true, true),
        ("annulla lo spostamento", false, true, true),
        ("ripristina a.tmp", false, true, false),
        ("ripristina docs/a.tmp", false, true, false),
        ("undo the deletion of a.tmp", false, false, true),
        ("undo the first one", false, false, true),
        ("undo yesterday's changes", false, false, true),
        ("undo the last two days", false, false, true),
        ("annulla il volo", false, false, false),
        ("ripristina il telefono", false, false, false),
        ("annulla l'abbonamento", false, false, false),
    ] {
        let meant = PATTERNS.matching(text, &Speaker::host(Lang::IT), &Household::default());
        let PatternMatch::Hit(Pattern::UndoNamed(named)) = meant else {
            panic!("{text}: {meant:?}");
        };
        let seen = (named.fits(&list), named.fits(&moved), named.is_about_changes());
        assert_eq!(seen, (of_list, of_move, about), "{text}");
    }
}

#[test]
fn every_intent_of_the_contract_has_its_scope_and_risk() {
    for (text, scope, least) in [
        ("set a timer for 5 minutes", Scope::SchedulerWrite, Risk::Low),
        ("wake me at 7", Scope::SchedulerWrite, Risk::Low),
        ("show me my timers", Scope::SchedulerRead, Risk::Low),
        ("turn on the floor lamp", Scope::DeviceControl, Risk::Low),
        ("turn off the lights in the kitchen", Scope::DeviceControl, Risk::Low),
        ("turn off the bedroom lights", Scope::DeviceControl, Risk::Low),
        ("lock the front door", Scope::DeviceControl, Risk::Medium),
        ("pause the inbox watcher", Scope::SchedulerWrite, Risk::Medium),
        ("resume the inbox watcher", Scope::SchedulerWrite, Risk::Low),
    ] {
        let PatternMatch::Hit(pattern) = read(text) else {
            panic!("{text}: {:?}", read(text));
        };
        assert_eq!(pattern.scope(), Some(scope), "{text}");
        let Pattern::Command(command) = &pattern else { continue };
        assert_eq!(risk(command, &HOME), least, "{text}");
    }
    assert_eq!(Pattern::SetAutonomy(Autonomy::A1).scope(), Some(Scope::SystemControl));
    assert_eq!(Pattern::Status.scope(), None);
}
