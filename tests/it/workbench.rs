//! WorkBench's calendar and mail tasks, played on real servers: Dovecot, an SMTP server and Radicale
//! (`scripts/testbed/`). `just workbench` runs it; the tasks are no part of this repository. What became of the office
//! is read from the servers' own folders, and never from what metnos says.
//!
//! With `plans` a scripted model gives the plan that a planner who is always right would write: it finds its targets by
//! who, what and when. With `rules` there is no model, with `model` a real one.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

mod large;
mod office;
mod plans;

use std::{collections::BTreeMap, io::Write as _, time::Duration};

use jiff::Timestamp;
use metnos::{
    agenda::{Agenda, Where},
    app::DATABASE,
    clock::Clock,
    config::{AgendaConfig, EngineChoice, MailConfig, Secret},
    domain::{account::Service, ids::ChannelKind, reply::ButtonKind},
    mail::Mail,
    store::Store,
};
use serde_json::{Value, json};

use crate::support::{
    bot::{Setup, TestBot},
    llama::ScriptedLlama,
};
use office::{Bed, Office, State};

/// The moment of every task, a Thursday: midnight where the office is.
const NOW: &str = "2023-11-29T23:00:00Z";
/// Cards one request may show before it counts as unfinished.
const CARDS_MAX: usize = 3;
/// How long a real model may take over one request.
const PATIENCE: Duration = Duration::from_secs(240);

/// What came of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Came {
    /// The end state is the one that was asked for.
    Right,
    /// Nothing changed, although something had to.
    Nothing,
    /// Something else changed, or not all of it.
    Unwanted,
}

/// Who plans.
enum Planner {
    Plans(ScriptedLlama),
    Rules,
    Model(String),
}

impl Planner {
    fn setup(&self) -> Setup {
        let own = match self {
            Self::Plans(server) => return scripted(server),
            Self::Rules => Setup {
                engine: EngineChoice::Simple,
                ..Setup::default()
            },
            Self::Model(url) => Setup {
                llm_url: Some(url.clone()),
                engine: EngineChoice::Auto,
                patience: PATIENCE,
                ..Setup::default()
            },
        };
        in_office(own)
    }
}

/// A planner that answers as it is told.
fn scripted(server: &ScriptedLlama) -> Setup {
    in_office(Setup {
        llm: Some(server.config()),
        engine: EngineChoice::Metis,
        ..Setup::default()
    })
}

/// At the moment of the tasks, trusting the test bed's authorities.
fn in_office(own: Setup) -> Setup {
    Setup {
        clock: Clock::fixed(NOW.parse::<Timestamp>().unwrap()),
        ca_file: Some(Bed::of("METNOS_LIVE_MAIL").folder.join("tls/ca.pem")),
        agenda_ca_file: Some(Bed::of("METNOS_LIVE_DAV_URL").folder.join("tls/ca.pem")),
        ..own
    }
}

/// A bot whose host has accounts at the office's servers.
async fn at_work(setup: Setup) -> TestBot {
    let (mail_bed, dav_bed) = (Bed::of("METNOS_LIVE_MAIL"), Bed::of("METNOS_LIVE_DAV_URL"));
    let mut bot = TestBot::with(setup).await;
    bot.says("hello").await;
    let store = Store::open(&bot.data_dir().join(DATABASE)).unwrap();
    let host = store.host().await.unwrap().unwrap();
    let clock = Clock::fixed(NOW.parse::<Timestamp>().unwrap());
    let config = AgendaConfig {
        ca_file: Some(dav_bed.folder.join("tls/ca.pem")),
        ..AgendaConfig::default()
    };
    let agenda = Agenda::new(&config).with_servers(store.clone(), clock.clone());
    let address = format!("https://localhost:{}/", dav_bed.port);
    let secret = || Secret::new("bedpass".to_owned());
    for service in [Service::Caldav, Service::Carddav] {
        let found = agenda.find(service, &address, true).await.unwrap();
        let Where::There { servers, .. } = found else {
            panic!("{found:?}");
        };
        let id = format!("account-{}", service.as_str()).as_str().into();
        let tried = agenda.try_out((id, service), (&address, office::DAV_USER), &servers, secret());
        let account = tried.await.unwrap();
        store.put_person_account(&host.id, account, 0).await.unwrap();
    }
    let config = MailConfig {
        ca_file: Some(mail_bed.folder.join("tls/ca.pem")),
        hold_s: 0,
    };
    let mail = Mail::new(store.clone(), clock, config);
    let address = format!("{}@bed.local", office::MAIL_USER);
    let (imap, smtp) = (
        format!("localhost:{}", mail_bed.port),
        format!("localhost:{}", mail_bed.port + 3),
    );
    let servers = mail.named(&address, &imap, &smtp).await.unwrap();
    let servers = serde_json::to_value(servers).unwrap();
    let account = mail.try_out("account-mail".into(), &address, servers, secret());
    store
        .put_person_account(&host.id, account.await.unwrap(), 0)
        .await
        .unwrap();
    bot
}

