//! The conversation of the README, without a model: every layer that needs none answers its part.

use insta::assert_snapshot;
use metnos::domain::reply::ButtonKind;

use crate::support::bot::TestBot;

#[tokio::test]
async fn the_second_time_is_answered_from_memory() {
    let mut bot = TestBot::new().await;
    bot.file("docs/taxes.pdf", "pdf");
    bot.file("docs/notes.txt", "txt");
    bot.says("how many pdf files are in ~/docs").await;
    bot.says("how many pdf files are in ~/docs").await;
    assert_snapshot!(bot.transcript(), @"
    > how many pdf files are in ~/docs
    < 1
      [✓ ✗ ↺] simple, 0 model calls
    > how many pdf files are in ~/docs
    < 1
      [✓ ✗ ↺] fastpath, 0 model calls
    ");
}

#[tokio::test]
async fn an_approved_deletion_can_be_undone() {
    let mut bot = TestBot::new().await;
    bot.file("docs/old.txt", "old");
    bot.says("delete ~/docs/old.txt").await;
    assert!(bot.has("docs/old.txt"), "nothing happens before the approval");
    bot.taps(ButtonKind::Approve).await;
    bot.hears(metnos::domain::ids::ChannelKind::Terminal).await;
    assert!(!bot.has("docs/old.txt"));
    bot.says("undo").await;
    assert!(bot.has("docs/old.txt"));
    assert_snapshot!(bot.transcript(), @"
    > delete ~/docs/old.txt
    < May I delete this?
    < • ~/docs/old.txt
    < “undo” can bring it back. Risk: high. This question is open for 10 minutes.
      [✅ Approve ✖ Reject] simple, 0 model calls
    * Approve: Approved: I'm on it.
    < I deleted old.txt. Say “undo” and it comes back.
      [✓ ✗ ↺] simple, 0 model calls
    > undo
    < Done, I took the last change back. Back in place: old.txt.
      [✓ ✗ ↺] pattern, 0 model calls
    ");
}

#[tokio::test]
async fn the_token_is_nobodys_to_read_or_move() {
    let mut bot = TestBot::new().await;
    bot.file(".config/metnos/telegram.token", "123:abc");
    bot.says("read ~/.config/metnos/telegram.token").await;
    bot.says("move ~/.config to ~/docs").await;
    assert!(bot.has(".config/metnos/telegram.token"));
    assert_snapshot!(bot.transcript(), @"
    > read ~/.config/metnos/telegram.token
    < ~/.config/metnos/telegram.token belongs to my own records and keys, and no tool may open it. Ask me about what I know instead, or look at it yourself on the machine.
      [✓ ✗ ↺] terminator, 0 model calls
    > move ~/.config to ~/docs
    < ~/.config would take things with it that I must not touch, such as your whole home folder, keys or my own settings, so I won't do that. Tell me which folder or which files you mean.
      [✓ ✗ ↺] terminator, 0 model calls
    ");
}

#[tokio::test]
async fn a_count_knows_of_what_was_not_kept() {
    let mut bot = TestBot::new().await;
    for number in 0..1_001 {
        bot.file(&format!("docs/{number}.txt"), "x");
    }
    let answer = bot.says("how many txt files are in ~/docs").await;
    assert_eq!(answer.trim(), "1001");
}

#[tokio::test]
async fn a_folder_counts_as_all_that_is_in_it() {
    let mut bot = TestBot::new().await;
    for number in 0..40 {
        bot.file(&format!("photos/{number}.jpg"), "x");
    }
    bot.file("few/1.jpg", "x");
    bot.says("move ~/few to ~/old").await;
    assert!(bot.has("old/few/1.jpg"), "{}", bot.transcript());
    let card = bot.says("move ~/photos to ~/old").await;
    assert!(card.contains("40"), "{card}");
    assert!(bot.has("photos/1.jpg"), "nothing happens before the approval");
    bot.taps(ButtonKind::Approve).await;
    bot.hears(metnos::domain::ids::ChannelKind::Terminal).await;
    assert!(bot.has("old/photos/1.jpg"));
}
