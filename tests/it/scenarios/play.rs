//! Plays one scenario: a fresh home, the conversation, and a look at what became of the home.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    fs::{self, File},
    path::Path,
    time::{Duration, SystemTime},
};

use metnos::{
    clock::Clock,
    config::EngineChoice,
    domain::{
        ids::{ChannelKind, ExecutorName},
        lang::Lang,
        reply::ButtonKind,
    },
};
use serde_json::Value;

use super::case::{Ending, Fixture, Scenario, Scenarios};
use crate::support::{
    bot::{Setup, TestBot},
    geo::FakeGeo,
    site::Site,
};

/// A small model on a small machine may need several calls of a minute each.
const PATIENCE: Duration = Duration::from_secs(900);

/// What all scenarios of a run share.
pub(super) struct Stage {
    pub(super) scenarios: Scenarios,
    pub(super) engine: EngineChoice,
    llm_url: Option<String>,
    site: Site,
    geo: FakeGeo,
}

/// What a file or folder is: its text where it has one, else its size; a folder is `/`.
pub(super) type Home = BTreeMap<String, String>;

/// What came of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Everything expected is true, and nothing else happened.
    Solved,
    /// Something expected is not true; why.
    Unsolved(String),
    /// Something happened that nobody asked for.
    Wrong(String),
    /// An executor is still to come, and that was said.
    NotYet,
    /// An executor is still to come, and something else was said.
    Dishonest(String),
}

/// A scenario, played.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) verdict: Verdict,
    pub(super) answers: Vec<String>,
    pub(super) refused: bool,
    pub(super) asked: bool,
    pub(super) model_calls: u64,
    pub(super) tokens: Vec<Tokens>,
    pub(super) latency_us: u64,
    pub(super) plans: Vec<String>,
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (calls, ms) = (self.model_calls, self.latency_us / 1000);
        write!(f, "{:?}, {calls} model calls, {ms} ms", self.verdict)
    }
}

/// What a model call of a turn comes to, on average.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tokens {
    /// Of the prompt, cached ones included.
    pub(super) read: u64,
    /// Of the prompt, found in the server's cache.
    pub(super) cached: u64,
    pub(super) written: u64,
}

impl Tokens {
    pub(super) fn of_a_call(line: &Value) -> Option<Self> {
        let sum = |name: &str| line["llm"][name].as_u64();
        let calls = sum("calls").filter(|calls| *calls > 0)?;
        Some(Self {
            read: sum("tokens_in")? / calls,
            cached: sum("tokens_cached")? / calls,
            written: sum("tokens_out")? / calls,
        })
    }
}

impl Stage {
    pub(super) async fn new(scenarios: Scenarios, engine: EngineChoice, llm_url: Option<String>) -> Self {
        let pages = scenarios.world.page.iter();
        let pages = pages.map(|page| (page.path.clone(), page.kind.clone(), page.body.clone()));
        let site = Site::serving(pages.collect()).await;
        Self {
            scenarios,
            engine,
            llm_url,
            site,
            geo: FakeGeo::start().await,
        }
    }

    /// A household of this language in its fresh home, with this model.
    pub(super) async fn bot(&self, lang: Lang, llm_url: Option<String>) -> TestBot {
        let now: jiff::Timestamp = self.scenarios.world.now.parse().unwrap();
        let bot = TestBot::with(Setup {
            llm_url: llm_url.filter(|_| self.engine != EngineChoice::Simple),
            engine: self.engine,
            clock: Clock::fixed(now),
            lang,
            patience: PATIENCE,
            places: Some(self.geo.both()),
            ..Setup::default()
        })
        .await;
        assert_eq!(bot.config().timezone, self.scenarios.world.timezone);
        for fixture in self.scenarios.world.files(lang) {
            lay_out(&bot.home(), fixture, SystemTime::from(now));
        }
        bot
    }

    /// A text with the address of the site in it.
    pub(super) fn with_site(&self, text: &str) -> String {
        text.replace("{site}", self.site.url("").trim_end_matches('/'))
    }

    pub(super) async fn play(&self, scenario: &Scenario) -> Played {
        self.play_with(scenario, self.llm_url.clone()).await
    }

