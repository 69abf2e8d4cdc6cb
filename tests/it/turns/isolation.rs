//! Everybody's things are their own: every row of every table has an owner, what one person does leaves no mark on what
//! another has or is served, and a guest who tries to reach further gets a no.

mod day;

use std::{collections::BTreeMap, fs, os::unix::fs::symlink, path::Path};

use metnos::domain::{
    feedback::Sign,
    ids::{ChannelKind, ConversationId, MessageId, SenderId},
    inbound::{Inbound, InboundBody},
    reply::ButtonKind,
};
use rusqlite::types::Value as Column;
use serde_json::json;

use self::day::{TELLING, live_a_day, telling};
use super::{button, database, layer, pair, remember, remember_of, rows};
use crate::{
    model::{PLANNING, plan},
    support::{
        bot::{Setup, TestBot},
        llama::ScriptedLlama,
    },
};

/// Tables whose rows name no owner in a column `actor`, and why.
const WITHOUT_OWNER: &[(&str, &str)] = &[
    ("actors", "each row is a person; its id is the owner everywhere else"),
    ("strangers", "senders nobody knows; forgotten when they pair"),
    ("cursors", "how far a channel's own stream was read; nobody's"),
    ("executors_known", "what the catalog holds, and since when; nobody's"),
    ("sqlite_sequence", "SQLite's own counters"),
    ("papers_words", "stems by the rows of `papers`, and gone with them"),
    ("papers_words_config", "of `papers_words`"),
    ("papers_words_data", "of `papers_words`"),
    ("papers_words_docsize", "of `papers_words`"),
    ("papers_words_idx", "of `papers_words`"),
];

/// Tables with owners that a day may leave empty, and why.
const EMPTY: &[(&str, &str)] = &[
    (
        "accounts",
        "is of households that were asked for a key: `turns::missing`",
    ),
    (
        "offers",
        "is of households whose model was not certain: `model::offers`",
    ),
    ("person_accounts", "is of people with mail or calendars: `mail`"),
    ("dav_collections", "is of people with calendars on a server: `dav`"),
    ("dav_items", "is of people with calendars on a server: `dav`"),
    ("sent_mail", "is of people with mail: `mail`"),
    ("digests", "written at night: `nights`"),
    ("papers", "is of homes with documents: `turns::papers`"),
    ("photos", "is of homes with photos: `turns::photo_places`"),
    (
        "photo_captions",
        "is of homes whose model takes pictures: `turns::captions`",
    ),
    ("promotions", "of families that grew for months: `nights::promotion`"),
    ("proposals", "of families that grew for months: `nights::promotion`"),
    ("progress", "written by channels that show it, and gone with the answer"),
    (
        "scratchpad",
        "holds results that are large, such as the processes of a busy machine",
    ),
    ("usual_times", "written at night: `nights`"),
    (
        "lent_agendas",
        "is of houses whose host shares a calendar: `turns::sharing`",
    ),
    ("shares", "is of houses whose host shares something: `turns::sharing`"),
    (
        "settings",
        "is of households whose host said something for all: `search`",
    ),
    ("spending", "is of households that ask a provider: `model::spending`"),
];

#[tokio::test]
async fn every_row_of_every_table_has_an_owner() {
    let mut bot = TestBot::new().await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    live_a_day(&mut bot, "anna").await;
    live_a_day(&mut bot, "host-phone").await;
    bot.telegram("mallory", "hello").await;
    for table in tables(&bot) {
        let exempt = WITHOUT_OWNER.iter().find(|(name, _)| *name == table);
        assert_eq!(
            is_owned(&bot, &table),
            exempt.is_none(),
            "`{table}` needs a column `actor`, or a reason here ({exempt:?})"
        );
        if exempt.is_none() {
            let strays = match table.as_str() {
                // The jobs of the house are nobody's.
                "tasks" | "task_runs" => "kind <> 'job' AND (actor IS NULL OR actor NOT IN (SELECT id FROM actors))",
                _ => "actor IS NULL OR actor NOT IN (SELECT id FROM actors)",
            };
            let strays = rows(
                &bot,
                &format!("SELECT '{table} ' || rowid FROM \"{table}\" WHERE {strays}"),
            );
            // The stranger's message and the one polite line; a code for a newcomer is nobody's yet.
            let expected = match table.as_str() {
                "inbox" | "outbox" => 1,
                "pairing_codes" => 2,
                _ => 0,
            };
            assert_eq!(strays.len(), expected, "{strays:?}");
            let is_empty = rows(&bot, &format!("SELECT 'x' FROM \"{table}\"")).is_empty();
            let may_be = EMPTY.iter().any(|(name, _)| *name == table);
            assert!(!is_empty || may_be, "a day with everything in it fills `{table}`");
        }
    }
}

