//! What a person commands by rule, with executors that can: one step through the same policy, journal and approval as
//! any plan, names resolved against what the household has, and nothing remembered.

use std::{fs, time::Duration};

use metnos::domain::{ids::ChannelKind, lang::Lang, reply::ButtonKind};

use super::{bot_at, clock, layer, layer_of, pair, rows};
use crate::support::bot::TestBot;

/// What an argument is: its name, its semantic, its schema.
type Arg = (&'static str, &'static str, &'static str);

const TEXT: &str = "{ type = \"string\" }";
const TEXTS: &str = "{ type = \"array\", items = { type = \"string\" } }";
const NUMBER: &str = "{ type = \"integer\" }";

const DEVICES: &[Arg] = &[
    ("action", "option", TEXT),
    ("targets", "query", TEXTS),
    ("brightness_pct", "count", NUMBER),
];
/// The manifest of an executor of the household's own.
fn manifest(name: &str, effect: &str, args: &[Arg]) -> String {
    let args: String = args
        .iter()
        .map(|(name, semantic, schema)| {
            format!(
                "[[args]]\nname = \"{name}\"\nsemantic = \"{semantic}\"\nschema = {schema}\n\
                 description = {{ en = \"{name}\", it = \"{name}\" }}\n"
            )
        })
        .collect();
    let texts = "purpose = \"Test.\"\npattern = \"test()\"\nnot = \"else\"\nout = \"text\"\n";
    let shown = if effect == "read" {
        "entries = [{ source = \"name\", format = \"text\" }]"
    } else {
        "text = \"text\""
    };
    format!(
        "manifest_format = \"1.0\"\nname = \"{name}\"\nversion = \"1.0.0\"\nkind = \"program\"\n\
         affinity = [\"xyzzy\"]\neffect = \"{effect}\"\nrisk = \"low\"\nfeed = \"none\"\n\
         capabilities = [\"network:http\"]\n\
         [description.en]\n{texts}[description.it]\n{texts}\
         [code]\nfiles = [\"run.sh\"]\ndigest = \"sha256:{:064}\"\n{args}\
         [output]\nentry_fields = [\"name\"]\nresult_fields = [\"text\"]\n[presentation]\n{shown}\n",
        0
    )
}

/// Does what it is told and says with which arguments, those of the turn left out.
const ECHO: &str = r#"#!/bin/bash
read -r input
told=${input%%,\"_*}
told=${told//\"/}
printf '{"ok":true,"ok_count":1,"text":"done: %s"}' "$told"
"#;

/// Says what lies beside it.
const TELL: &str = "#!/bin/bash\nread -r input\ncat \"${0%/*}/entries.json\"\n";

pub(super) async fn can_set_devices(bot: &mut TestBot) {
    bot.add_program("set_devices", &manifest("set_devices", "reversible", DEVICES), ECHO)
        .await;
}

/// Gives the household these devices.
pub(super) async fn has_devices(bot: &mut TestBot, entries: &str) {
    bot.add_program("get_devices", &manifest("get_devices", "read", &[]), TELL)
        .await;
    put_devices(bot, entries);
}

fn put_devices(bot: &TestBot, entries: &str) {
    let told = format!("{{\"ok\":true,\"entries\":[{entries}]}}");
    fs::write(bot.data_dir().join("catalog/get_devices/entries.json"), told).unwrap();
}

pub(super) fn effects(bot: &TestBot) -> Vec<String> {
    rows(bot, "SELECT tool || ' ' || state FROM effects ORDER BY id")
}

fn remembered(bot: &TestBot) -> Vec<String> {
    rows(
        bot,
        "SELECT canonical_text FROM fastpaths UNION ALL SELECT intent FROM observations",
    )
}

const LAMPS: &str = r#"
    {"name": "Reading Lamp", "aliases": ["book light"], "area": "Bedroom", "floor": "Upstairs", "domain": "light"},
    {"name": "Ceiling", "area": "Kitchen", "floor": "Downstairs", "domain": "light"},
    {"name": "Floor Lamp", "area": "Kitchen", "floor": "Downstairs", "domain": "light"},
    {"name": "Blinds", "area": "Kitchen", "floor": "Downstairs", "domain": "cover", "device_class": "blind"},
    {"name": "Front Door", "area": "Hall", "floor": "Downstairs", "domain": "lock"}"#;

#[tokio::test]
async fn a_timer_is_set_once_with_all_that_was_said_and_nothing_is_remembered() {
    let mut bot = bot_at(&clock("2026-05-04T10:00:00Z"), Lang::EN).await;
    let said = bot.says("remind me in 5 minutes to call Mum").await;
    assert_eq!(said, "I'll remind you today, Monday 4 May, 12:05: “call Mum”.");
    assert_eq!(layer(&bot), "pattern 0");
    assert_eq!(effects(&bot), ["create_tasks done"]);
    bot.says("/lang it").await;
    let said = bot.says("imposta un timer di un'ora e mezza").await;
    assert_eq!(
        said,
        "Il timer dura 1 ora e 30 minuti, fino a oggi, lunedì 4 maggio, ore 13:30."
    );
    assert_eq!(effects(&bot).len(), 2);
    assert_eq!(remembered(&bot), Vec::<String>::new(), "rules are not memory");
    // The same words again are read again.
    assert_eq!(
        layer_of(&mut bot, "imposta un timer di un'ora e mezza").await,
        "pattern 0"
    );
}

#[tokio::test]
async fn an_alarm_rings_at_the_next_such_time_and_the_answer_says_the_date() {
    // A Saturday evening in Rome; the clock goes forward in the night.
    let clock = clock("2026-03-28T20:30:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    for (request, told) in [
        ("wake me at 7", "The alarm rings tomorrow, Sunday 29 March, 07:00."),
        ("wake me at 11 pm", "The alarm rings today, Saturday 28 March, 23:00."),
        (
            "set an alarm for 6:30 every weekday",
            "The alarm rings every weekday at 06:30, first on Monday 30 March, 06:30.",
        ),
    ] {
        assert_eq!(bot.says(request).await, told, "{request}");
    }
    let due = rows(&bot, "SELECT trigger FROM tasks WHERE kind = 'alarm' ORDER BY rowid");
    assert_eq!(due, ["at:2026-03-29T07:00:00", "at:2026-03-28T23:00:00", "daily@06:30"]);
    bot.says("/lang it").await;
    let said = bot.says("svegliami domani alle sette e mezza").await;
    assert_eq!(said, "La sveglia suona domani, domenica 29 marzo, ore 07:30.");
    let said = bot.says("svegliami oggi alle 7").await;
    assert!(said.starts_with("Quell'ora è già passata."), "{said}");
    assert_eq!(effects(&bot).len(), 4);
}

#[tokio::test]
async fn what_the_level_asks_about_waits_for_a_yes_and_happens_once() {
    for (lang, request, card, done) in [
        (Lang::EN, "turn off the oven", "May I turn this off?", "Approved"),
        (Lang::IT, "spegni il forno", "Posso spegnere questo?", "Approvato"),
    ] {
        let mut bot = bot_at(&clock("2026-05-04T10:00:00Z"), lang).await;
        can_set_devices(&mut bot).await;
        let oven = if lang == Lang::EN { "Oven" } else { "Forno" };
        has_devices(&mut bot, &format!("{{\"name\": \"{oven}\", \"domain\": \"switch\"}}")).await;
        bot.says("set autonomy to a1").await;
        let asked = bot.says(request).await;
        assert!(asked.starts_with(card) && asked.contains(oven), "{asked}");
        assert_eq!(effects(&bot), Vec::<String>::new());
        assert!(bot.taps(ButtonKind::Approve).await.starts_with(done));
        let said = bot.hears(ChannelKind::Terminal).await.plain();
        assert!(
            said.contains("action:off") && said.contains(&format!("targets:[{oven}]")),
            "{said}"
        );
        assert_eq!(effects(&bot), ["set_devices done"]);
        assert_eq!(layer(&bot), "pattern 0");
        assert_eq!(remembered(&bot), Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_value_without_an_argument_is_never_dropped() {
    let mut bot = TestBot::new().await;
    let plain: Vec<Arg> = DEVICES
        .iter()
        .copied()
        .filter(|(_, kind, _)| *kind != "count")
        .collect();
    bot.add_program("set_devices", &manifest("set_devices", "reversible", &plain), ECHO)
        .await;
    has_devices(&mut bot, LAMPS).await;
    bot.says("turn on the reading lamp").await;
    assert_eq!(layer(&bot), "pattern 0");
    bot.says("set the reading lamp to 50%").await;
    assert_ne!(layer(&bot), "pattern 0", "{}", bot.transcript());
    assert_eq!(effects(&bot), ["set_devices done"]);
    let path = bot.turn_log().await.last().unwrap()["path"].to_string();
    assert!(path.contains("NoArgument") && path.contains("brightness_pct"), "{path}");
}

#[tokio::test]
async fn devices_are_known_by_what_their_owner_says() {
    let clock = clock("2026-05-04T10:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    can_set_devices(&mut bot).await;
    has_devices(&mut bot, LAMPS).await;
    for (request, targets) in [
        ("turn on the reading lamp", "targets:[Reading Lamp]"),
        ("turn on the book light", "targets:[Reading Lamp]"),
        ("turn on the lights in the kitchen", "targets:[Ceiling,Floor Lamp]"),
        ("turn on the lights upstairs", "targets:[Reading Lamp]"),
    ] {
        let said = approved(&mut bot, request).await;
        assert!(said.contains(targets), "{request}: {said}");
    }
    for (request, question) in [
        ("turn on the zorb lamp", "I know no device called “zorb lamp”."),
        ("turn on the lamp", "There are several: Reading Lamp, Floor Lamp."),
        ("turn off everything", "That would switch 5 devices"),
        ("turn off the bathroom lights", "I know no room called “bathroom”."),
        ("turn off the front door lock", "I don't unlock anything"),
    ] {
        let asked = bot.says(request).await;
        assert!(asked.starts_with(question), "{request}: {asked}");
        assert_eq!(layer(&bot), "pattern 0");
    }
    put_devices(&bot, &LAMPS.replace("Reading Lamp", "Zorb Lamp"));
    let asked = bot.says("turn on the zorb lamp").await;
    assert!(asked.starts_with("I know no device"), "asked a moment ago: {asked}");
    clock.advance(Duration::from_secs(301));
    let said = bot.says("turn on the zorb lamp").await;
    assert!(said.contains("targets:[Zorb Lamp]"), "{said}");
}

/// Says something, and says yes if it is asked back.
async fn approved(bot: &mut TestBot, request: &str) -> String {
    let said = bot.says(request).await;
    if !said.starts_with("May I") {
        return said;
    }
    bot.taps(ButtonKind::Approve).await;
    bot.hears(ChannelKind::Terminal).await.plain()
}

#[tokio::test]
async fn an_owner_that_fails_leaves_what_was_known_and_is_not_asked_every_time() {
    let clock = clock("2026-05-04T10:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    can_set_devices(&mut bot).await;
    has_devices(&mut bot, LAMPS).await;
    bot.says("turn on the reading lamp").await;
    fs::write(bot.data_dir().join("catalog/get_devices/entries.json"), "oops").unwrap();
    clock.advance(Duration::from_secs(301));
    let said = bot.says("turn on the reading lamp").await;
    assert!(said.contains("targets:[Reading Lamp]"), "{said}");
    put_devices(&bot, &LAMPS.replace("Reading Lamp", "Zorb Lamp"));
    let asked = bot.says("turn on the zorb lamp").await;
    assert!(asked.starts_with("I know no device"), "it has a rest: {asked}");
    clock.advance(Duration::from_secs(61));
    let said = bot.says("turn on the zorb lamp").await;
    assert!(said.contains("targets:[Zorb Lamp]"), "{said}");
}

#[tokio::test]
async fn an_alarm_that_rings_or_a_device_of_its_name_is_asked_about() {
    let clock = clock("2026-05-04T10:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    bot.says("set an alarm for 13:00 every day").await;
    clock.advance(Duration::from_secs(3_600));
    bot.hears(ChannelKind::Terminal).await;
    let asked = bot.says("turn off the alarm").await;
    assert!(asked.starts_with("An alarm is ringing."), "{asked}");
    clock.advance(Duration::from_secs(3_600));
    let said = bot.says("turn off the alarm").await;
    assert!(said.starts_with("The alarm is gone: 13:00."), "{said}");
    has_devices(&mut bot, r#"{"name": "Alarm", "domain": "switch"}"#).await;
    let asked = bot.says("turn off the alarm").await;
    assert!(asked.starts_with("There is a device of that name"), "{asked}");
    assert_eq!(effects(&bot), ["create_tasks done", "delete_tasks done"]);
}

#[tokio::test]
async fn a_guest_commands_the_rooms_that_are_listed_for_guests() {
    let mut bot = TestBot::new().await;
    pair(&mut bot, "phone").await;
    pair(&mut bot, "anna").await;
    can_set_devices(&mut bot).await;
    has_devices(&mut bot, LAMPS).await;
    let said = bot.telegram("anna", "turn on the reading lamp").await;
    assert_eq!(said, "Only the host can ask me for that. Nothing was changed.");
    let said = bot.telegram("anna", "set autonomy to a4").await;
    assert_eq!(said, "Only the host can ask me for that. Nothing was changed.");
    bot.file(".config/metnos/config.toml", "[devices]\nguest_areas = [\"bedroom\"]\n");
    bot.restart().await;
    let said = bot.telegram("anna", "turn on the reading lamp").await;
    assert!(said.contains("targets:[Reading Lamp]"), "{said}");
    let asked = bot.telegram("anna", "turn on the floor lamp").await;
    assert!(!asked.starts_with("done"), "{asked}");
    assert_eq!(effects(&bot), ["set_devices done"]);
}
