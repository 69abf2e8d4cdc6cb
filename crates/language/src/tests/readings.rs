//! What stands in `tests/corpus/readings`, read: each file holds readings of one kind, which are written out here as
//! text. A reading that has more in it than its text shows must not be compared by it.

use super::{
    corpus::{Table, files},
    *,
};
use crate::{
    refer::Tie,
    secrets::Redactor,
    time::{Form, Recurrence},
};
use metnos_domain::dialogue::Listed;

/// What is read from one sentence.
type Read<'a> = Box<dyn FnMut(&str, Lang) -> Vec<String> + 'a>;

#[test]
fn what_is_said_is_read_as_it_stands_beside_it() {
    let mut wrong = Vec::new();
    for file in files() {
        for table in &file.tables {
            let (_folder, home) = home_of(table);
            wrong.extend(table.differing(reader(&file.kind, table, &home)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How the sentences of a table are read.
fn reader<'a>(kind: &str, table: &'a Table, home: &'a Home) -> Read<'a> {
    match kind {
        "facts" => Box::new(|text, lang| facts(table, &reading(text, lang, table, home))),
        "facts_and_words" => Box::new(|text, lang| facts_and_words(table, text, &reading(text, lang, table, home))),
        "known" => Box::new(|text, lang| known(&reading(text, lang, table, home))),
        "left_out" => Box::new(|text, lang| left_out(&reading(text, lang, table, home))),
        "windows" => Box::new(|text, lang| windows(&reading(text, lang, table, home))),
        "numbers" => Box::new(|text, lang| numbers(&reading(text, lang, table, home))),
        "orders" => Box::new(|text, lang| orders(&reading(text, lang, table, home))),
        "intents" => Box::new(|text, lang| intents(&reading(text, lang, table, home))),
        "negations" => Box::new(|text, lang| negations(&reading(text, lang, table, home))),
        "required_verbs" => Box::new(|text, lang| required_verbs(&reading(text, lang, table, home))),
        "slips" => Box::new(|text, lang| slips(&reading(text, lang, table, home))),
        "scheduled" => Box::new(|text, lang| scheduled(&reading(text, lang, table, home))),
        "times" => Box::new(|text, lang| times(text, lang, table)),
        "recurrences" => Box::new(recurrences),
        "confirmations" => Box::new(|text, _| confirmations(text)),
        "stops" => Box::new(|text, _| stops(text)),
        "listed" => Box::new(|text, lang| listed(text, lang, table)),
        "secrets" => Box::new(|text, _| secrets(text)),
        "tongues" => Box::new(tongues),
        "references" => Box::new(|text, lang| references(text, lang, table)),
        unknown => panic!("nothing reads {unknown}"),
    }
}

/// The home of a table; that of a list is of no matter.
fn home_of(table: &Table) -> (Option<tempfile::TempDir>, Home) {
    if table.files.is_empty() {
        return (None, Home::unknown());
    }
    let names: Vec<&str> = table.files.iter().map(String::as_str).collect();
    let (folder, home) = home(&names);
    (Some(folder), home)
}

fn reading(text: &str, lang: Lang, table: &Table, home: &Home) -> Reading {
    if table.alone {
        LANGUAGE.read_in(text, lang, &now(), home)
    } else {
        LANGUAGE.read_at_home(text, lang, &now(), home)
    }
}

/// A text as it is, and anything else as JSON without quotes.
fn value(fact: &Fact) -> String {
    fact.value
        .as_str()
        .map_or_else(|| fact.value.to_string().replace('"', ""), str::to_owned)
}

/// The facts that a table looks at, each as its kind and its value.
fn facts(table: &Table, reading: &Reading) -> Vec<String> {
    let all = reading.facts.iter().map(|fact| (format!("{:?}", fact.kind), fact));
    let looked_at = all.filter(|(kind, _)| table.looks_at(kind));
    looked_at
        .map(|(kind, fact)| format!("{kind} {}", value(fact)))
        .collect()
}

/// The same, with the words that each stands for; words that stand for nothing, where the table wants to know of them.
fn facts_and_words(table: &Table, text: &str, reading: &Reading) -> Vec<String> {
    let all = reading.facts.iter().map(|fact| (format!("{:?}", fact.kind), fact));
    let looked_at = all.filter(|(kind, _)| table.looks_at(kind));
    let with_words = looked_at.map(|(kind, fact)| format!("{kind} {} ← {}", value(fact), &text[fact.span.clone()]));
    let unread = reading.unaccounted.iter().map(|word| format!("unread {word}"));
    match table.setting.as_str() {
        "" => with_words.collect(),
        "what is unread" => with_words.chain(unread).collect(),
        unknown => panic!("{unknown}?"),
    }
}

/// Files, names of what is to be made, and texts; `a|b` where only the person can say which.
fn known(reading: &Reading) -> Vec<String> {
    let facts = reading.facts.iter();
    let facts = facts.filter(|fact| matches!(fact.kind, FactKind::Path | FactKind::Quoted | FactKind::Name));
    let shown = facts.map(|fact| match fact.one_of.as_slice() {
        [] => fact.text().to_owned(),
        several => several.join("|"),
    });
    shown.collect()
}

/// The files that are left out, and that something was left unread.
fn left_out(reading: &Reading) -> Vec<String> {
    let found = reading.facts.iter().find(|fact| fact.kind == FactKind::NotGlob);
    let found = found.map(|fact| fact.text().to_owned());
    found.into_iter().chain(unread(reading)).collect()
}

fn unread(reading: &Reading) -> Option<String> {
    (!reading.unaccounted.is_empty()).then(|| "something unread".to_owned())
}

/// Days and stretches of days, and that something was left unread.
fn windows(reading: &Reading) -> Vec<String> {
    let facts = reading.facts.iter().filter(|fact| fact.kind == FactKind::Window);
    let windows = facts.filter_map(|fact| Some(fact.value.as_str()?.to_owned()));
    windows.chain(unread(reading)).collect()
}

fn numbers(reading: &Reading) -> Vec<String> {
    reading.numbers.iter().map(f64::to_string).collect()
}

/// By what, in which direction and how many of it; that something was left unread.
fn orders(reading: &Reading) -> Vec<String> {
    let order = reading.clauses.iter().find_map(|clause| clause.order.as_ref());
    let order = order.map(|order| {
        let top = order.top.map_or_else(|| "all".to_owned(), |top| top.to_string());
        let direction = if order.desc { "down" } else { "up" };
        format!("{} {direction} {top}", order.field)
    });
    order.into_iter().chain(unread(reading)).collect()
}

/// What is asked for, and how sure that is.
fn intents(reading: &Reading) -> Vec<String> {
    let sure = (reading.intent.confidence * 1e9).round() / 1e9;
    vec![reading.intent.signature(), sure.to_string()]
}

/// What is asked for and what is forbidden; or that a negation makes all of it no command.
fn negations(reading: &Reading) -> Vec<String> {
    let confidence = reading.intent.confidence;
    let is_negated = reading.clauses.iter().any(|clause| clause.is(Mark::Negated));
    if reading.forbidden.is_empty() && is_negated && confidence <= 0.3 {
        return vec!["no command".to_owned()];
    }
    let shown = |clause: &ClauseReading| {
        let facts: Vec<String> = reading.facts_of(clause).map(|(_, fact)| value(fact)).collect();
        let verb = clause.verb.map_or("?", Verb::as_str);
        format!("{verb} {}", facts.join(" ")).trim().to_owned()
    };
    let asked = reading.clauses.iter().map(shown);
    let forbidden = reading
        .forbidden
        .iter()
        .map(|clause| format!("never {}", shown(clause)));
    let unsure = (confidence < 0.8).then(|| format!("sure {confidence}"));
    asked.chain(forbidden).chain(unsure).collect()
}

/// The verbs that a plan must contain.
fn required_verbs(reading: &Reading) -> Vec<String> {
    let verbs = reading.required_verbs.iter();
    verbs.map(|verb| verb.as_str().to_owned()).collect()
}

/// The verb, where all words are understood.
fn slips(reading: &Reading) -> Vec<String> {
    let verb = reading.clauses.first().and_then(|clause| clause.verb);
    let verb = verb.filter(|_| reading.unaccounted.is_empty());
    verb.map(|verb| verb.as_str().to_owned()).into_iter().collect()
}

fn scheduled(reading: &Reading) -> Vec<String> {
    reading.scheduled.then(|| "scheduled".to_owned()).into_iter().collect()
}

/// Each time with all that it can mean; only the likeliest of the first, or only the first moment, where a table wants
/// that.
fn times(text: &str, lang: Lang, table: &Table) -> Vec<String> {
    let times = if table.alone {
        LANGUAGE.read_in(text, lang, &now(), &Home::unknown()).times
    } else {
        LANGUAGE.times(text, lang, &now(), &Conventions::HOUSEHOLD)
    };
    let mut all = times.iter().flat_map(|time| &time.readings);
    let is_moment = |value: &&time::Value| matches!(value, time::Value::Moment(_));
    match table.setting.as_str() {
        "" => {
            let meanings = |time: &time::Mention| time.readings.iter().map(meaning).collect::<Vec<_>>().join(" or ");
            times.iter().map(meanings).collect()
        }
        "the likeliest" => {
            let first = times.first().and_then(|time| time.readings.first());
            first.map(meaning).into_iter().collect()
        }
        "a moment" => all.find(is_moment).map(meaning).into_iter().collect(),
        unknown => panic!("{unknown}?"),
    }
}

fn meaning(value: &time::Value) -> String {
    match value {
        time::Value::Date(date) => format!("day {date}"),
        time::Value::Moment(moment) => format!("moment {moment}"),
        time::Value::Range(from, to) => {
            let shown = |side: &Option<jiff::civil::DateTime>| side.map_or_else(String::new, |side| side.to_string());
            format!("from {} to {}", shown(from), shown(to))
        }
        time::Value::Duration(seconds) => format!("{seconds} seconds"),
    }
}

/// What happens again and again.
fn recurrences(text: &str, lang: Lang) -> Vec<String> {
    let times = LANGUAGE.times(text, lang, &now(), &Conventions::HOUSEHOLD);
    let found = times.into_iter().find_map(|time| match time.form {
        Form::Recurring(again) => Some(again),
        Form::Named(..) | Form::Window(..) | Form::Weekday(_) | Form::Length(..) | Form::Plain => None,
    });
    found.map(|again| recurrence(&again)).into_iter().collect()
}

/// `every 2 Week on 1 at 08:00:00`; nothing is left out of it but what is not said.
fn recurrence(again: &Recurrence) -> String {
    let mut shown = format!("every {}", again.every);
    let mut add = |part: Option<String>| shown.extend(part.map(|part| format!(" {part}")));
    add(again.unit.map(|unit| format!("{unit:?}")));
    let weekdays: Vec<String> = again.weekdays.iter().map(i8::to_string).collect();
    add((!weekdays.is_empty()).then(|| format!("on {}", weekdays.join(","))));
    add(again.nth.map(|nth| format!("nth {nth}")));
    add(again.day.map(|day| format!("day {day}")));
    add(again.times.map(|times| format!("{times} times")));
    add(again.at.map(|at| format!("at {at}")));
    add(again.loose.then(|| "loosely".to_owned()));
    shown
}

fn confirmations(text: &str) -> Vec<String> {
    let answer = LANGUAGE.confirmation(text);
    answer.map(|answer| format!("{answer:?}")).into_iter().collect()
}

fn stops(text: &str) -> Vec<String> {
    let stops = LANGUAGE.is_stop(text);
    stops.then(|| "stop".to_owned()).into_iter().collect()
}

/// The request with the files of a list that was shown, which may have been cut.
fn listed(text: &str, lang: Lang, table: &Table) -> Vec<String> {
    let is_cut = match table.setting.as_str() {
        "" => false,
        "the list was cut" => true,
        unknown => panic!("{unknown}?"),
    };
    let listed = Listed::files(table.files.clone(), is_cut);
    let meant = LANGUAGE.of_listed("find the files", &listed, text, lang, &now());
    meant.into_iter().collect()
}

/// A request without its secrets, and how many there were.
fn secrets(text: &str) -> Vec<String> {
    let (kept, count) = Redactor::new().unwrap().text(text);
    vec![kept, count.to_string()]
}

/// The language that is to be spoken, too.
fn tongues(text: &str, lang: Lang) -> Vec<String> {
    let asked = LANGUAGE.asks_to_speak(text, lang);
    asked.map(|lang| lang.code().to_owned()).into_iter().collect()
}

/// The request with the file it is about, which came with it or before it.
fn references(text: &str, lang: Lang, table: &Table) -> Vec<String> {
    let tie = match table.setting.as_str() {
        "with the file" => Tie::Caption,
        "after the file" => Tie::Following,
        unknown => panic!("{unknown}?"),
    };
    LANGUAGE.refer(text, lang, &table.files, tie).into_iter().collect()
}
