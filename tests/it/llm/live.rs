//! The proposer against a real llama-server. Needs the feature `live` and
//! `METNOS_LIVE_LLM_URL` (and `METNOS_LIVE_LLM_MODEL` for a router); `scripts/testbed/llama.sh` starts one.
//!
//! A small model is not always right, so the test asserts the form of every answer and a share of right ones, and
//! prints all of them.

#![expect(clippy::expect_used, reason = "without a server there is nothing to test")]

use std::io::Write as _;

use metnos::{
    config::{LlmConfig, Tiers},
    domain::{
        lang::Lang,
        vocabulary::{Object, Verb},
    },
    engine::proposer::{Proposal, ProposalRequest, ProposeError, Said, Surroundings, Toolbox, examples, propose},
    llm::{LlmClient, Meter},
};

use super::{now, prompt::catalog, tools};

struct Case {
    lang: Lang,
    request: &'static str,
    /// What it asks for; a plan is right without it.
    asks: Option<(Verb, Object)>,
    /// Its shortlist.
    tools: &'static str,
    /// Shapes that are right, or words of arguments that must be there; `cannot` for an honest no.
    right: &'static [&'static str],
    holds: &'static [&'static str],
}

const HELPERS: &str = "filter_entries sort_entries group_entries compute_entries describe_entries";

const CASES: &[Case] = &[
    Case {
        lang: Lang::EN,
        request: "what time is it",
        asks: Some((Verb::Get, Object::Now)),
        tools: "get_now get_processes list_dirs find_files",
        right: &["get_now()"],
        holds: &[],
    },
    Case {
        lang: Lang::IT,
        request: "che giorno è oggi",
        asks: Some((Verb::Get, Object::Now)),
        tools: "get_now get_processes list_dirs find_files",
        right: &["get_now()"],
        holds: &[],
    },
    Case {
        lang: Lang::EN,
        request: "list the files in ~/docs",
        asks: Some((Verb::List, Object::Dirs)),
        tools: "list_dirs find_files get_files read_files delete_files move_files create_dirs",
        right: &[
            "list_dirs(path)",
            "find_files(base_path)",
            // Another order, and what is left out by default.
            "list_dirs(include_hidden,path,sort,totals)",
        ],
        holds: &["~/docs"],
    },
    Case {
        lang: Lang::EN,
        request: "find the pdf files in ~/docs modified this week",
        asks: Some((Verb::Find, Object::Files)),
        tools: "find_files list_dirs get_files read_files move_files",
        right: &[
            "find_files(base_path,modified_window,pattern)",
            "find_files(base_path,modified_window,pattern,recursive)",
        ],
        holds: &["~/docs", "*.pdf", "this-week"],
    },
    Case {
        lang: Lang::IT,
        request: "quanti file markdown ci sono in ~/notes",
        asks: Some((Verb::Find, Object::Files)),
        tools: "find_files list_dirs get_files read_files move_files",
        right: &[
            "find_files(base_path,pattern) → compute_entries(from_step,op)",
            "find_files(base_path,pattern)",
        ],
        holds: &["~/notes", "*.md"],
    },
    Case {
        lang: Lang::EN,
        request: "read ~/notes/diary.md and show me the last three lines",
        asks: Some((Verb::Read, Object::Files)),
        tools: "read_files filter_texts_lines find_files get_files list_dirs write_files",
        right: &["read_files(paths) → filter_texts_lines(from_step,last)"],
        holds: &["~/notes/diary.md", "\"last\":3"],
    },
    Case {
        lang: Lang::EN,
        request: "fetch http://127.0.0.1:8123/uuid and tell me only the uuid",
        asks: Some((Verb::Get, Object::Urls)),
        tools: "get_urls read_urls_html filter_texts_lines write_files",
        right: &["get_urls(urls)"],
        holds: &["http://127.0.0.1:8123/uuid", "data.uuid"],
    },
    Case {
        lang: Lang::EN,
        request: "save the page http://127.0.0.1:8123/article to ~/notes/article.md \
            and tell me how many bytes you wrote",
        asks: Some((Verb::Write, Object::Files)),
        tools: "write_files read_urls_html get_urls read_files find_files create_dirs",
        right: &[
            "read_urls_html(urls) → write_files(content,path)",
            "get_urls(urls) → write_files(content,path)",
            "read_urls_html(urls) → write_files(content,mode,path)",
            "get_urls(urls) → read_urls_html(from_step) → write_files(content,path)",
        ],
        holds: &[
            "http://127.0.0.1:8123/article",
            "~/notes/article.md",
            "\"content\":\"${step",
        ],
    },
    Case {
        lang: Lang::EN,
        request: "move the jpg files from ~/in to ~/photos",
        asks: Some((Verb::Move, Object::Files)),
        tools: "move_files find_files list_dirs get_files read_files delete_files create_dirs",
        right: &["find_files(base_path,pattern) → move_files(dst_dir,from_step)"],
        holds: &["~/in", "*.jpg", "~/photos"],
    },
    Case {
        lang: Lang::EN,
        request: "delete ~/docs/old.txt",
        asks: Some((Verb::Delete, Object::Files)),
        tools: "delete_files find_files list_dirs get_files read_files move_files",
        right: &[
            "delete_files(paths)",
            "find_files(base_path,pattern) → delete_files(from_step)",
        ],
        holds: &["old.txt"],
    },
    Case {
        lang: Lang::EN,
        request: "which process uses the most memory",
        asks: Some((Verb::Get, Object::Processes)),
        tools: "get_processes get_now find_files",
        right: &[
            // The manifest's own order is by memory.
            "get_processes()",
            "get_processes(sort_by,top)",
            "get_processes(top)",
            "get_processes(sort_by)",
            "get_processes() → sort_entries(by,desc,from_step,top)",
            "get_processes(sort_by,top) → sort_entries(by,desc,from_step,top)",
        ],
        holds: &[],
    },
    Case {
        lang: Lang::EN,
        request: "read ~/.ssh/id_rsa",
        asks: Some((Verb::Read, Object::Files)),
        tools: "read_files find_files list_dirs get_files filter_texts_lines write_files",
        right: &["read_files(paths)"],
        holds: &["~/.ssh/id_rsa"],
    },
    Case {
        lang: Lang::EN,
        request: "book me a flight to Rome",
        asks: None,
        tools: "request_new_executor get_urls read_urls_html find_files get_now",
        right: &["cannot", "request_new_executor(description)"],
        holds: &[],
    },
    Case {
        lang: Lang::IT,
        request: "quali sono i tre file più grandi in ~/video",
        asks: Some((Verb::Find, Object::Files)),
        tools: "find_files list_dirs get_files",
        right: &["find_files(base_path) → sort_entries(by,desc,from_step,top)"],
        holds: &["~/video", "\"top\":3", "\"by\":\"size\""],
    },
    Case {
        lang: Lang::IT,
        request: "crea la cartella ~/viaggi/roma",
        asks: Some((Verb::Create, Object::Dirs)),
        tools: "create_dirs list_dirs find_files write_files move_files",
        right: &["create_dirs(paths)"],
        holds: &["~/viaggi/roma"],
    },
    Case {
        lang: Lang::IT,
        request: "scrivi \"comprare il latte\" in ~/notes/spesa.txt",
        asks: Some((Verb::Write, Object::Files)),
        tools: "write_files read_files find_files create_dirs filter_texts_lines",
        right: &["write_files(content,path)", "write_files(content,mode,path)"],
        holds: &["comprare il latte", "~/notes/spesa.txt"],
    },
];