#[tokio::test]
async fn what_a_guest_does_leaves_no_mark_on_anybody_else() {
    let mut bot = TestBot::new().await;
    for sender in ["host-phone", "anna", "bruno"] {
        pair(&mut bot, sender).await;
    }
    for sender in ["host-phone", "bruno"] {
        live_a_day(&mut bot, sender).await;
    }
    let (host, bruno) = (
        everything_of(&bot, "host-phone").await,
        everything_of(&bot, "bruno").await,
    );
    assert!(host.len() > 20 && bruno.len() > 20, "{} {}", host.len(), bruno.len());
    live_a_day(&mut bot, "anna").await;
    bot.telegram("anna", "lower autonomy").await;
    bot.telegram("anna", "/me name Anna Rossi").await;
    assert_eq!(everything_of(&bot, "host-phone").await, host);
    assert_eq!(everything_of(&bot, "bruno").await, bruno);
    let anna = everything_of(&bot, "anna").await;
    assert!(anna.len() > 20, "{}", anna.len());
    // And it is not even shown: what they can ask about is theirs.
    for sender in ["host-phone", "bruno"] {
        bot.telegram(sender, "how many txt files are in ~/box").await;
        assert_eq!(layer(&bot), "fastpath 0", "{sender} is served what they taught");
    }
}

/// Where somebody is, what they sent, judged or told in secret is known to nobody else.
#[tokio::test]
async fn a_guest_is_told_nothing_of_what_another_shared_sent_or_kept_secret() {
    let mut bot = TestBot::new().await;
    for sender in ["host-phone", "anna", "bruno"] {
        pair(&mut bot, sender).await;
    }
    for sender in ["host-phone", "anna"] {
        live_a_day(&mut bot, sender).await;
    }
    let before = [
        everything_of(&bot, "host-phone").await,
        everything_of(&bot, "anna").await,
    ];
    let said = bot.transcript().len();
    let asked = bot.telegram("bruno", "where am i").await;
    assert!(asked.starts_with("Where are you?"), "{asked}");
    bot.telegram("bruno", "annulla").await;
    // "It" is what he sent himself, and he sent nothing.
    bot.telegram("bruno", "rename it to mine.txt").await;
    bot.telegram("bruno", "list ~/inbox").await;
    bot.telegram("bruno", "undo").await;
    // The same form asks him for his own secret, and his own alone is sealed.
    remember_of(&bot, &id_of(&bot, "bruno"), TELLING, &telling());
    bot.telegram("bruno", TELLING).await;
    bot.telegram("bruno", "plugh").await;
    let own = bot.telegram("bruno", "read ~/box/code.txt").await;
    let handles = rows(&bot, "SELECT 'secret:' || id FROM secrets ORDER BY rowid");
    assert_eq!(handles.len(), 3);
    assert!(own.contains(&handles[2]), "{own} {handles:?}");
    // Nor does he judge what they were told, even in a room with them.
    let theirs = "SELECT conversation || ' ' || value FROM outbox, json_each(sent_parts)
                  WHERE value IS NOT NULL AND conversation <> 'bruno'";
    for (number, shown) in rows(&bot, theirs).iter().enumerate() {
        let (conversation, about) = shown.split_once(' ').unwrap();
        let toast = reacts_in(&bot, "bruno", conversation, &format!("r{number}"), about).await;
        assert!(toast.is_empty() || toast.starts_with("Only the person"), "{toast}");
    }
    let heard = bot.transcript().split_off(said);
    for foreign in [
        "45.46",
        "note-",
        "xyzzy",
        &handles[0],
        &handles[1],
        "anna",
        "host-phone",
    ] {
        assert!(!heard.contains(foreign), "{foreign} in {heard}");
    }
    assert_eq!(
        [
            everything_of(&bot, "host-phone").await,
            everything_of(&bot, "anna").await
        ],
        before
    );
}

/// The same words mean each person's own plan, whatever the other's was.
#[tokio::test]
async fn the_same_request_with_another_plan_changes_nothing_for_the_host() {
    let llama = ScriptedLlama::start().await;
    let setup = Setup {
        llm: Some(llama.config()),
        ..Setup::default()
    };
    let mut bot = TestBot::with(setup).await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    bot.file("docs/diary.txt", "dear diary");
    let request = "have a look around in ~/docs";
    remember(
        &bot,
        request,
        &json!({"steps": [{"tool": "list_dirs", "args": {"path": "~/docs"}}], "show": true}),
    );
    let before = bot.telegram("host-phone", request).await;
    assert_eq!(layer(&bot), "fastpath 0");
    llama.when(
        PLANNING,
        plan(&json!([{"tool": "find_files", "args": {"base_path": "~/docs", "pattern": "*.pdf"}}])),
    );
    for _ in 0..3 {
        bot.telegram("anna", request).await;
        if bot.buttons().iter().any(|shown| shown.kind == ButtonKind::Confirm) {
            let confirm = button(&bot, ButtonKind::Confirm);
            bot.telegram_taps("anna", &confirm).await;
        }
    }
    let after = bot.telegram("host-phone", request).await;
    assert_eq!(layer(&bot), "fastpath 0");
    assert_eq!(after, before);
    assert!(after.contains("diary.txt"), "{after}");
}

