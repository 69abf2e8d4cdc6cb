//! Requests that nobody built for: `eval/fresh` holds sets that were written from the README and a listing of the homes
//! alone and frozen before they ran. Their first run is the figure that counts (`docs/evaluation.md`); afterwards a set
//! is a guard. `just fresh ENGINE` plays the newest with any engine and prints what came of it; the test plays those
//! with a right plan by hand, which the rules must not stand in the way of.

use std::{collections::BTreeMap, fmt, fs, io::Write as _, path::Path};

use metnos::{
    config::EngineChoice,
    domain::{lang::Lang, reply::ButtonKind},
};
use serde::Deserialize;

use super::{
    case::Scenarios,
    oracle::{says_all, scripted},
    play::{Home, Stage, Tokens, approve, can_tap, look},
};

/// The set with right plans by hand, which the test plays.
const WITH_PLANS: &str = "2026-11-24.toml";
/// The least share of right plans that must be carried out or offered, in percent: a guard below what was measured, as
/// the goal of 95 is not reached.
const SOLVED_MIN: usize = 75;
/// The same for what code alone finds of the looks of that set.
const LOOKS_MIN: usize = 75;
/// Every so many plans are played by the test.
const SAMPLED: usize = 2;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    request: Vec<Request>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Look,
    Change,
    NoTool,
    Cannot,
}

/// A request, and what must be true afterwards. `want` and `plan_hint` are for whoever reads the set.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    id: String,
    lang: String,
    say: Vec<String>,
    kind: Kind,
    #[serde(rename = "want")]
    _want: String,
    #[serde(default)]
    hears: Vec<String>,
    #[serde(default)]
    after: After,
    #[serde(default, rename = "plan_hint")]
    _plan_hint: String,
}

/// What the home is like once every card was said yes to.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct After {
    #[serde(default)]
    present: Vec<String>,
    #[serde(default)]
    absent: Vec<String>,
    #[serde(default)]
    contains: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    lacks: BTreeMap<String, Vec<String>>,
}

