//! What a model is shown with a request: the part that is the same for everybody, and how much there is of it all.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests: what cannot be set up must stop the test"
)]

use std::sync::Arc;

use metnos::{
    catalog::install::SHIPPED,
    domain::{
        lang::Lang,
        limits::{EXAMPLES_CHARS_MAX, EXAMPLES_MAX, HABITS_TOLD_MAX, SET_TOLD_MAX},
        manifest::Manifest,
    },
    engine::proposer::{ProposalRequest, Surroundings, Toolbox, examples, prompt, propose},
    llm::{LlmClient, Meter},
};
use serde_json::{Value, json};

use super::{PLAN, now};
use crate::support::{
    llama::{Script, ScriptedLlama},
    manifests, tools,
};

/// Characters of a token in such texts; the live suite counts with a real tokenizer.
const CHARS_PER_TOKEN: f64 = 3.75;
/// A server keeps a beginning that is worth it.
const STABLE_TOKENS_MIN: f64 = 1_100.0;
/// All that is read for a plan, however much there is around a person.
const WHOLE_TOKENS_MAX: f64 = 1_850.0;

fn tokens(text: &str) -> f64 {
    f64::from(u32::try_from(text.chars().count()).unwrap()) / CHARS_PER_TOKEN
}

/// Every shipped tool.
pub(super) fn catalog() -> Vec<Arc<Manifest>> {
    let names: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
    tools::shortlist(&names.join(" "))
}