/// Asks for it, with a yes to every card; everything that was said.
async fn asks(bot: &mut TestBot, query: &str) -> Vec<String> {
    let mut said = vec![bot.says(query).await];
    for _ in 0..CARDS_MAX {
        if !bot.buttons().iter().any(|button| button.kind == ButtonKind::Approve) {
            break;
        }
        bot.taps(ButtonKind::Approve).await;
        said.push(bot.hears(ChannelKind::Terminal).await.plain());
    }
    said
}

async fn play(office: &Office, task: &Value, planner: &Planner) -> (Came, Vec<String>) {
    office.lay_out();
    let before = office.state();
    if let Planner::Plans(server) = planner {
        let plan = json!({"steps": plans::right(office, task), "show": true}).to_string();
        server.next(crate::support::llama::Script::Say(plan));
    }
    let mut bot = at_work(planner.setup()).await;
    let said = asks(&mut bot, task["query"].as_str().unwrap()).await;
    let ways = bot.turn_log().await;
    bot.stop().await;
    let after = office.state();
    let wanted = before.with(&task["end_state"]);
    let came = if after == wanted {
        Came::Right
    } else if after == before {
        Came::Nothing
    } else {
        Came::Unwanted
    };
    let mut told = said;
    let read = ways.iter().filter(|turn| turn["user_query"] == task["query"]);
    told.extend(read.map(|turn| turn["path"].to_string()));
    if came == Came::Unwanted {
        told.push(difference(&wanted, &after));
    }
    (came, told)
}

fn difference(wanted: &State, found: &State) -> String {
    let lines = |one: &State| one.lines();
    let (wanted, found) = (lines(wanted), lines(found));
    let missing = wanted.difference(&found).map(|line| format!("- {line}"));
    let unwanted = found.difference(&wanted).map(|line| format!("+ {line}"));
    missing.chain(unwanted).collect::<Vec<_>>().join("\n      ")
}

/// Plays all of them and says what came of each kind. `METNOS_WORKBENCH` is the folder with the tasks,
/// `METNOS_WORKBENCH_PLANNER` is `plans`, `rules` or `model`, `METNOS_WORKBENCH_ONLY` a part of the ids.
#[tokio::test]
#[ignore = "a report, not a test: see `just workbench`"]
#[expect(
    clippy::disallowed_methods,
    reason = "a report is told what to play by its environment"
)]
async fn report() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let office = Office::read(variable("METNOS_WORKBENCH").as_ref());
    let planner = match variable("METNOS_WORKBENCH_PLANNER").as_str() {
        "plans" => Planner::Plans(ScriptedLlama::start().await),
        "model" => Planner::Model(variable("METNOS_LIVE_LLM_URL")),
        _ => Planner::Rules,
    };
    let only = variable("METNOS_WORKBENCH_ONLY");
    let mut out = std::io::stdout();
    let mut came_of: BTreeMap<String, BTreeMap<Came, usize>> = BTreeMap::new();
    for task in office
        .tasks
        .iter()
        .filter(|task| task["id"].as_str().unwrap().contains(&only))
    {
        let (came, told) = play(&office, task, &planner).await;
        if came != Came::Right {
            writeln!(out, "{came:?} {} «{}»", task["id"], task["query"].as_str().unwrap()).unwrap();
            for line in told {
                writeln!(out, "    {line}").unwrap();
            }
        }
        let kind = task["template"].as_str().unwrap().to_owned();
        *came_of.entry(kind).or_default().entry(came).or_default() += 1;
        let all = came_of.entry("all".to_owned()).or_default();
        *all.entry(came).or_default() += 1;
    }
    for (kind, came) in came_of {
        writeln!(out, "{came:?}  {kind}").unwrap();
    }
}