#[tokio::test]
async fn a_guest_presses_none_of_the_hosts_buttons() {
    let mut bot = TestBot::new().await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    bot.file("a.txt", "a");
    bot.telegram("host-phone", "how many txt files are in ~").await;
    let mut buttons = bot.buttons().to_vec();
    bot.telegram("host-phone", "delete ~/a.txt").await;
    buttons.extend(bot.buttons().iter().cloned());
    assert_eq!(buttons.len(), 5);
    let before = everything_of(&bot, "host-phone").await;
    for button in &buttons {
        for sender in ["anna", "mallory"] {
            let toast = bot.telegram_taps(sender, button).await;
            let refused = toast.starts_with("Only the person who asked") || toast.starts_with("This assistant belongs");
            assert!(refused, "{sender} {:?}: {toast}", button.kind);
        }
    }
    assert_eq!(everything_of(&bot, "host-phone").await, before);
    assert!(bot.has("a.txt"));
}

/// In a room with the host, such as a group: the card is the host's, whoever says yes in it.
#[tokio::test]
async fn a_guest_answers_no_card_of_the_host_in_words() {
    let mut bot = TestBot::new().await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    bot.file("a.txt", "a");
    bot.telegram("host-phone", "delete ~/a.txt").await;
    let waiting = "SELECT state FROM dialogs";
    for (number, words) in ["yes", "sì", "ok", "no", "y", "approve", "✓", "undo", "/undo", "!no"]
        .iter()
        .enumerate()
    {
        says_in(&bot, "anna", "host-phone", &format!("shared{number}"), words).await;
        bot.hears(ChannelKind::Telegram).await;
        assert_eq!(rows(&bot, waiting), ["waiting"], "{words}");
        assert!(bot.has("a.txt"), "{words}");
    }
    bot.telegram_silently("host-phone", "yes").await;
    bot.hears(ChannelKind::Telegram).await;
    assert_eq!(rows(&bot, waiting), ["done"], "the host's own word still counts");
    assert!(!bot.has("a.txt"));
    says_in(&bot, "anna", "host-phone", "shared-undo", "undo").await;
    bot.hears(ChannelKind::Telegram).await;
    assert!(!bot.has("a.txt"), "nor does she take back what the host did");
}

#[tokio::test]
async fn a_guest_reaches_nobodys_files_however_they_are_named() {
    let mut bot = TestBot::new().await;
    for sender in ["host-phone", "anna", "bruno"] {
        pair(&mut bot, sender).await;
    }
    bot.telegram("host-phone", "/people quota anna turns none").await;
    bot.file("diary/secret.txt", "zanzibar");
    bot.telegram("bruno", "write \"zanzibar\" to ~/own.txt").await;
    bot.telegram("anna", "write \"my own\" to ~/own.txt").await;
    let own = bot.telegram("anna", "read ~/own.txt").await;
    assert!(own.contains("my own"), "what is hers she reads: {own}");
    let (home, data) = (bot.home(), bot.data_dir());
    let folder = |name: &str| data.join("guests").join(id_of(&bot, name));
    let (anna, bruno) = (folder("anna"), folder("bruno"));
    symlink(&home, anna.join("link")).unwrap();
    symlink(anna.join("link/diary"), anna.join("chain")).unwrap();
    symlink("../../../home/diary/secret.txt", anna.join("innocent.txt")).unwrap();
    let secret = home.join("diary/secret.txt").display().to_string();
    let doubled = secret.replace('/', "//");
    let spellings = [
        secret.clone(),
        doubled,
        secret.replace("/diary", "/./diary/../diary"),
        format!("/proc/self/root{secret}"),
        format!("file://{secret}"),
        secret.replace("secret", "%73ecret"),
        secret.replace("home", "ho?e"),
        "~/../../../home/diary/secret.txt".to_owned(),
        "../../../home/diary/secret.txt".to_owned(),
        "~host/diary/secret.txt".to_owned(),
        "~/link/diary/secret.txt".to_owned(),
        "~/chain/secret.txt".to_owned(),
        "~/chain/../diary/secret.txt".to_owned(),
        "~/innocent.txt".to_owned(),
        bruno.join("own.txt").display().to_string(),
        format!("~/../{}/own.txt", id_of(&bot, "bruno")),
        data.join("metnos.sqlite").display().to_string(),
        "~/../../metnos.sqlite".to_owned(),
    ];
    let before = (tree(&home), tree(&bruno));
    let mut refused = 0;
    for spelling in &spellings {
        for request in requests_about(spelling) {
            let mut heard = bot.telegram("anna", &request).await;
            if bot.buttons().iter().any(|shown| shown.kind == ButtonKind::Approve) {
                let approve = button(&bot, ButtonKind::Approve);
                bot.telegram_taps("anna", &approve).await;
                heard.push_str(&bot.hears(ChannelKind::Telegram).await.plain());
            }
            refused += usize::from(heard.contains("your own folder") || heard.contains("no tool may open"));
            assert!(
                !heard.contains("zanzibar") && !heard.contains("SQLite"),
                "{request}: {heard}"
            );
            assert_eq!((tree(&home), tree(&bruno)), before, "{request}: {heard}");
        }
    }
    assert!(
        refused > 60,
        "only {refused} were refused for what they are:\n{}",
        bot.transcript()
    );
    assert!(!anna.join("stolen").exists());
}

