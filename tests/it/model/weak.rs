//! Models that are worse than none: whatever they say twice, it is an honest no.

use serde_json::json;

use super::{PLANNING, bot_asking, last_turn, plan, plans_asked};
use crate::support::llama::ScriptedLlama;

/// A correction names the words that nobody said, and a model may say them again because of that.
#[tokio::test]
async fn a_correction_makes_nobody_elses_words_known() {
    for path in ["~/private/misgivings.txt", "~/private/misgivngs.txt"] {
        let server = ScriptedLlama::start().await;
        let reading = json!([{"tool": "read_files", "args": {"paths": [path]}}]);
        server.when(PLANNING, plan(&reading));
        let mut bot = bot_asking(&server).await;
        bot.file("private/misgivings.txt", "It was me who broke the vase.");
        for request in [
            "whatever could we do about the squeaky gate",
            "cosa mi metto per il ballo di domenica",
        ] {
            let heard = bot.says(request).await;
            assert!(!heard.contains("vase"), "{request}: {heard}");
            let by = last_turn(&bot).await["answered_by"].clone();
            assert_eq!(by, json!("terminator"), "{request}: {heard}");
        }
        assert_eq!(plans_asked(&server).len(), 4, "one plan and one more each");
    }
}
