//! No two frames want the same sentence, whatever each of them would make of it, and no chance of words raises
//! autonomy.

use std::collections::BTreeSet;

use proptest::{
    prelude::*,
    strategy::ValueTree,
    string::string_regex,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

use super::*;

/// Requests of households, as the scenarios have them.
const CORPUS: [&str; 2] = [
    include_str!("../../../../eval/scenarios/en.toml"),
    include_str!("../../../../eval/scenarios/it.toml"),
];
/// How many sentences of each form are tried.
const PER_FORM: usize = 12;

/// Sentences of every frame, put together from its words.
fn composed() -> Vec<String> {
    let verbs = [
        "turn on",
        "turn off",
        "set",
        "start",
        "stop",
        "cancel",
        "pause",
        "show",
        "open",
        "accendi",
        "spegni",
        "imposta",
        "ferma",
        "mostra",
        "attiva",
        "snooze",
        "add 5 minutes to",
        "aggiungi 5 minuti a",
        "togli",
    ];
    let things = [
        "the lights",
        "the timer",
        "the alarm",
        "my reminders",
        "the inbox watcher",
        "the garden watcher",
        "the kitchen fan",
        "la luce",
        "il timer",
        "la sveglia",
        "i promemoria",
        "il sorvegliante inbox",
        "autonomy to a2",
        "the status",
        "the front door",
        "everything",
        "tutto",
        "the zorb lamp",
    ];
    let tails = [
        "",
        "for 5 minutes",
        "at 7 am",
        "at 25",
        "to 30 percent",
        "to 300 percent",
        "in the kitchen",
        "please",
        "per 5 minuti",
        "alle 7",
        "in cucina",
        "tomorrow",
        "in 2 months",
        "when i leave",
    ];
    let mut all = Vec::new();
    for verb in verbs {
        for thing in things {
            all.extend(tails.iter().map(|tail| format!("{verb} {thing} {tail}")));
        }
    }
    all
}

/// Sentences of every whole form of both languages.
fn of_forms() -> Vec<String> {
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let mut all = Vec::new();
    for text in [ENGLISH, ITALIAN] {
        let file: File = toml::from_str(text).unwrap();
        for form in file.pattern.iter().flat_map(|pattern| &pattern.forms) {
            // What a form leaves open is filled with one thing each; all else is as the form has it.
            let closed = form
                .replace("(?P<place>.+?)", "tokyo")
                .replace("(?P<place>.+)", "tokyo");
            let closed = closed
                .replace("(?P<when>.+?)", "friday")
                .replace("(?P<when>.+)", "friday");
            let closed = closed.replace("?P<level>", "").replace(".*", "[a-z]{2,5}");
            let sentences = string_regex(&closed).unwrap_or_else(|error| panic!("{form}: {error}"));
            all.extend((0..PER_FORM).map(|_| sentences.new_tree(&mut runner).unwrap().current()));
        }
    }
    all
}

fn of_corpus() -> Vec<String> {
    fn collect(value: &toml::Value, into: &mut Vec<String>) {
        match value {
            toml::Value::String(text) => into.push(text.clone()),
            toml::Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
            toml::Value::Table(table) => {
                // Fixtures are files and answers, not things people say.
                let said = table.iter().filter(|(name, value)| *name == "say" || value.is_array());
                said.for_each(|(_, value)| collect(value, into));
            }
            toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) | toml::Value::Datetime(_) => {}
        }
    }
    let mut all = Vec::new();
    for text in CORPUS {
        collect(&toml::from_str(text).unwrap(), &mut all);
    }
    all
}