/// Each way of laying hands on a file.
fn requests_about(spelling: &str) -> [String; 7] {
    let inside = Path::new(spelling).parent().unwrap().display().to_string();
    [
        format!("read {spelling}"),
        format!("list {inside}"),
        format!("find the txt files in {inside}"),
        format!("delete {spelling}"),
        format!("move {spelling} to ~/stolen"),
        format!("move ~/own.txt to {inside}"),
        format!("write \"gone\" to {spelling}"),
    ]
}

async fn says_in(bot: &TestBot, sender: &str, conversation: &str, message: &str, words: &str) {
    let inbound = Inbound {
        channel: ChannelKind::Telegram,
        conversation: ConversationId::from(conversation),
        sender: SenderId::from(sender),
        sender_name: Some(sender.to_owned()),
        lang_hint: None,
        message: MessageId::from(message),
        body: InboundBody::Text(words.to_owned()),
    };
    bot.app().runtime.submit(inbound).await.unwrap();
}

async fn reacts_in(bot: &TestBot, sender: &str, conversation: &str, message: &str, about: &str) -> String {
    let inbound = Inbound {
        channel: ChannelKind::Telegram,
        conversation: ConversationId::from(conversation),
        sender: SenderId::from(sender),
        sender_name: None,
        lang_hint: None,
        message: MessageId::from(message),
        body: InboundBody::Sign {
            sign: Sign::No,
            about: Some(about.into()),
            text: String::new(),
        },
    };
    bot.app()
        .runtime
        .react(inbound)
        .await
        .unwrap()
        .toast
        .unwrap_or_default()
}

fn id_of(bot: &TestBot, sender: &str) -> String {
    rows(bot, &format!("SELECT actor FROM identities WHERE sender = '{sender}'")).remove(0)
}

/// Every row, file and log line of a person, by where it is.
async fn everything_of(bot: &TestBot, sender: &str) -> BTreeMap<String, String> {
    let id = id_of(bot, sender);
    let mut all = BTreeMap::new();
    for table in tables(bot) {
        let column = if is_owned(bot, &table) { "actor" } else { "id" };
        if column == "id" && table != "actors" {
            continue;
        }
        let connection = database(bot);
        let mut statement = connection
            .prepare(&format!("SELECT rowid, * FROM \"{table}\" WHERE \"{column}\" = ?1"))
            .unwrap();
        let width = statement.column_count();
        let mut found = statement.query([&id]).unwrap();
        while let Some(row) = found.next().unwrap() {
            let columns: Vec<Column> = (0..width).map(|at| row.get(at).unwrap()).collect();
            all.insert(format!("{table} {:?}", columns[0]), format!("{columns:?}"));
        }
    }
    let folder = match id.as_str() {
        "host" => bot.home(),
        guest => bot.data_dir().join("guests").join(guest),
    };
    all.extend(tree(&folder));
    let lines = bot.turn_log().await.into_iter().filter(|line| line["actor"] == id);
    all.extend(
        lines
            .enumerate()
            .map(|(number, line)| (format!("log {number}"), line.to_string())),
    );
    all
}

/// Every file below a folder with what is in it.
fn tree(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            files.insert(path.display().to_string(), String::new());
            files.extend(tree(&path));
        } else {
            let content = fs::read(&path).unwrap();
            files.insert(
                path.display().to_string(),
                String::from_utf8_lossy(&content).into_owned(),
            );
        }
    }
    files
}

fn tables(bot: &TestBot) -> Vec<String> {
    rows(bot, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
}

fn is_owned(bot: &TestBot, table: &str) -> bool {
    let sql = format!("SELECT name FROM pragma_table_info('{table}') WHERE name = 'actor'");
    !rows(bot, &sql).is_empty()
}