impl After {
    /// What is not as it should be.
    fn missing(&self, home: &Home) -> Option<String> {
        let has = |path: &String| home.contains_key(path) || home.contains_key(&format!("{path}/"));
        let text = |path: &String| home.get(path).cloned().unwrap_or_default().to_lowercase();
        let mut gone = self
            .present
            .iter()
            .filter(|path| !has(path))
            .map(|path| format!("no {path}"));
        let mut left = self
            .absent
            .iter()
            .filter(|path| has(path))
            .map(|path| format!("still {path}"));
        let lines = |of: &BTreeMap<String, Vec<String>>, wanted: bool| {
            let pairs = of
                .iter()
                .flat_map(|(path, texts)| texts.iter().map(move |text| (path, text)));
            let wrong = |(path, part): &(&String, &String)| text(path).contains(&part.to_lowercase()) != wanted;
            pairs
                .filter(wrong)
                .map(|(path, part)| format!("{path}: {part:?}"))
                .next()
        };
        let wrong_place = gone.next().or_else(|| left.next());
        wrong_place
            .or_else(|| lines(&self.contains, true))
            .or_else(|| lines(&self.lacks, false))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RightPlans {
    plan: Vec<RightPlan>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RightPlan {
    request: String,
    answers: Vec<String>,
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Came {
    Solved,
    /// Solved after a yes to its card.
    Offered,
    /// An honest no, or a question.
    Refused,
    /// Something else than was asked was answered or offered.
    Wrong(String),
    /// Something changed that nobody said yes to.
    Harm(String),
}

struct Played {
    came: Came,
    calls: u64,
    tokens: Vec<Tokens>,
    latency_ms: u64,
    /// The last answer.
    said: String,
    /// What the layers noted of the last message.
    path: String,
}

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("eval").join(name)
}

fn requests(set: &str) -> Vec<Request> {
    let text = fs::read_to_string(folder("fresh").join(set)).unwrap();
    toml::from_str::<File>(&text).unwrap().request
}

async fn play(stage: &Stage, request: &Request, llm_url: Option<String>) -> Played {
    let lang = Lang::BUILT_IN.into_iter().find(|lang| lang.code() == request.lang);
    let mut bot = stage.bot(lang.unwrap(), llm_url).await;
    let before = look(&bot.home());
    let (mut last, mut was_offered, mut unasked) = (String::new(), false, None);
    for say in &request.say {
        let at_first = look(&bot.home());
        last = bot.says(&stage.with_site(say)).await;
        if at_first != look(&bot.home()) && request.kind != Kind::Change {
            unasked = Some(last.clone());
        }
        while request.kind == Kind::Change && can_tap(&bot, ButtonKind::Approve) {
            was_offered = true;
            last = approve(&mut bot).await;
        }
    }
    let after = look(&bot.home());
    let log = bot.turn_log().await;
    bot.stop().await;
    let line = log.last().cloned().unwrap_or_default();
    let ended = line["final_kind"].as_str().unwrap_or_default();
    let refused = line["answered_by"] == "terminator" || ["ask", "needs_inputs", "error"].contains(&ended);
    let says = says_all(&last, &request.hears);
    let came = match request.kind {
        _ if unasked.is_some() => Came::Harm(unasked.unwrap_or_default()),
        Kind::Change => match request.after.missing(&after) {
            None if was_offered => Came::Offered,
            None => Came::Solved,
            Some(why) if before != after && !was_offered => Came::Harm(format!("{why}: {last}")),
            Some(_) if refused && before == after => Came::Refused,
            Some(why) => Came::Wrong(format!("{why}: {last}")),
        },
        Kind::Cannot if refused || says => Came::Solved,
        Kind::Look | Kind::NoTool if says && !refused => Came::Solved,
        Kind::Look | Kind::NoTool if refused => Came::Refused,
        Kind::Look | Kind::NoTool | Kind::Cannot => Came::Wrong(last.clone()),
    };
    let sum = |pointer: &str| {
        log.iter()
            .filter_map(|line| line.pointer(pointer)?.as_u64())
            .sum::<u64>()
    };
    Played {
        came,
        said: last.clone(),
        calls: sum("/llm/calls"),
        tokens: log.iter().filter_map(Tokens::of_a_call).collect(),
        latency_ms: sum("/timings/total_us") / 1_000,
        path: line["path"].to_string(),
    }
}

/// Figures of a whole run.
#[derive(Default)]
struct Figures(Vec<Played>);

impl Figures {
    fn count(&self, is: impl Fn(&Came) -> bool) -> usize {
        self.0.iter().filter(|played| is(&played.came)).count()
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.0.len().max(1);
        writeln!(
            f,
            "of {all}: solved {}, offered rightly {}, refused {}, wrong {}, harm {}",
            self.count(|came| *came == Came::Solved),
            self.count(|came| *came == Came::Offered),
            self.count(|came| *came == Came::Refused),
            self.count(|came| matches!(came, Came::Wrong(_))),
            self.count(|came| matches!(came, Came::Harm(_))),
        )?;
        let calls: u64 = self.0.iter().map(|played| played.calls).sum();
        let asked = self.0.iter().filter(|played| played.calls > 0).count().max(1);
        let tokens: Vec<&Tokens> = self.0.iter().flat_map(|played| &played.tokens).collect();
        let counted = u64::try_from(tokens.len().max(1)).unwrap();
        let mean = |of: fn(&Tokens) -> u64| tokens.iter().map(|tokens| of(tokens)).sum::<u64>() / counted;
        let mut latencies: Vec<u64> = self.0.iter().map(|played| played.latency_ms).collect();
        latencies.sort_unstable();
        let at = |share: usize| latencies.get((latencies.len() * share / 100).min(latencies.len().saturating_sub(1)));
        write!(
            f,
            "{calls} model calls for {asked} requests that needed one; a call reads {} tokens ({} cached) and writes {}; \
             p50 {} ms, p95 {} ms",
            mean(|tokens| tokens.read),
            mean(|tokens| tokens.cached),
            mean(|tokens| tokens.written),
            at(50).copied().unwrap_or_default(),
            at(95).copied().unwrap_or_default()
        )
    }
}

/// Right plans for fresh requests are carried out, or offered and then carried out.
#[tokio::test]
async fn right_plans_for_fresh_requests_are_not_refused() {
    let text = fs::read_to_string(folder("oracle").join("fresh.toml")).unwrap();
    let plans: RightPlans = toml::from_str(&text).unwrap();
    let stage = Stage::new(Scenarios::load(), EngineChoice::Metis, None).await;
    let all = requests(WITH_PLANS);
    let (mut missed, mut played) = (Vec::new(), 0);
    for plan in plans.plan.iter().step_by(SAMPLED) {
        let request = all.iter().find(|request| request.id == plan.request).unwrap();
        let answers = request
            .say
            .iter()
            .map(String::as_str)
            .zip(plan.answers.iter().map(String::as_str));
        let server = scripted(&stage, answers).await;
        let Played { came, path, .. } = play(&stage, request, Some(server.url())).await;
        played += 1;
        if !matches!(came, Came::Solved | Came::Offered) {
            missed.push(format!("{} {:?}: {came:?} {path}", request.id, request.say));
        }
    }
    let solved = (played - missed.len()) * 100;
    assert!(
        solved >= SOLVED_MIN * played,
        "{} of {played}:\n{}",
        missed.len(),
        missed.join("\n")
    );
}

/// What only looks changes nothing, whatever came of it, and what was found once in a set that was seen still is.
#[tokio::test]
async fn looks_of_a_seen_set_change_nothing_and_mostly_find_it() {
    let stage = Stage::new(Scenarios::load(), EngineChoice::Simple, None).await;
    let all = requests(WITH_PLANS);
    let (mut missed, mut played) = (Vec::new(), 0);
    for lang in Lang::BUILT_IN {
        let mut bot = stage.bot(lang, None).await;
        let before = look(&bot.home());
        let looks = all.iter().filter(|request| request.kind == Kind::Look);
        for request in looks.filter(|request| request.lang == lang.code()) {
            let mut last = String::new();
            for say in &request.say {
                last = bot.says(&stage.with_site(say)).await;
            }
            assert_eq!(before, look(&bot.home()), "{:?}: {last}", request.say);
            played += 1;
            if !says_all(&last, &request.hears) {
                missed.push(format!("{} {:?}: {last}", request.id, request.say));
            }
        }
        bot.stop().await;
    }
    let found = (played - missed.len()) * 100;
    assert!(
        found >= LOOKS_MIN * played,
        "{} of {played}:\n{}",
        missed.len(),
        missed.join("\n")
    );
}

/// The newest set with any engine, for `just fresh`.
#[tokio::test]
#[ignore = "a report, not a test: see `just fresh`"]
#[expect(
    clippy::disallowed_methods,
    reason = "a report is told what to play by its caller's environment"
)]
async fn report() {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let engine = match variable("METNOS_SCENARIOS_ENGINE").as_deref() {
        Some("metis") => EngineChoice::Metis,
        Some("auto") => EngineChoice::Auto,
        _ => EngineChoice::Simple,
    };
    let stage = Stage::new(Scenarios::load(), engine, None).await;
    let mut out = std::io::stdout();
    let (mut figures, only) = (
        Figures::default(),
        variable("METNOS_SCENARIOS_ONLY").unwrap_or_default(),
    );
    let set = variable("METNOS_SCENARIOS_SET").unwrap_or_else(|| WITH_PLANS.to_owned());
    for request in requests(&set).iter().filter(|request| request.id.contains(&only)) {
        let played = play(&stage, request, variable("METNOS_LIVE_LLM_URL")).await;
        let (calls, ms) = (played.calls, played.latency_ms);
        writeln!(
            out,
            "{} {:?} {calls} calls {ms} ms: {:?} | {} | {}",
            request.id, request.say, played.came, played.said, played.path
        )
        .unwrap();
        figures.0.push(played);
    }
    writeln!(out, "{figures}").unwrap();
}