/// One that somebody added.
fn added() -> Arc<Manifest> {
    let manifest = r#"
        name = "get_files_tide"
        kind = "program"
        capabilities = ["compute:pure"]
        effect = "read"
        code = { files = ["run.sh"] }
        [description.en]
        purpose = "Tells when the tide is high."
        pattern = ""
        not = ""
        out = ""
        [presentation]
        text = "text"
    "#;
    Arc::new(manifests::parse(manifest))
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
        changed: files.iter().take(1).cloned().collect(),
        listed: files,
        set: vec!["reminder “to pay the electrician”, Thursday 2026-06-18 09:00".to_owned(); SET_TOLD_MAX],
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

fn asked<'a>(
    request: &'a str,
    lang: Lang,
    toolbox: &'a Toolbox,
    around: &'a Surroundings,
    now: &'a jiff::Zoned,
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

/// The same bytes for two people who have nothing in common, with every usual tool and nothing of either household.
#[tokio::test]
async fn the_stable_part_is_the_same_for_everybody_and_holds_the_tools() {
    let server = ScriptedLlama::start().await;
    server.when("", Script::Say(PLAN.to_owned()));
    let llm = LlmClient::new(&server.config()).unwrap();
    let catalog = catalog();
    let tokyo: jiff::Zoned = "2027-11-30T23:59:00+09:00[Asia/Tokyo]".parse().unwrap();
    for (request, lang, names, around, now) in [
        ("what time is it", Lang::EN, "get_now", Surroundings::default(), now()),
        (
            "sposta i file jpg",
            Lang::IT,
            tools::ALL,
            full("sposta i file jpg", Lang::IT),
            tokyo,
        ),
    ] {
        let toolbox = Toolbox::new(&catalog, &tools::shortlist(names));
        let request = ProposalRequest {
            excluded: &["find_files()".to_owned()],
            errors: &["step 1 has no `base_path`".to_owned()],
            ..asked(request, lang, &toolbox, &around, &now)
        };
        propose(&llm, &request, &Meter::default()).await.unwrap();
    }
    let sent: Vec<String> = server
        .requests()
        .iter()
        .map(|request| request["messages"][0]["content"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(sent[0], sent[1]);
    let stable = Toolbox::new(&catalog, &[]).stable;
    assert_eq!(sent[0], prompt::system(&stable));
    for tool in &stable {
        assert!(sent[0].contains(&format!("\n{}(", tool.name)), "{}", tool.name);
    }
    for changing in [
        "insurance",
        "2026",
        "2027",
        "Europe/",
        "Asia/",
        "Italian",
        "English",
        "NOT THIS",
    ] {
        assert!(!sent[0].contains(changing), "{changing}");
    }
}

/// A rule about a tool that is not there would only mislead.
#[test]
fn every_tool_that_the_rules_name_is_always_shown() {
    let catalog = catalog();
    let stable = Toolbox::new(&catalog, &[]).stable;
    let rules = prompt::system(&[]);
    let words: Vec<&str> = rules
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .collect();
    let named: Vec<_> = catalog
        .iter()
        .filter(|tool| words.contains(&tool.name.as_str()))
        .collect();
    assert!(!named.is_empty());
    for tool in named {
        let shown: Vec<&str> = stable.iter().map(|tool| tool.name.as_str()).collect();
        assert!(stable.contains(tool), "{} is not one of {shown:?}", tool.name);
    }
}

/// Which tools come with a request changes nothing of what everybody is shown, and none is shown twice.
#[test]
fn an_added_tool_is_shown_only_where_it_is_called_for() {
    let mut catalog = catalog();
    let without = prompt::system(&Toolbox::new(&catalog, &[]).stable);
    catalog.push(added());
    let around = Surroundings::default();
    for (shortlist, is_shown) in [
        (tools::shortlist("find_files get_now"), false),
        ([tools::shortlist("find_files get_now"), vec![added()]].concat(), true),
    ] {
        let toolbox = Toolbox::new(&catalog, &shortlist);
        assert_eq!(prompt::system(&toolbox.stable), without);
        let user = prompt::user(&asked("when is the tide high", Lang::EN, &toolbox, &around, &now()));
        assert_eq!(user.contains("MORE TOOLS\nget_files_tide("), is_shown, "{user}");
        let whole = format!("{without}\n{user}");
        for tool in toolbox.all() {
            assert_eq!(whole.matches(&format!("\n{}(", tool.name)).count(), 1, "{}", tool.name);
        }
    }
}

#[test]
fn all_that_is_around_is_told_and_the_request_comes_last() {
    let toolbox = Toolbox::new(&catalog(), &[]);
    let request = "throw the second one away";
    let (around, now) = (full(request, Lang::IT), now());
    let user = prompt::user(&ProposalRequest {
        excluded: &["delete_files(paths)".to_owned()],
        errors: &["step 1: there is no such file".to_owned()],
        ..asked(request, Lang::IT, &toolbox, &around, &now)
    });
    let mut at = 0;
    for part in [
        "EXAMPLES\n",
        "HOME\n~/docs/insurance/claim 1 of the car.pdf\n",
        "BEFORE\nwhich claims",
        "\n2. ~/docs/insurance/claim 2 of the car.pdf\n",
        "NOT THIS PLAN AGAIN\n- delete_files(paths)\n",
        "WRONG IN THE LAST PLAN\n- step 1: there is no such file\n",
        "NOW Thursday 2026-03-05 10:00 Europe/Rome\n",
        "REQUEST (in Italian)\nthrow the second one away",
    ] {
        let found = user[at..]
            .find(part)
            .unwrap_or_else(|| panic!("{part} after {at}:\n{user}"));
        at += found + part.len();
    }
    assert_eq!(at, user.len());
}

#[test]
fn a_prompt_is_worth_keeping_and_stays_small() {
    let toolbox = Toolbox::new(&catalog(), &tools::shortlist(tools::ALL));
    let system = prompt::system(&toolbox.stable);
    let stable = tokens(&system);
    assert!(stable >= STABLE_TOKENS_MIN, "{stable:.0} tokens");
    for (request, lang) in [
        ("find the pdf files in ~/docs modified this week", Lang::EN),
        ("trova i file pdf in ~/docs modificati questa settimana", Lang::IT),
    ] {
        let user = prompt::user(&asked(request, lang, &toolbox, &full(request, lang), &now()));
        let own = tokens(&user);
        assert!(
            stable + own <= WHOLE_TOKENS_MAX,
            "{stable:.0} and {own:.0} tokens:\n{user}"
        );
    }
}