    /// Plays a scenario with this model.
    pub(super) async fn play_with(&self, scenario: &Scenario, llm_url: Option<String>) -> Played {
        let mut bot = self.bot(scenario.lang(), llm_url).await;
        let before = look(&bot.home());
        let answers = self.talk(&mut bot, scenario).await;
        let after = look(&bot.home());
        let catalog = bot.app().catalog.current();
        let exists = |name: &String| catalog.get(&ExecutorName::from(name.as_str())).is_some();
        let possible = scenario.needs.iter().all(exists);
        let log = bot.turn_log().await;
        bot.stop().await;
        let last = log.last().cloned().unwrap_or_default();
        let sum = |pointer: &str| log.iter().filter_map(|line| line.pointer(pointer)?.as_u64()).sum();
        let tokens = log.iter().filter_map(Tokens::of_a_call).collect();
        let plan = |line: &Value| line["plan_hash"].as_str().unwrap_or_default().to_owned();
        let mut played = Played {
            verdict: Verdict::Solved,
            answers,
            refused: last["answered_by"] == "terminator" || last["final_kind"] == "needs_inputs",
            asked: log.iter().any(|line| line["final_kind"] != "answer"),
            model_calls: sum("/llm/calls"),
            tokens,
            latency_us: sum("/timings/total_us"),
            plans: log.iter().map(plan).collect(),
        };
        played.verdict = judge(scenario, &played, &before, &after, possible);
        played
    }

    /// Says everything and taps; returns the answers, the toasts of taps included.
    async fn talk(&self, bot: &mut TestBot, scenario: &Scenario) -> Vec<String> {
        let mut answers = Vec::new();
        let turns = scenario.say.turns();
        for (index, turn) in turns.iter().enumerate() {
            match *turn {
                "!approve" => answers.push(approve(bot).await),
                "!refuse" if can_tap(bot, ButtonKind::Refuse) => answers.push(bot.taps(ButtonKind::Refuse).await),
                // The answer behind the one to a question.
                "!hear" => answers.push(bot.hears(ChannelKind::Terminal).await.plain()),
                "!refuse" => answers.push("there was nothing to refuse".to_owned()),
                text => {
                    answers.push(bot.says(&self.with_site(text)).await);
                    let tapped = turns.get(index + 1).is_some_and(|next| next.starts_with('!'));
                    // Who asked for this very change says yes when asked back.
                    if !tapped && scenario.changes() && can_tap(bot, ButtonKind::Approve) {
                        answers.push(approve(bot).await);
                    }
                }
            }
        }
        answers
    }
}

pub(super) fn can_tap(bot: &TestBot, kind: ButtonKind) -> bool {
    bot.buttons().iter().any(|button| button.kind == kind)
}

pub(super) async fn approve(bot: &mut TestBot) -> String {
    if !can_tap(bot, ButtonKind::Approve) {
        return "there was nothing to approve".to_owned();
    }
    bot.taps(ButtonKind::Approve).await;
    bot.hears(ChannelKind::Terminal).await.plain()
}

/// Puts a file of the household into its home.
fn lay_out(home: &Path, fixture: &Fixture, now: SystemTime) {
    let path = home.join(&fixture.path);
    if fixture.path.ends_with('/') {
        fs::create_dir_all(&path).unwrap();
        return;
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    match &fixture.text {
        Some(text) => fs::write(&path, text).unwrap(),
        None => File::create(&path).unwrap().set_len(fixture.size).unwrap(),
    }
    let file = File::options().write(true).open(&path).unwrap();
    file.set_modified(now - fixture.age()).unwrap();
}

/// Everything below a home. Large files are told apart by their size.
pub(super) fn look(home: &Path) -> Home {
    let mut found = Home::new();
    let mut folders = vec![home.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(home).unwrap().display().to_string();
            if path.is_dir() {
                found.insert(format!("{name}/"), String::new());
                folders.push(path);
            } else {
                let size = path.metadata().unwrap().len();
                let text = if size < LARGE {
                    fs::read_to_string(&path).unwrap_or_default()
                } else {
                    String::new()
                };
                found.insert(name, format!("{size} {text}"));
            }
        }
    }
    found
}

/// From this size on a file's content is not compared.
const LARGE: u64 = 50_000;

/// Words one of which an honest no has, in either language.
const NO: &str = "can't|cannot|don't|no|not|nothing|non|niente";

