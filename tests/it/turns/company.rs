//! Who is at an event: noted as the address book knows them, asked for by name, and told of by nobody; and events that
//! are put off by a time. Planned by a scripted model, on the calendar of a home.

use metnos::{clock::Clock, config::EngineChoice};
use serde_json::{Value, json};

use crate::{
    model::plan,
    support::{
        bot::{Setup, TestBot},
        llama::ScriptedLlama,
    },
};

/// A Thursday, in the middle of the day in Rome.
const AT: &str = "2026-11-26T11:00:00Z";

struct Desk {
    bot: TestBot,
    llama: ScriptedLlama,
}

impl Desk {
    async fn new() -> Self {
        let llama = ScriptedLlama::start().await;
        let setup = Setup {
            llm: Some(llama.config()),
            engine: EngineChoice::Metis,
            clock: Clock::fixed(AT.parse().unwrap()),
            ..Setup::default()
        };
        let bot = TestBot::with(setup).await;
        let card = |name: &str, email: &str| {
            format!(
                "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{email}\r\nFN:{name}\r\nN:;{name};;;\r\nEMAIL:{email}\r\nEND:VCARD\r\n"
            )
        };
        bot.file(".contacts/olga.vcf", &card("Olga Petrova", "olga@example.org"));
        bot.file(".contacts/anna.vcf", &card("Anna Rossi", "anna@example.org"));
        bot.file(".contacts/anna2.vcf", &card("Anna Bianchi", "bianchi@example.org"));
        Self { bot, llama }
    }

    /// Asks for what only the model knows a plan for, with a yes where it is shown first.
    async fn does(&mut self, request: &str, steps: Value) -> String {
        self.llama.next(plan(&steps));
        let said = self.bot.says(request).await;
        if said.contains("May I") || said.contains("Shall I") {
            self.bot.says("yes").await
        } else {
            said
        }
    }

    /// The one event there is, as it lies in the home.
    fn event(&self) -> String {
        let folder = self.bot.home().join(".calendar");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let texts = files.filter_map(|path| std::fs::read_to_string(path).ok());
        texts.collect::<Vec<_>>().join("\n")
    }
}

#[tokio::test]
async fn who_is_there_is_noted_found_and_told_by_nobody() {
    let mut desk = Desk::new().await;
    let new = json!([{"tool": "create_events", "args":
        {"title": "Planning", "when": "2026-12-01T15:30", "duration_s": 5400, "with": "olga, Zoe"}}]);
    let said = desk
        .does("arrange Planning for 2026-12-01T15:30 with olga and Zoe as agreed", new)
        .await;
    let text = desk.event().replace("\r\n ", "");
    assert!(
        text.contains("mailto:olga@example.org") && text.contains("CN=Olga Petrova"),
        "{said}\n{text}"
    );
    assert!(
        text.contains("SCHEDULE-AGENT=NONE") && text.contains("CN=Zoe"),
        "{text}"
    );

    let look = |with: &str| json!([{"tool": "read_events", "args": {"with": with}}]);
    let said = desk
        .does("look up what there is with Olga as agreed", look("Olga"))
        .await;
    assert!(said.contains("Planning") && said.contains("Olga Petrova"), "{said}");
    let said = desk.does("look up what there is with Zoe as agreed", look("zoe")).await;
    assert!(said.contains("Planning"), "{said}");
    let said = desk
        .does("look up what there is with Luca as agreed", look("Luca"))
        .await;
    assert!(!said.contains("Planning"), "{said}");

    let two = json!([{"tool": "create_events", "args": {"title": "Tea", "when": "2026-12-02T15:30", "with": "Anna"}}]);
    let said = desk
        .does("arrange Tea for 2026-12-02T15:30 with Anna as agreed", two)
        .await;
    assert!(
        said.contains("Anna Rossi") && said.contains("Anna Bianchi"),
        "nobody is guessed: {said}"
    );
    assert!(!desk.event().contains("Tea"), "{said}");
}

#[tokio::test]
async fn an_event_is_put_off_by_a_time_and_comes_back() {
    let mut desk = Desk::new().await;
    let new = json!([{"tool": "create_events", "args": {"title": "Dentist", "when": "2026-12-01T15:30"}}]);
    desk.does("arrange the Dentist for 2026-12-01T15:30 as agreed", new)
        .await;
    let later = json!([
        {"tool": "read_events", "args": {"about": "Dentist"}},
        {"tool": "set_events", "args": {"from_step": 1, "by_s": 5400}}
    ]);
    let said = desk.does("put the Dentist off by 90 minutes as agreed", later).await;
    assert!(desk.event().contains("20261201T170000"), "{said}\n{}", desk.event());
    let said = desk.bot.says("undo").await;
    assert!(desk.event().contains("20261201T153000"), "{said}\n{}", desk.event());
}
