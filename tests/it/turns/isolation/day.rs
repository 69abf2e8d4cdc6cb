//! A day in a household, in which one person does everything that leaves something behind.

use std::{fs, sync::Arc};

use metnos::domain::{
    attachment::{FileKind, SentFile},
    feedback::Sign,
    ids::ChannelKind,
    inbound::InboundBody,
    location::{LocationSource, SharedLocation, Sharing},
    place::Point,
    reply::ButtonKind,
};
use serde_json::{Value, json};

use super::id_of;
use crate::{
    support::bot::TestBot,
    turns::{button, remember_of, rows},
};

/// A request whose form asks for a secret.
pub(super) const TELLING: &str = "write my code to ~/box/code.txt";

pub(super) fn telling() -> Value {
    json!({"steps": [
        {"tool": "get_inputs", "args": {"fields": [{"var": "code", "kind": "secret", "prompt": "What is the code?"}]}},
        {"tool": "write_files", "args": {"path": "~/box/code.txt", "content": "${step1.values.code}"}}
    ]})
}

/// A place that is shared, a file that is sent, an answer that is reacted to, a secret that a form asks for.
async fn share_send_and_tell(bot: &mut TestBot, sender: &str) {
    let here = SharedLocation {
        point: Point::new(45.4642, 9.19).unwrap(),
        accuracy_m: Some(12),
        captured_ms: bot.app().runtime.now_ms(),
        sharing: Sharing::Once,
        source: LocationSource::Device,
        label: None,
    };
    bot.shares(sender, here).await;
    bot.hears(ChannelKind::Telegram).await;
    let here = bot.telegram(sender, "where am i").await;
    assert!(here.starts_with("You are here: 45.46420"), "{here}");
    bot.telegram(sender, "which processes are running").await;
    let shown = format!("SELECT json_extract(sent_parts, '$[0]') FROM outbox WHERE conversation = '{sender}'");
    let shown = rows(bot, &format!("{shown} ORDER BY id DESC LIMIT 1")).remove(0);
    let toast = bot.telegram_reacts(sender, Sign::Yes, &shown).await;
    assert!(toast.starts_with("Noted"), "{toast}");
    bot.app().runtime.fetch_files_with(
        ChannelKind::Telegram,
        Arc::new(|handle, path| {
            Box::pin(async move {
                fs::write(path, handle).unwrap();
                Ok(())
            })
        }),
    );
    let note = SentFile {
        handle: format!("the note of {sender}"),
        kind: FileKind::Document,
        name: Some(format!("note-{sender}.txt")),
        bytes: None,
        caption: String::new(),
        is_forwarded: false,
        album: None,
    };
    bot.telegram_does(sender, InboundBody::File(Box::new(note))).await;
    let kept = bot.hears(ChannelKind::Telegram).await.plain();
    assert!(kept.contains("note-"), "{kept}");
    remember_of(bot, &id_of(bot, sender), TELLING, &telling());
    let asked = bot.telegram(sender, TELLING).await;
    assert!(asked.starts_with("What is the code?"), "{asked}");
    bot.telegram(sender, &format!("xyzzy-{sender}")).await;
    bot.telegram(sender, "undo").await;
}

/// A day with everything in it: an answer from memory, an effect, a dead end, a wish, taps of each kind, a place, a
/// file, a secret, a question that is approved, one that is refused and one that waits.
pub(super) async fn live_a_day(bot: &mut TestBot, sender: &str) {
    share_send_and_tell(bot, sender).await;
    bot.telegram(sender, "write \"milk\" to ~/box/list.txt").await;
    for kind in [ButtonKind::Confirm, ButtonKind::Confirm, ButtonKind::Reject] {
        bot.telegram(sender, "how many txt files are in ~/box").await;
        let tapped = button(bot, kind);
        bot.telegram_taps(sender, &tapped).await;
    }
    bot.telegram(sender, "find the txt files in ~/box").await;
    let again = button(bot, ButtonKind::Retry);
    bot.telegram_taps(sender, &again).await;
    bot.hears(ChannelKind::Telegram).await;
    bot.telegram(sender, "what time is it").await;
    let wrong = button(bot, ButtonKind::Reject);
    bot.telegram_taps(sender, &wrong).await;
    bot.telegram(sender, "book me a flight to Rome").await;
    bot.telegram(sender, "delete ~/box/list.txt").await;
    bot.telegram(sender, "no").await;
    bot.telegram(sender, "delete ~/box/list.txt").await;
    let approve = button(bot, ButtonKind::Approve);
    bot.telegram_taps(sender, &approve).await;
    bot.hears(ChannelKind::Telegram).await;
    bot.telegram(sender, "undo").await;
    bot.telegram(sender, "how many txt files are in ~/box").await;
    bot.telegram(sender, "delete ~/box/list.txt").await;
}