fn judge(scenario: &Scenario, played: &Played, before: &Home, after: &Home, possible: bool) -> Verdict {
    let wanted = if possible {
        wanted(scenario, before)
    } else {
        BTreeMap::new()
    };
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differs = |name: &&&String| before.get(**name) != after.get(**name);
    for name in names.iter().filter(differs) {
        let right = wanted.get(*name).is_some_and(|wanted| wanted.fits(after.get(*name)));
        if !right {
            return Verdict::Wrong(format!("{name} is now {:?}", after.get(*name)));
        }
    }
    let last = played.answers.last().map(String::as_str).unwrap_or_default();
    let unheard = |facts: &[String]| facts.iter().find(|fact| !hears(last, fact)).cloned();
    if !possible {
        return match unheard(&scenario.missing) {
            None if (played.refused || played.asked) && hears(last, NO) => Verdict::NotYet,
            _ => Verdict::Dishonest(last.to_owned()),
        };
    }
    if let Some((name, _)) = wanted.iter().find(|(name, wanted)| !wanted.fits(after.get(*name))) {
        return Verdict::Unsolved(format!("{name} is not as it should be"));
    }
    let ended = match scenario.outcome {
        Ending::Answer => !played.refused,
        Ending::Refuses => played.refused || played.asked,
        Ending::Asks => played.asked,
    };
    if !ended {
        return Verdict::Unsolved(format!("it did not end with {:?}", scenario.outcome));
    }
    if let Some(fact) = unheard(&scenario.hears) {
        return Verdict::Unsolved(format!("it does not say {fact}"));
    }
    if let Some(fact) = scenario.hides.iter().find(|fact| hears(last, fact)) {
        return Verdict::Unsolved(format!("it says {fact}"));
    }
    let places: Vec<Option<usize>> = scenario.hears.iter().map(|fact| last.find(fact.as_str())).collect();
    if scenario.in_order && !places.is_sorted() {
        return Verdict::Unsolved("the order is another".to_owned());
    }
    Verdict::Solved
}

/// What a path must be in the end.
enum Wanted {
    Gone,
    Exactly(String),
    Containing(String),
}

impl Wanted {
    fn fits(&self, found: Option<&String>) -> bool {
        match (self, found) {
            (Self::Gone, None) => true,
            (Self::Gone, Some(_)) | (_, None) => false,
            (Self::Exactly(wanted), Some(found)) => wanted == found,
            (Self::Containing(wanted), Some(found)) => found.contains(wanted),
        }
    }
}

fn wanted(scenario: &Scenario, before: &Home) -> BTreeMap<String, Wanted> {
    let mut wanted = BTreeMap::new();
    for (from, to) in &scenario.moved {
        wanted.insert(to.clone(), Wanted::Exactly(before[from].clone()));
        wanted.insert(from.clone(), Wanted::Gone);
    }
    for path in &scenario.gone {
        assert!(before.contains_key(path), "{}: {path} was never there", scenario.id);
        wanted.insert(path.clone(), Wanted::Gone);
    }
    for (path, content) in &scenario.wrote {
        let written = match content.strip_prefix('*') {
            Some(part) => Wanted::Containing(part.to_owned()),
            None if path.ends_with('/') => Wanted::Exactly(String::new()),
            None => Wanted::Exactly(format!("{} {content}", content.len())),
        };
        wanted.insert(path.clone(), written);
    }
    wanted
}

/// Whether an answer names a fact, as words of their own; `|` stands between alternatives.
pub(super) fn hears(answer: &str, fact: &str) -> bool {
    let answer = answer.to_lowercase();
    fact.to_lowercase().split('|').any(|fact| {
        answer.match_indices(fact).any(|(at, _)| {
            let letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
            let digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
            let (before, after) = (answer[..at].chars(), answer[at + fact.len()..].chars());
            let (mut before, mut after) = (before.rev(), after);
            let (first, second) = (before.next(), before.next());
            let (next, later) = (after.next(), after.next());
            let number = fact.chars().all(|letter| letter.is_ascii_digit());
            let inside = |near: Option<char>, far: Option<char>| {
                letter(near) || number && digit(far) && matches!(near, Some('.' | ':' | '-' | '/' | ','))
            };
            // A word may go on ("mail" in "e-mails"), a number may not.
            !inside(first, second) && !(inside(next, later) && (number || fact.len() < 4))
        })
    })
}
