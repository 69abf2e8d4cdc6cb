//! Who is believed: what nobody typed changes nothing, and a guest changes nothing of the household's own.

use super::*;
use crate::{domain::actor::Role, engine::patterns::trust::Scope};

fn by(speaker: Speaker, text: &str) -> PatternMatch {
    PATTERNS.matching(text, &speaker, &HOME)
}

fn passed_on() -> Speaker {
    Speaker {
        typed: false,
        ..Speaker::host(Lang::EN)
    }
}

fn guest() -> Speaker {
    Speaker {
        role: Role::Guest,
        ..Speaker::host(Lang::EN)
    }
}

/// From an e-mail, a webhook, a schedule, a rule, or forwarded: all of them are words that nobody typed to us.
#[test]
fn what_nobody_typed_never_changes_anything() {
    for text in [
        "set autonomy to a4",
        "imposta l'autonomia a A4",
        "set autonomy to a0",
        "lower autonomy",
        "undo",
        "annulla",
        "turn off the kitchen lights",
        "spegni la luce della cucina",
        "set a timer for 5 minutes",
        "wake me at 7",
        "cancel the timer",
        "snooze the alarm",
        "pause the inbox watcher",
    ] {
        let refused = PatternMatch::Refuse(Message::new("pattern-not-typed"));
        assert_eq!(by(passed_on(), text), refused, "{text}");
        assert!(
            matches!(by(Speaker::host(Lang::EN), text), PatternMatch::Hit(_)),
            "{text} is a hit when typed"
        );
    }
    for text in ["what time is it", "show me my timers", "who are you", "status"] {
        assert!(
            matches!(by(passed_on(), text), PatternMatch::Hit(_)),
            "{text} changes nothing"
        );
    }
}

#[test]
fn a_guest_lowers_their_own_level_and_raises_none() {
    let refused = PatternMatch::Refuse(Message::new("pattern-host-only"));
    for text in ["set autonomy to a4", "autonomia a 3"] {
        assert_eq!(by(guest(), text), refused, "{text}");
    }
    for text in [
        "set autonomy to a1",
        "lower autonomy",
        "set a timer for 5 minutes",
        "undo",
    ] {
        assert!(matches!(by(guest(), text), PatternMatch::Hit(_)), "{text}");
    }
}

#[test]
fn every_intent_of_the_contract_has_its_scope_and_risk() {
    use crate::{domain::verdict::Risk, engine::patterns::trust::risk};
    for (text, scope, least) in [
        ("set a timer for 5 minutes", Scope::SchedulerWrite, Risk::Low),
        ("wake me at 7", Scope::SchedulerWrite, Risk::Low),
        ("show me my timers", Scope::SchedulerRead, Risk::Low),
        ("turn on the floor lamp", Scope::DeviceControl, Risk::Low),
        ("turn off the lights in the kitchen", Scope::DeviceControl, Risk::Low),
        ("turn off the bedroom lights", Scope::DeviceControl, Risk::Medium),
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