#[test]
fn no_two_frames_want_the_same_sentence() {
    let (composed, of_forms, of_corpus) = (composed(), of_forms(), of_corpus());
    assert!(
        of_forms.len() > 500 && of_corpus.len() > 100,
        "{} {}",
        of_forms.len(),
        of_corpus.len()
    );
    let mut wanted_by = [0; 4];
    let mut twice = Vec::new();
    for text in composed.iter().chain(&of_forms).chain(&of_corpus) {
        for lang in Lang::BUILT_IN {
            let table = PATTERNS.table(lang);
            let said = table.words.look_up(text);
            let normal = normal::words(text);
            let wants = [
                watchers::read(&said, &HOME).is_some(),
                clocks::read(&said, &HOME).is_some(),
                devices::read(&said, &HOME).is_some(),
                !table.hits(table.bare(&normal), |_| true).is_empty(),
            ];
            for (count, wants) in wanted_by.iter_mut().zip(wants) {
                *count += usize::from(wants);
            }
            if wants.iter().filter(|wants| **wants).count() > 1 {
                twice.push(format!("{text} in {lang:?}: {wants:?}"));
            }
        }
    }
    assert!(
        wanted_by.iter().all(|count| *count > 20),
        "each frame is tried: {wanted_by:?}"
    );
    assert!(
        twice.is_empty(),
        "{} sentences: {:#?}",
        twice.len(),
        twice.iter().take(40).collect::<Vec<_>>()
    );
}

/// Two forms may share a sentence only when they mean the same.
#[test]
fn no_two_forms_read_one_sentence_differently() {
    for text in of_forms() {
        for lang in Lang::BUILT_IN {
            let table = PATTERNS.table(lang);
            // Questions about the calendar are looked for where nothing else was found.
            for days in [false, true] {
                let hits = table.hits(&normal::words(&text), |intent| intent.is_about_days() == days);
                assert!(hits.len() <= 1, "{text} in {lang:?}: {hits:?}");
            }
        }
    }
}

/// The words that autonomy is spoken of with, and some that it is not.
const WORDS: &[&str] = &[
    "autonomy",
    "autonomia",
    "a4",
    "a3",
    "4",
    "3",
    "a0",
    "set",
    "please",
    "to",
    "level",
    "the",
    "raise",
    "imposta",
    "l'autonomia",
    "a",
    "livello",
    "metti",
    "porta",
    "alza",
    "lights",
    "timer",
    "minutes",
    "mail",
    "and",
    "not",
    "if",
];

fn sentence() -> impl Strategy<Value = Vec<&'static str>> {
    proptest::collection::vec(proptest::sample::select(WORDS), 1..6)
}

fn level_set(text: &str) -> Option<Autonomy> {
    if let PatternMatch::Hit(Pattern::SetAutonomy(level)) = read(text) {
        Some(level)
    } else {
        None
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Whatever raises autonomy names it, names this very level and no other, and says nothing besides.
    #[test]
    fn random_words_never_change_autonomy(words in sentence()) {
        let text = words.join(" ");
        if let Some(level) = level_set(&text) {
            prop_assert!(text.contains("autonom"), "{text}");
            let digits: BTreeSet<char> = text.chars().filter(char::is_ascii_digit).collect();
            let level = level.as_str().trim_start_matches('A').to_owned();
            prop_assert_eq!(digits.into_iter().collect::<String>(), level, "{}", text);
            for other in ["lights", "timer", "minutes", "mail", "and", "not", "if"] {
                prop_assert!(!words.contains(&other), "{text}");
            }
        }
    }

    /// One word more that has nothing to do with it, wherever it stands, and autonomy stays what it is.
    #[test]
    fn a_strange_word_keeps_autonomy_as_it_is(
        sentence in proptest::sample::select(&["set autonomy to a4", "autonomy 3", "imposta l'autonomia a a4"][..]),
        strange in "[bcdfgjklmnpqrstvwxz]{3,8}",
        at in 0_usize..5,
    ) {
        prop_assert!(level_set(sentence).is_some(), "the sentence itself does: {sentence}");
        let mut words: Vec<&str> = sentence.split(' ').collect();
        words.insert(at.min(words.len()), &strange);
        let text = words.join(" ");
        prop_assert_eq!(level_set(&text), None, "{}", text);
    }
}

/// The property above is about something: chance does make sentences that set a level.
#[test]
fn chance_makes_sentences_that_set_a_level() {
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let hits = (0..3_000).filter(|_| {
        let words = sentence().new_tree(&mut runner).unwrap().current();
        level_set(&words.join(" ")).is_some()
    });
    assert!(hits.count() >= 5);
}
