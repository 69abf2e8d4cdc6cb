//! A real llama-server at the other end: the form of plans, the prompt cache, sizes, time limits, and whole turns. The
//! smallest model gets little right, so what a plan says is never asserted here, only what it is.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]
#![expect(
    clippy::print_stdout,
    reason = "what the figures are is worth reading, not only that they are small"
)]

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use jiff::Zoned;
use metnos::{
    catalog::{install::SHIPPED, parse},
    config::{LlmConfig, Tiers},
    domain::{
        lang::Lang,
        limits::{EXAMPLES_CHARS_MAX, EXAMPLES_MAX, HABITS_TOLD_MAX, POOL_SIZE, SET_TOLD_MAX},
        manifest::Manifest,
    },
    engine::{
        proposer::{
            ProposalRequest, ProposeError, Surroundings, Toolbox, examples, prompt, propose, schema::answer_schema,
        },
        shortlist::ShortlistIndex,
    },
    language::Language,
    llm::{LlmClient, LlmError, Meter, Prompt, Workload},
};
use serde_json::{Value, json};
use tokio::sync::{Mutex, MutexGuard};

use super::{process::Home, servers::llm_url, tools, turn_log::turn_log};

mod crosstalk;

/// The part of the prompt that is the same for everybody: a server keeps a beginning that is worth it.
const STABLE_TOKENS_MIN: u64 = 1_100;
/// All that is read for a plan, however much there is around a person.
const WHOLE_TOKENS_MAX: u64 = 1_850;
/// A model with fewer kinds of tokens than this, such as the smallest ones, needs up to a fifth more for the same text.
const VOCABULARY_USUAL: u64 = 100_000;
/// Of a prompt, what the server still has of the one before, whoever asked that.
const CACHED_TOKENS_MIN: u64 = 1_000;
/// Tokens a chat template puts around the two parts, and the ends of parts that are cut elsewhere when joined.
const TEMPLATE_TOKENS_MAX: u64 = 40;
/// A usual plan, as a model indents it.
const USUAL_PLAN_TOKENS_MAX: u64 = 300;
/// Of two cores that also compile.
const PATIENCE_S: u64 = 240;

/// One conversation with the server at a time, or they take the cache and the cores from each other.
async fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::const_new(());
    ONE.lock().await
}

/// Plans of at most so many tokens.
fn plans_of(tokens: u32) -> LlmConfig {
    let mut config = config();
    config.tiers.wise.tokens = tokens;
    config
}

fn config() -> LlmConfig {
    LlmConfig {
        url: Some(llm_url()),
        tiers: Tiers::default().waiting(PATIENCE_S, PATIENCE_S),
        seed: 42,
        ..LlmConfig::default()
    }
}

/// Every shipped tool.
fn catalog() -> Vec<Arc<Manifest>> {
    let read = |text: &str| Arc::new(parse::parse(text.as_bytes()).unwrap().manifest);
    SHIPPED.iter().map(|(_, text)| read(text)).collect()
}

/// What the proposer is asked first, with nothing tried before.
fn asked<'a>(
    request: &'a str,
    lang: Lang,
    toolbox: &'a Toolbox,
    around: &'a Surroundings,
    now: &'a Zoned,
) -> ProposalRequest<'a> {
    ProposalRequest {
        request,
        lang,
        toolbox,
        around,
        excluded: &[],
        errors: &[],
        now,
    }
}

/// More than there is room for: a big home, a long list on the screen, and examples of this person's own as long as
/// they may be.
fn full(request: &str, lang: Lang) -> Surroundings {
    let files: Vec<String> = (1..=20)
        .map(|number| format!("~/docs/insurance/claim {number} of the car.pdf"))
        .collect();
    let folders = ["docs", "notes", "photos", "music", "video", "work", "recipes", "backup"];
    let own: Vec<(String, Value)> = (1..=EXAMPLES_MAX).map(|number| long_example(request, number)).collect();
    Surroundings {
        folders: folders.map(|name| (format!("~/{name}"), 128)).to_vec(),
        like_request: files.clone(),
        before: Some("which claims for the car are there, and how big is each of them".to_owned()),
        changed: files.first().cloned().into_iter().collect(),
        listed: files,
        set: vec!["reminder “take the bins out”, tomorrow at 07:30".to_owned(); SET_TOLD_MAX],
        habits: vec!["sort_entries: desc=true".to_owned(); HABITS_TOLD_MAX],
        examples: examples::nearest(request, lang, &own),
    }
}

