//! `metnos why [TURN]`: what became of a request of anybody, from the turn log. It reads the log alone; what there is
//! to say of a line is `runtime::why`'s, which says the same in a chat.

use std::process::ExitCode;

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::print;
use crate::{
    config::Config,
    domain::message::Message,
    i18n::I18n,
    runtime::why,
    turn_files::{self, TurnFiles},
};

/// Says why a turn went as it did: the one whose id begins like this, or the last one.
pub(super) fn run(config: &Config, turn: Option<&str>) -> anyhow::Result<ExitCode> {
    let i18n = I18n::of_household(&config.data_dir)?;
    let Some(line) = find(config, turn)? else {
        let key = if turn.is_some() {
            "why-no-such-turn"
        } else {
            "why-no-turn"
        };
        bail!(Message::new(key).with("turn", turn.unwrap_or_default()));
    };
    for message in why::told(&line) {
        print(&i18n.say(config.lang, &message))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The newest line that fits, looked for from the newest day on.
fn find(config: &Config, turn: Option<&str>) -> anyhow::Result<Option<Value>> {
    let files = TurnFiles::new(&config.data_dir);
    for file in files.all().context(Message::new("why-unreadable"))?.iter().rev() {
        let text = turn_files::read(file).context(Message::new("why-unreadable"))?;
        let lines = text
            .lines()
            .rev()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let begins = |line: &Value, turn: &str| line["turn_id"].as_str().is_some_and(|id| id.starts_with(turn));
        let fits = |line: &Value| turn.is_none_or(|turn| begins(line, turn));
        if let Some(line) = lines.into_iter().find(fits) {
            return Ok(Some(line));
        }
    }
    Ok(None)
}
