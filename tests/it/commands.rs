//! The subcommands as processes: what they print, what they leave on disk, and how they end.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::{
    fs,
    io::Write as _,
    os::unix::fs::PermissionsExt,
    process::{Output, Stdio},
};

use crate::support::{
    household::{Household, LOOKING, mode},
    process::{Home, pairing_code},
};

const CHAT: i64 = 42;

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Holds a conversation through a pipe, as `metnos chat < file` does.
async fn chat(household: &Household, arguments: &[&str], lines: &str) -> Output {
    let mut command = household.metnos(arguments);
    command.env_remove("METNOS_TELEGRAM_TOKEN");
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let lines = lines.to_owned();
    let held = tokio::task::spawn_blocking(move || {
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    });
    held.await.unwrap()
}

#[tokio::test]
async fn every_command_explains_itself() {
    let household = Household::bare().await;
    let help = out(&household.runs(&["--help"]).await);
    for command in [
        "chat", "serve", "doctor", "pair", "people", "autonomy", "backup", "jobs", "config", "catalog",
    ] {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
        let output = household.runs(&[command, "--help"]).await;
        assert!(
            output.status.success() && out(&output).contains("Usage: metnos"),
            "{command}: {output:?}"
        );
    }
    for (command, sub) in [
        ("config", "check"),
        ("config", "example"),
        ("catalog", "list"),
        ("catalog", "sign"),
        ("people", "list"),
        ("people", "rename"),
        ("people", "quota"),
        ("people", "revoke"),
        ("people", "export"),
        ("people", "erase"),
    ] {
        let output = household.runs(&[command, sub, "--help"]).await;
        assert!(output.status.success(), "{command} {sub}: {output:?}");
    }
    let (whole, of_people) = (
        household.runs(&["help"]).await,
        household.runs(&["help", "people"]).await,
    );
    assert_eq!(out(&whole), help);
    assert!(out(&of_people).contains("Usage: metnos people"), "{of_people:?}");
    let version = out(&household.runs(&["--version"]).await);
    assert!(version.contains(env!("CARGO_PKG_VERSION")), "{version}");
    assert!(!household.data_dir().exists(), "help creates nothing");
}