/// A request like this one, with a plan that just fits.
fn long_example(request: &str, number: usize) -> (String, Value) {
    let plan = json!({
        "steps": [
            {"tool": "find_files", "args": {"base_path": format!("~/photos/{number}"), "pattern": "*.jpg"}},
            {"tool": "move_files", "args": {"from_step": 1, "dst_dir": format!("~/backup/{number}")}}
        ],
        "show": true
    });
    let room = EXAMPLES_CHARS_MAX / 2 - plan.to_string().chars().count();
    (request.chars().take(room).collect(), plan)
}

fn now() -> Zoned {
    "2026-03-05T10:00:00+01:00[Europe/Rome]".parse().unwrap()
}

async fn get(path: &str) -> Value {
    reqwest::get(format!("{}{path}", llm_url()))
        .await
        .unwrap()
        .json()
        .await
        .unwrap()
}

async fn tokens(text: &str) -> u64 {
    let asked = reqwest::Client::new()
        .post(format!("{}/tokenize", llm_url()))
        .json(&json!({"content": text}));
    let answer: Value = asked.send().await.unwrap().json().await.unwrap();
    u64::try_from(answer["tokens"].as_array().unwrap().len()).unwrap()
}

/// What the served model may have to read for a plan.
async fn whole_max() -> u64 {
    let models = get("/v1/models").await;
    let vocabulary = models["data"][0]["meta"]["n_vocab"].as_u64().unwrap();
    if vocabulary < VOCABULARY_USUAL {
        WHOLE_TOKENS_MAX * 6 / 5
    } else {
        WHOLE_TOKENS_MAX
    }
}

#[tokio::test]
async fn the_server_is_well_and_tells_its_properties() {
    let llm = LlmClient::new(&config()).unwrap();
    assert!(llm.healthy().await);
    let properties = get("/props").await;
    assert!(properties["total_slots"].as_u64().unwrap() >= 2, "{properties}");
    let room = properties["default_generation_settings"]["n_ctx"].as_u64().unwrap();
    assert!(
        room >= whole_max().await + u64::from(Tiers::default().wise.tokens),
        "{room}"
    );
}