#[expect(
    clippy::disallowed_methods,
    reason = "where the live server is, is for the person who runs the tests to say"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn config() -> LlmConfig {
    LlmConfig {
        url: Some(variable("METNOS_LIVE_LLM_URL").expect("METNOS_LIVE_LLM_URL names the live llama-server")),
        model: variable("METNOS_LIVE_LLM_MODEL"),
        tiers: Tiers::default().waiting(240, 120),
        seed: 42,
        ..LlmConfig::default()
    }
}

/// The home that the cases are said in.
fn around(case: &Case) -> Surroundings {
    let folders = ["~/docs", "~/foto", "~/in", "~/notes", "~/photos", "~/video"];
    Surroundings {
        folders: folders.map(|folder| (folder.to_owned(), 12)).to_vec(),
        examples: examples::nearest(case.request, case.lang, &[]),
        ..Surroundings::default()
    }
}

/// The shape of a plan or the kind of another answer, and all that was written.
fn written(proposed: &Result<Proposal, ProposeError>) -> (String, String) {
    match proposed {
        Ok(Proposal { said, .. }) => match said {
            Said::Plan(plan) => (plan.shape(), plan.to_json().to_string()),
            Said::CannotDo { missing } => ("cannot".to_owned(), missing.clone()),
            Said::Answer(words) => ("answer".to_owned(), words.clone()),
            Said::Unsure { question, .. } => ("question".to_owned(), question.clone()),
        },
        Err(error) => ("error".to_owned(), format!("{error:?}")),
    }
}

#[tokio::test]
async fn a_real_model_plans() {
    let llm = LlmClient::new(&config()).unwrap();
    let only = variable("METNOS_LIVE_ONLY").unwrap_or_default();
    let (now, catalog) = (now(), catalog());
    let mut out = std::io::stdout();
    let (mut asked, mut right, mut understood) = (0, 0, 0);
    for case in CASES.iter().filter(|case| case.request.contains(&only)) {
        let meter = Meter::default();
        let request = ProposalRequest {
            request: case.request,
            lang: case.lang,
            toolbox: &Toolbox::new(&catalog, &tools::shortlist(&format!("{} {HELPERS}", case.tools))),
            around: &around(case),
            excluded: &[],
            errors: &[],
            now: &now,
        };
        let answer = propose(&llm, &request, &meter).await;
        let (shape, text) = written(&answer);
        let is_right = case.right.contains(&shape.as_str()) && case.holds.iter().all(|words| text.contains(words));
        let took_for = answer.ok().map(|proposal| proposal.asked);
        let is_understood = case.asks == took_for.and_then(|asked| asked.verb.zip(asked.object));
        asked += 1;
        right += usize::from(is_right);
        understood += usize::from(is_understood);
        let used = meter.used();
        let mark = if is_right { "right" } else { "WRONG" };
        writeln!(
            out,
            "{mark} {} ({} ms, in {}, cached {}, out {})\n      {took_for:?}\n      {text}",
            case.request, used.latency_ms, used.tokens_in, used.tokens_cached, used.tokens_out
        )
        .unwrap();
        assert_ne!(shape, "error", "{}: {text}", case.request);
    }
    writeln!(
        out,
        "{right} of {asked} right, {understood} understood by verb and object"
    )
    .unwrap();
    assert!(right * 3 >= asked * 2, "{right} of {asked} right");
}
