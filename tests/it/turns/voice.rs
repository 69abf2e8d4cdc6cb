//! Voice notes: heard by the household's server, shown as words, and answered; what they would change waits for a look.

use std::{fs, sync::Arc};

use metnos::domain::{
    attachment::{FileKind, SentFile},
    ids::ChannelKind,
    inbound::InboundBody,
    lang::Lang,
    reply::ButtonKind,
};

use super::{button, pair, rows};
use crate::support::{
    bot::{Setup, TestBot},
    speech::FakeSpeech,
};

/// A paired phone whose voice notes are heard, or kept where there is no server.
async fn bot(speech: Option<&FakeSpeech>, lang: Lang) -> TestBot {
    let setup = Setup {
        speech: speech.map(FakeSpeech::config),
        lang,
        ..Setup::default()
    };
    let mut bot = TestBot::with(setup).await;
    pair(&mut bot, "phone").await;
    // The handle of a note is what is heard in it.
    bot.app().runtime.fetch_files_with(
        ChannelKind::Telegram,
        Arc::new(|handle, path| {
            Box::pin(async move {
                fs::write(path, handle).unwrap();
                Ok(())
            })
        }),
    );
    bot
}

async fn sends(bot: &mut TestBot, sender: &str, words: &str, is_forwarded: bool) {
    let note = SentFile {
        handle: words.to_owned(),
        kind: FileKind::Voice,
        name: None,
        bytes: None,
        caption: String::new(),
        is_forwarded,
        album: None,
    };
    bot.telegram_does(sender, InboundBody::File(Box::new(note))).await;
}

async fn heard(bot: &mut TestBot) -> String {
    bot.hears(ChannelKind::Telegram).await.plain()
}

/// Says something aloud: what was heard, and the answer to it.
async fn says(bot: &mut TestBot, words: &str) -> (String, String) {
    sends(bot, "phone", words, false).await;
    (heard(bot).await, heard(bot).await)
}

/// The notes that are kept.
fn kept(bot: &TestBot) -> usize {
    fs::read_dir(bot.home().join("inbox")).map_or(0, Iterator::count)
}

#[tokio::test]
async fn a_question_that_is_spoken_is_answered_after_what_was_heard() {
    let speech = FakeSpeech::start().await;
    for (lang, said, words, answer) in [
        (
            Lang::EN,
            "How much is 12 times 12?",
            "🎙 “How much is 12 times 12?”",
            "144",
        ),
        (Lang::IT, "quanto fa 12 per 12?", "🎙 «quanto fa 12 per 12?»", "144"),
    ] {
        let mut bot = bot(Some(&speech), lang).await;
        let (heard, answered) = says(&mut bot, said).await;
        assert_eq!(heard, words);
        assert!(answered.contains(answer), "{answered}");
        assert_eq!(kept(&bot), 0, "words are no file");
    }
    assert_eq!(speech.asked(), ["en", "it"]);
}

#[tokio::test]
async fn what_would_be_changed_is_shown_first_and_a_yes_is_not_taken_from_a_voice() {
    let speech = FakeSpeech::start().await;
    let mut bot = bot(Some(&speech), Lang::EN).await;
    let (_, card) = says(&mut bot, "remind me tomorrow at nine to call mum").await;
    assert!(card.starts_with("May I") && card.contains("call mum"), "{card}");
    let approve = button(&bot, ButtonKind::Approve);
    let tasks = "SELECT name FROM tasks WHERE kind <> 'job'";
    assert!(rows(&bot, tasks).is_empty());
    sends(&mut bot, "phone", "yes", false).await;
    let refused = heard(&mut bot).await;
    assert!(refused.contains("mishear"), "{refused}");
    assert!(rows(&bot, tasks).is_empty());
    bot.telegram_taps("phone", &approve).await;
    let done = heard(&mut bot).await;
    assert!(done.contains("call mum"), "{done}");
    assert_eq!(rows(&bot, tasks).len(), 1);
}

#[tokio::test]
async fn a_no_that_is_spoken_is_a_no() {
    let speech = FakeSpeech::start().await;
    let mut bot = bot(Some(&speech), Lang::EN).await;
    let (_, card) = says(&mut bot, "create a list called shopping").await;
    assert!(card.starts_with("May I"), "{card}");
    let (_, said) = says(&mut bot, "no").await;
    assert!(said.contains("othing"), "{said}");
    assert!(rows(&bot, "SELECT id FROM dialogs WHERE state = 'waiting'").is_empty());
}

#[tokio::test]
async fn a_guess_silence_and_noise_are_told_and_do_nothing() {
    let speech = FakeSpeech::start().await;
    let mut bot = bot(Some(&speech), Lang::EN).await;
    for (sound, says, is_kept) in [
        ("mumbled delete all my reminders", "“delete all my reminders”", 0),
        ("silence", "I heard nothing", 0),
        ("noise", "could make nothing of", 1),
        ("broken", "does not answer", 2),
    ] {
        sends(&mut bot, "phone", sound, false).await;
        let said = heard(&mut bot).await;
        assert!(said.contains(says), "{sound}: {said}");
        assert_eq!(kept(&bot), is_kept, "{sound}");
    }
}

#[tokio::test]
async fn a_note_that_was_passed_on_is_written_down_and_does_nothing() {
    let speech = FakeSpeech::start().await;
    let mut bot = bot(Some(&speech), Lang::EN).await;
    sends(&mut bot, "phone", "remind me tomorrow at nine to call mum", true).await;
    let said = heard(&mut bot).await;
    assert!(said.contains("“remind me tomorrow at nine to call mum”"), "{said}");
    assert!(said.contains("I did nothing with them"), "{said}");
    assert_eq!(kept(&bot), 1);
    assert!(rows(&bot, "SELECT name FROM tasks WHERE kind <> 'job'").is_empty());
}

#[tokio::test]
async fn without_a_server_it_is_said_how_to_set_one_up() {
    let mut bot = bot(None, Lang::EN).await;
    pair(&mut bot, "anna").await;
    for (sender, says) in [("phone", "METNOS_SPEECH_URL"), ("anna", "The host can change that")] {
        sends(&mut bot, sender, "what time is it", false).await;
        let said = heard(&mut bot).await;
        assert!(said.contains(says) && said.contains("inbox/voice-"), "{said}");
    }
}

#[tokio::test]
async fn a_password_that_is_spoken_is_not_taken_and_not_shown() {
    let speech = FakeSpeech::start().await;
    let mut bot = bot(Some(&speech), Lang::EN).await;
    bot.telegram("phone", "turn on the kitchen light").await;
    let asked = bot.telegram("phone", "http://127.0.0.1:1").await;
    assert!(asked.contains("create a long-lived access token"), "{asked}");
    let asked = heard(&mut bot).await;
    assert!(asked.contains("access token, please"), "{asked}");
    sends(&mut bot, "phone", "hunter two", false).await;
    let said = heard(&mut bot).await;
    assert!(
        said.contains("type it") && !said.contains("hunter"),
        "{}",
        bot.transcript()
    );
}