/// The tools that the requests of the scenarios really bring, helpers and companions included, and all the rest that a
/// prompt may hold.
#[tokio::test]
async fn prompts_of_real_requests_stay_small() {
    let language = Language::embedded().unwrap();
    let catalog = catalog();
    let index = ShortlistIndex::new(&catalog, &language);
    let stable_part = prompt::system(&Toolbox::new(&catalog, &[]).stable);
    let stable = tokens(&stable_part).await;
    println!("stable part: {stable} tokens");
    assert!(stable >= STABLE_TOKENS_MIN, "{stable} tokens");
    let mut counts = Vec::new();
    for (lang, file) in [(Lang::EN, "en.toml"), (Lang::IT, "it.toml")] {
        let path = format!("{}/eval/scenarios/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let said = text
            .lines()
            .filter_map(|line| line.strip_prefix("say = \"")?.strip_suffix('"'));
        for request in said {
            let request = request.replace("\\\"", "\"");
            let reading = language.read(&request, lang, &now());
            let toolbox = Toolbox::new(&catalog, &index.shortlist(&reading, &language, POOL_SIZE));
            assert_eq!(prompt::system(&toolbox.stable), stable_part, "{request}");
            let user = prompt::user(&asked(&request, lang, &toolbox, &full(&request, lang), &now()));
            counts.push((stable + tokens(&user).await, toolbox.chosen.len(), request));
        }
    }
    assert!(counts.len() > 200, "{}", counts.len());
    counts.sort();
    let median = counts[counts.len() / 2].0;
    let (most, tools, request) = &counts[counts.len() - 1];
    println!(
        "prompts of {} requests: {median} tokens in the middle, {most} at most, with {tools} tools more: {request}",
        counts.len()
    );
    let max = whole_max().await;
    let over = counts.iter().filter(|(count, ..)| *count > max).count();
    assert_eq!(over, 0, "more than {max} tokens: {over} of {}", counts.len());
}

/// The examples a model is shown are the usual plans; it indents what it writes under a grammar, and that counts.
#[tokio::test]
async fn usual_plans_are_short() {
    let mut plans = Vec::new();
    for lang in Lang::BUILT_IN {
        let path = format!(
            "{}/locales/{}/prompts/examples.txt",
            env!("CARGO_MANIFEST_DIR"),
            lang.code()
        );
        let text = std::fs::read_to_string(path).unwrap();
        let answers = text.lines().filter(|line| line.starts_with('{'));
        plans.extend(answers.map(|line| serde_json::from_str::<Value>(line).unwrap()));
    }
    assert!(plans.len() >= 40, "{}", plans.len());
    let mut most = 0;
    for plan in &plans {
        let written = serde_json::to_string_pretty(plan).unwrap();
        let count = tokens(&written).await;
        assert!(count <= USUAL_PLAN_TOKENS_MAX, "{count} tokens:\n{written}");
        most = most.max(count);
    }
    println!("the longest of {} usual plans: {most} tokens", plans.len());
}

/// Two requests of different people, one after the other: all that is read anew of the second is its own part.
#[tokio::test]
async fn of_a_second_request_only_its_own_part_is_read() {
    let _alone = alone().await;
    let toolbox = Toolbox::new(&catalog(), &tools::shortlist("find_files move_files"));
    let system = prompt::system(&toolbox.stable);
    let client = reqwest::Client::new();
    let stable = tokens(&system).await;
    let mut processed = Vec::new();
    for (request, lang) in [
        ("find the pdf files in ~/docs", Lang::EN),
        ("sposta i jpg da ~/in a ~/foto", Lang::IT),
    ] {
        let user = prompt::user(&asked(request, lang, &toolbox, &full(request, lang), &now()));
        let own = tokens(&user).await;
        // As the client asks, but for one token: what is counted is the reading.
        let asked = client.post(format!("{}/v1/chat/completions", llm_url())).json(&json!({
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "max_tokens": 1, "temperature": 0, "cache_prompt": true, "id_slot": 0
        }));
        let answer: Value = asked.send().await.unwrap().json().await.unwrap();
        let cached = answer["timings"]["cache_n"].as_u64().unwrap();
        let read = answer["timings"]["prompt_n"].as_u64().unwrap();
        println!("«{request}»: {cached} tokens cached, {read} processed (stable {stable}, own {own})");
        processed.push((cached, read, own));
    }
    let [_, (cached, read, own)] = processed[..] else {
        panic!("{processed:?}")
    };
    assert!(cached + TEMPLATE_TOKENS_MAX >= stable, "{processed:?}");
    assert!(read <= own + TEMPLATE_TOKENS_MAX, "{processed:?}");
}

/// The server chooses the slot, and people of two languages with homes of their own take turns: what is the same for
/// both is never read again.
#[tokio::test]
async fn people_who_take_turns_share_what_was_read() {
    let _alone = alone().await;
    let llm = LlmClient::new(&plans_of(8)).unwrap();
    let catalog = catalog();
    let people = [
        (Lang::EN, "find the pdf files in ~/docs", "find_files read_files"),
        (Lang::IT, "che ore sono a Tokyo", "get_now get_location"),
        (Lang::EN, "which process uses the most memory", "get_processes"),
        (Lang::IT, "sposta i jpg da ~/in a ~/foto", "move_files find_files"),
        (
            Lang::EN,
            "what was that trumpet thing I wrote",
            "find_files filter_texts_lines",
        ),
        (Lang::IT, "quanti file ci sono in ~/note", "find_files list_dirs"),
    ];
    for (turn, (lang, request, names)) in people.into_iter().enumerate() {
        let toolbox = Toolbox::new(&catalog, &tools::shortlist(names));
        let around = match lang {
            Lang::IT => Surroundings::default(),
            _ => full(request, lang),
        };
        let asked = Prompt {
            system: prompt::system(&toolbox.stable),
            user: prompt::user(&asked(request, lang, &toolbox, &around, &now())),
            schema: Some(answer_schema(&toolbox, request)),
        };
        let answer = llm.complete(Workload::Plan, &asked, &Meter::default()).await.unwrap();
        println!(
            "«{request}»: {} of {} tokens cached",
            answer.tokens_cached, answer.tokens_in
        );
        if turn > 0 {
            assert!(answer.tokens_cached >= CACHED_TOKENS_MIN, "{request}: {answer:?}");
        }
    }
}

/// The grammar leaves a model no way to write anything but an answer; and the second request finds the first in the
/// cache.
#[tokio::test]
async fn a_plan_is_a_plan_and_its_prompt_stays_cached() {
    let _alone = alone().await;
    let llm = LlmClient::new(&config()).unwrap();
    let toolbox = Toolbox::new(&catalog(), &tools::shortlist("find_files list_dirs get_now"));
    let stable = tokens(&prompt::system(&toolbox.stable)).await;
    for (turn, request) in ["find the pdf files in ~/docs", "list the files in ~/notes"]
        .iter()
        .enumerate()
    {
        let meter = Meter::default();
        let around = Surroundings {
            examples: examples::nearest(request, Lang::EN, &[]),
            ..Surroundings::default()
        };
        let proposed = propose(&llm, &asked(request, Lang::EN, &toolbox, &around, &now()), &meter).await;
        match proposed {
            // Whatever it says. A model this small may also ramble until it is cut off.
            Ok(_) | Err(ProposeError::CutOff) => {}
            Err(error) => panic!("{request}: {error}"),
        }
        let used = meter.used();
        assert!(used.tokens_in > stable && used.tokens_out > 0, "{used:?}");
        assert!(used.calls >= 1 && used.latency_ms > 0, "{used:?}");
        if turn > 0 {
            assert!(
                used.tokens_cached >= stable * 9 / 10,
                "the stable part was read again: {used:?}"
            );
        }
    }
}

/// What the schema forbids cannot be written, whatever is asked.
#[tokio::test]
async fn the_schema_binds_even_nonsense() {
    let _alone = alone().await;
    let llm = LlmClient::new(&plans_of(400)).unwrap();
    let toolbox = Toolbox {
        stable: tools::shortlist("get_now get_processes"),
        chosen: Vec::new(),
    };
    let request = "sing me a song about the sea, in prose, without braces";
    let schema = answer_schema(&toolbox, request);
    let asked = Prompt {
        system: "You are a poet.".to_owned(),
        user: request.to_owned(),
        schema: Some(schema.clone()),
    };
    let answer = llm.complete(Workload::Plan, &asked, &Meter::default()).await.unwrap();
    if !answer.cut_off {
        let said: Value = serde_json::from_str(&answer.text).unwrap();
        let valid = jsonschema::validator_for(&schema).unwrap();
        assert!(valid.is_valid(&said), "{said}");
    }
}

#[tokio::test]
async fn a_limit_ends_the_call_and_the_next_one_is_answered() {
    let _alone = alone().await;
    let mut hasty = config();
    hasty.tiers.wise.timeout_s = 1;
    hasty.tiers.wise.tokens = 2_000;
    let llm = LlmClient::new(&hasty).unwrap();
    let asked = Prompt {
        system: "Write a long story.".to_owned(),
        user: "Begin, and do not stop. ".repeat(60),
        schema: None,
    };
    let started = Instant::now();
    let error = llm
        .complete(Workload::Plan, &asked, &Meter::default())
        .await
        .unwrap_err();
    assert!(matches!(error, LlmError::Timeout { seconds: 1 }), "{error}");
    assert!(started.elapsed() < Duration::from_secs(5));
    let next = Prompt {
        system: "Answer in one word.".to_owned(),
        user: "Say yes.".to_owned(),
        schema: None,
    };
    let answer = LlmClient::new(&config())
        .unwrap()
        .complete(Workload::Filler, &next, &Meter::default())
        .await;
    assert!(answer.is_ok(), "{answer:?}");
}

/// The program itself with the real server: every request is answered, and the log says what the model cost.
#[tokio::test]
async fn whole_turns_end_and_are_counted() {
    let _alone = alone().await;
    let home = Home::new();
    home.write("docs/taxes.pdf", "pdf");
    home.configure(&format!(
        "engine = \"metis\"\n[llm]\nurl = \"{}\"\n[llm.wise]\ntimeout_s = {PATIENCE_S}\n[llm.middle]\ntimeout_s = {PATIENCE_S}\n",
        llm_url()
    ));
    let said = home.chat(&["find the pdf files in ~/docs", "what time is it"]).await;
    assert!(said.contains("It's "), "{said}");
    let log = turn_log(&home.data_dir());
    assert_eq!(log.len(), 2, "{said}");
    assert!(log[0]["llm"]["calls"].as_u64().unwrap() >= 1, "{}", log[0]);
    assert!(log[0]["llm"]["tokens_in"].as_u64().unwrap() > 0, "{}", log[0]);
    assert!(!log[0]["final_message"].as_str().unwrap().is_empty(), "{}", log[0]);
    assert_eq!(log[1]["answered_by"], "pattern");
    assert_eq!(log[1]["llm"]["calls"], 0, "fixed requests cost no model");
}