#[tokio::test]
async fn the_command_line_speaks_the_households_language() {
    let household = Household::bare().await;
    let runs = |arguments: &[&str]| {
        let mut command = household.metnos(arguments);
        command.env("LANG", "it_IT.UTF-8").output().unwrap()
    };
    let help = out(&runs(&["people", "quota", "--help"]));
    for words in [
        "Cambia quanto può usare",
        "Uso: metnos people quota",
        "Argomenti:",
        "Opzioni:",
    ] {
        assert!(help.contains(words), "{words}: {help}");
    }
    let commands = out(&runs(&["--help"]));
    assert!(
        commands.contains("Comandi:") && !commands.contains("executor"),
        "{commands}"
    );
    for (arguments, words) in [
        (&["frobnicate"][..], "Non conosco «frobnicate»."),
        (&["chat", "--loud"], "Non conosco «--loud»."),
        (&["autonomy"], "Manca qualcosa: <LEVEL>"),
        (&["pair", "--for"], "--for <WHO> vuole un valore."),
        (&["doctor", "now"], "Non conosco «now»."),
        (
            &["chat", "--trace", "--trace"],
            "--trace qui non può stare, o c'è due volte.",
        ),
    ] {
        let output = runs(arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let told = err(&output);
        assert!(
            told.contains(words) && told.contains("metnos --help"),
            "{arguments:?}: {told}"
        );
    }
    let bare = runs(&["config"]);
    assert_eq!(bare.status.code(), Some(2));
    assert!(err(&bare).contains("Comandi:"), "{bare:?}");
    fs::write(household.home().join("blocked"), "").unwrap();
    let mut command = household.metnos(&["people"]);
    command.env("LANG", "it_IT.UTF-8");
    command.env("METNOS_DATA_DIR", household.home().join("blocked/data"));
    let told = err(&command.output().unwrap());
    assert!(told.contains("non si può creare"), "{told}");
}

/// A model is spoken of where there is none.
#[tokio::test]
async fn a_first_start_without_a_model_tells_of_one() {
    let household = Household::bare().await;
    let empty = household.home().join("empty.toml");
    fs::write(&empty, "").unwrap();
    let mut command = household.metnos(&["chat"]);
    command.env("METNOS_CONFIG", empty).env_remove("METNOS_TELEGRAM_TOKEN");
    let greeting = err(&command.stdin(Stdio::null()).output().unwrap());
    assert!(greeting.contains("llama-server"), "{greeting}");
}

#[tokio::test]
async fn a_first_start_makes_everything_and_keeps_it_private() {
    let household = Household::bare().await;
    let first = chat(&household, &["chat"], "what time is it\n").await;
    assert!(first.status.success(), "{first:?}");
    let greeting = err(&first);
    let lines: Vec<&str> = greeting.lines().collect();
    assert_eq!(lines.len(), 2, "{greeting}");
    for (line, words) in lines.iter().zip(["tools", "Telegram"]) {
        assert!(line.contains(words), "{greeting}");
    }
    assert!(out(&first).starts_with("> what time is it\nIt"), "{}", out(&first));
    let data = household.data_dir();
    assert_eq!(mode(&data), 0o700, "the data folder");
    for file in ["metnos.sqlite", "keys/author_priv.bin"] {
        assert_eq!(mode(&data.join(file)), 0o600, "{file}");
    }
    assert_eq!(mode(&data.join("turns")), 0o700);
    for entry in fs::read_dir(data.join("catalog")).unwrap() {
        assert!(entry.unwrap().path().join("manifest.toml.sig").exists());
    }
    let second = chat(&household, &["chat"], "").await;
    assert_eq!((second.status.code(), err(&second).as_str()), (Some(0), ""));
}

#[tokio::test]
async fn a_file_of_requests_is_answered_in_order() {
    let household = Household::bare().await;
    for name in ["a.txt", "b.txt"] {
        fs::write(household.home().join(name), name).unwrap();
    }
    let lines = "what time is it\n✓\n\n✗\n↺\n/me\ndelete ~/a.txt\nn\ndelete ~/b.txt\ny\nundo\n/nonsense\nwho are you";
    let held = chat(&household, &["chat", "--trace"], lines).await;
    assert_eq!(held.status.code(), Some(0), "{held:?}");
    let text = out(&held);
    let mut rest = text.as_str();
    for expected in [
        "> what time is it\n",
        "It",
        "(pattern, 0 model calls, ",
        "> ✓\n",
        "Noted",
        "> ✗\n",
        "Sorry",
        "> ↺\n",
        "another way",
        "> /me\n",
        "You are host",
        "(runtime, 0 model calls, ",
        "> delete ~/a.txt\n",
        "May I delete this?",
        "(simple, 0 model calls, ",
        "> n\n",
        "nothing was done",
        "> delete ~/b.txt\n",
        "May I delete this?",
        "> y\n",
        "I deleted b.txt",
        "> undo\n",
        "(pattern, 0 model calls, ",
        "> /nonsense\n",
        "I don't know /nonsense",
        "> who are you\n",
        "assistant",
    ] {
        let at = rest
            .find(expected)
            .unwrap_or_else(|| panic!("{expected:?} is not next in:\n{text}"));
        rest = &rest[at + expected.len()..];
    }
    assert_eq!(text.matches("nothing was done").count(), 1, "{text}");
    assert!(household.home().join("a.txt").exists() && household.home().join("b.txt").exists());
}

#[tokio::test]
async fn a_wrong_config_is_explained() {
    let household = Household::bare().await;
    let file = household.home().join("config.toml");
    let token = household.home().join("token");
    fs::write(&token, "123:abc").unwrap();
    fs::set_permissions(&token, fs::Permissions::from_mode(0o644)).unwrap();
    let exposed = format!("[telegram]\ntoken_file = \"{}\"\n", token.display());
    for (text, words) in [
        ("colour = 1\n", vec!["colour", "metnos config example"]),
        ("engine = \"fast\"\n", vec!["“engine” cannot be “fast”", "“simple”"]),
        ("[llm]\nurl = \"localhost\"\n", vec!["llm.url", "http://127.0.0.1:8080"]),
        ("timezone = \"Rome\"\n", vec!["timezone", "Europe/Rome"]),
        ("engine = \n", vec!["config.toml", "line 1"]),
        (
            exposed.as_str(),
            vec!["others on this machine can read it", "chmod 600"],
        ),
        (
            "language = \"it\"\nengine = \"fast\"\n",
            vec!["«engine» non può essere «fast»", "«simple»"],
        ),
    ] {
        fs::write(&file, text).unwrap();
        for arguments in [&["config", "check"][..], &["serve"], &["doctor"]] {
            let mut command = household.metnos(arguments);
            command.env("METNOS_CONFIG", &file).env_remove("METNOS_TELEGRAM_TOKEN");
            let output = command.output().unwrap();
            // The doctor reports what it finds, the others refuse to start.
            let told = if arguments == ["doctor"] {
                out(&output)
            } else {
                err(&output)
            };
            assert_eq!(output.status.code(), Some(1), "{text}: {output:?}");
            assert!(words.iter().all(|word| told.contains(word)), "{text}: {told}");
            assert!(
                !told.trim_end_matches('\n').contains("\n\n") && !told.ends_with("\n\n"),
                "{told:?}"
            );
        }
    }
    assert!(!household.data_dir().exists(), "nothing starts on a wrong config");
    fs::write(&file, "engine = \"simple\"\n").unwrap();
    let mut command = household.metnos(&["config", "check"]);
    let good = command.env("METNOS_CONFIG", &file).output().unwrap();
    assert!(
        good.status.success() && out(&good).contains("configuration is right"),
        "{good:?}"
    );
}

#[tokio::test]
async fn doctor_reports_all_mistakes_at_once() {
    let household = Household::bare().await;
    let file = household.home().join("wrong.toml");
    fs::write(&file, "colour = 1\nengine = \"fast\"\n[llm]\nurl = \"localhost\"\n").unwrap();
    let mut command = household.metnos(&["doctor"]);
    let output = tokio::task::spawn_blocking(move || command.env("METNOS_CONFIG", &file).output().unwrap());
    let told = out(&output.await.unwrap());
    for words in ["“colour”", "“engine”", "“llm.url”"] {
        assert!(
            told.lines().any(|line| line.starts_with('✗') && line.contains(words)),
            "{words}: {told}"
        );
    }
    assert!(told.contains("✓ Sandbox"), "the rest is looked at: {told}");
}

#[tokio::test]
async fn doctor_tells_health_from_trouble() {
    let household = Household::bare().await;
    let healthy = household.runs(&["doctor"]).await;
    let told = out(&healthy);
    assert_eq!(healthy.status.code(), Some(0), "{told}");
    // Whether Tesseract is here is the machine's affair.
    let good = told
        .lines()
        .filter(|line| line.starts_with('✓') && !line.contains("Tesseract"));
    assert_eq!(good.count(), 7, "{told}");
    assert!(told.contains("@bed_bot") && told.contains("metnos pair"), "{told}");

    let manifest = household.data_dir().join("catalog/get_now/manifest.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("timeout_s", "# \ntimeout_s")).unwrap();
    household.telegram.set_webhook("https://example.org/hook");
    let mut command = household.metnos(&["doctor"]);
    command.env("METNOS_LLM_URL", "http://127.0.0.1:1");
    let sick = tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap();
    let told = out(&sick);
    assert_eq!(sick.status.code(), Some(1), "{told}");
    for words in ["catalog sign get_now", "http://127.0.0.1:1 does not answer", "webhook"] {
        assert!(
            told.lines().any(|line| line.starts_with('✗') && line.contains(words)),
            "{words}: {told}"
        );
    }
    let listed = out(&household.runs(&["catalog", "list"]).await);
    assert!(listed.contains("Refused: get_now was changed"), "{listed}");
    assert!(household.runs(&["catalog", "sign", "get_now"]).await.status.success());
    assert!(!out(&household.runs(&["catalog", "list"]).await).contains("refused"));
    let wrong = household.runs(&["catalog", "sign", "../keys"]).await;
    assert_eq!(wrong.status.code(), Some(1));
}

#[tokio::test]
async fn doctor_tells_of_answers_that_did_not_arrive() {
    let household = Household::new(&[42]).await;
    let database = rusqlite::Connection::open(household.data_dir().join("metnos.sqlite")).unwrap();
    let rows = "INSERT INTO outbox (channel, conversation, parcel, created_at, actor, state, attempts) VALUES
        ('telegram', '42', '', 0, 'host', 'failed', 0),
        ('telegram', '42', '', unixepoch() * 1000 - 7300000, 'host', 'waiting', 3),
        ('telegram', '42', '', 0, 'host', 'waiting', 0),
        ('telegram', '43', '', 0, NULL, 'failed', 0)";
    database.execute(rows, []).unwrap();
    let sick = household.runs(&["doctor"]).await;
    let told = out(&sick);
    assert_eq!(sick.status.code(), Some(1), "{told}");
    for words in [
        "✗ Answers: one waits for telegram to be reached and then goes to Ada; the oldest is 2 hours old.",
        "· Answers: telegram refused one for Ada for good in the last month",
    ] {
        assert!(told.lines().any(|line| line.starts_with(words)), "{words}: {told}");
    }
    database.execute("UPDATE outbox SET state = 'delivered'", []).unwrap();
    let told = out(&household.runs(&["doctor"]).await);
    assert!(!told.contains("Answers"), "{told}");
}

#[tokio::test]
async fn autonomy_is_raised_at_the_machine() {
    let household = Household::bare().await;
    let raised = household.runs(&["autonomy", "a3"]).await;
    assert_eq!(out(&raised), "host: A3 (was A2)\n", "{raised:?}");
    for (arguments, words) in [
        (["autonomy", "A9", "host"], "A0 to A4"),
        (["autonomy", "A1", "nobody"], "metnos people"),
    ] {
        let refused = household.runs(&arguments).await;
        assert_eq!(refused.status.code(), Some(1));
        assert!(err(&refused).contains(words), "{refused:?}");
    }
}

#[tokio::test]
async fn a_second_process_is_refused_and_the_first_goes_on() {
    let mut household = Household::new(&[CHAT]).await;
    household.serve();
    household.telegram.says(CHAT, "/me");
    household.hears(CHAT, 1).await;
    for arguments in [["chat"], ["serve"]] {
        let second = household.runs(&arguments).await;
        assert_eq!(second.status.code(), Some(1));
        let told = err(&second);
        assert!(
            told.contains("already running") && told.contains("METNOS_DATA_DIR"),
            "{told}"
        );
    }
    household.telegram.says(CHAT, "/me");
    household.hears(CHAT, 2).await;
}

#[tokio::test]
async fn a_code_made_at_the_machine_lets_a_person_in() {
    let mut household = Household::bare().await;
    household.serve();
    household.telegram.says(CHAT, "what time is it");
    assert!(household.hears(CHAT, 1).await[0].contains("/pair CODE"), "a stranger");
    let invitation = out(&household.runs(&["pair"]).await);
    let code = pairing_code(&invitation);
    assert!(
        invitation.contains(&format!("https://t.me/bed_bot?start={code}")),
        "{invitation}"
    );
    household.telegram.says(CHAT, &format!("/pair {code}"));
    household.telegram.says(CHAT, "what time is it");
    let answers = household.hears(CHAT, 3).await;
    assert!(
        answers[1].contains("Welcome") && answers[2].contains("It"),
        "{answers:?}"
    );
    // The code is used up.
    household.telegram.says(CHAT + 1, &format!("/start {code}"));
    assert!(household.hears(CHAT + 1, 1).await[0].contains("not valid"));
}

#[tokio::test]
async fn people_are_looked_after_at_the_machine() {
    let mut household = Household::bare().await;
    let first = out(&household.runs(&["pair"]).await);
    assert!(first.contains("It is for the host") && first.contains('█'), "{first}");
    household.pair(&[CHAT]).await;
    household.serve();
    let guest = out(&household.runs(&["pair"]).await);
    assert!(guest.contains("It is for a new guest"), "{guest}");
    for (arguments, words) in [
        (
            &["people", "rename", "host", "Ada Lovelace"][..],
            "From now on I call you Ada Lovelace.",
        ),
        (
            &["people", "quota", "ada lovelace", "turns", "1"],
            "The host has no limits",
        ),
        (&["people", "timezone", "host", "Asia/Tokyo"], "Asia/Tokyo"),
        (&["people", "language", "host", "it"], "Da adesso parlo italiano."),
        (&["people", "revoke", "Ada Lovelace"], "Il proprietario resta."),
        (&["autonomy", "A3", "Ada Lovelace"], "Ada Lovelace: A3 (was A2)"),
        (&["pair", "--for", "Ada Lovelace"], "It is for the host"),
        (
            &["people"],
            "Ada Lovelace (host): telegram; it, Asia/Tokyo, A3. Richieste nell'ultima ora: 0;",
        ),
    ] {
        let told = household.runs(arguments).await;
        assert!(
            told.status.success() && out(&told).contains(words),
            "{arguments:?}: {told:?}"
        );
    }
    // The running service follows at once.
    household.telegram.says(CHAT, "che ore sono");
    household.telegram.says(CHAT, "che ore sono");
    let answers = household.hears(CHAT, 2).await;
    assert!(
        // At one o'clock it is "È l'01:00".
        answers
            .iter()
            .all(|answer| answer.starts_with("Sono le") || answer.starts_with("È l'")),
        "{answers:?}"
    );
    let locked = out(&household.runs(&["people", "revoke", "host", "telegram"]).await);
    assert!(locked.contains("non ha più accesso su telegram"), "{locked}");
    household.telegram.says(CHAT, "che ore sono");
    let answers = household.hears(CHAT, 3).await;
    assert!(answers[2].contains("/pair"), "{answers:?}");
    let nobody = household.runs(&["pair", "--for", "carla"]).await;
    assert_eq!(nobody.status.code(), Some(1));
    assert!(err(&nobody).contains("I know nobody called “carla”"), "{nobody:?}");
}

#[tokio::test]
async fn a_signed_tool_is_picked_up_without_a_restart() {
    let mut household = Household::bare().await;
    let opened = household.runs(&["catalog", "list"]).await;
    assert!(opened.status.success());
    household.pair(&[CHAT]).await;
    let project = household.project("box", &[LOOKING]);
    household.serve();
    household.telegram.says(CHAT, &project.request);
    let without = household.hears(CHAT, 1).await;
    assert!(!without[0].contains("went well"), "{without:?}");
    household.add_tool(LOOKING, "read");
    let mut asked = 1;
    loop {
        household.telegram.says(CHAT, &project.request);
        asked += 1;
        let answers = household.hears(CHAT, asked).await;
        if answers.last().unwrap().contains("get_packages went well") {
            break;
        }
        assert!(asked < 40, "{}", household.story(CHAT));
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn matrix_is_not_set_up_where_nothing_answers() {
    let home = Home::new();
    let (succeeded, told) = home
        .run(&["matrix", "setup"], "http://127.0.0.1:9\nbot\nsecret\n\n")
        .await;
    assert!(!succeeded, "{told}");
    assert!(told.contains("cannot be reached"), "{told}");
    assert!(!told.contains("secret"), "{told}");
}

/// What `/people` can do, and what is said about it, fits the command line.
#[tokio::test]
async fn people_on_the_command_line_is_complete() {
    let household = Household::new(&[CHAT]).await;
    let list = out(&household.runs(&["people"]).await);
    assert!(list.ends_with("To change something: metnos people --help\n"), "{list}");
    let invited = out(&household.runs(&["people", "invite"]).await);
    assert!(invited.starts_with("Code for a new guest: "), "{invited}");
    let own = out(&household.runs(&["people", "link", "host"]).await);
    assert!(own.contains("metnos pair --for host"), "{own}");
    household.runs(&["people", "rename", "host", "Anna"]).await;
    let raised = out(&household.runs(&["autonomy", "A3"]).await);
    assert!(raised.starts_with("Anna: A3"), "{raised}");
    let limited = out(&household.runs(&["people", "quota", "Anna", "turns", "1"]).await);
    assert!(limited.starts_with("The host has no limits"), "{limited}");
}
