//! What begins with a slash. Commands need no plan; those that stand for a request become one.

use std::sync::Arc;

use super::Inner;
use crate::{
    domain::{actor::Actor, inbound::Inbound, lang::Lang, message::Message, reply::Reply},
    store::StoreError,
};

/// The code in `/pair CODE`, or in the `/start CODE` that a Telegram link sends.
pub(super) fn pairing_code(text: &str) -> Option<&str> {
    let (command, code) = text.trim().split_once(char::is_whitespace)?;
    matches!(command, "/pair" | "/start" | "!pair")
        .then(|| code.trim())
        .filter(|code| !code.is_empty())
}

/// The request a command stands for; every other text stands for itself.
pub(super) fn as_request(text: &str) -> &str {
    match text {
        "/undo" => "undo",
        "/status" => "status",
        _ => text,
    }
}

/// Answers a command; `None` when the text is a request.
pub(super) async fn answer(
    inner: &Arc<Inner>,
    inbound: &Inbound,
    actor: &Actor,
    text: &str,
) -> Result<Option<Reply>, StoreError> {
    let Some(command) = text.strip_prefix('/') else {
        return Ok(None);
    };
    let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    let rest = rest.trim();
    let message = match name {
        "undo" | "status" if rest.is_empty() => return Ok(None),
        "start" => Message::new("hello").with("name", actor.name.as_str()),
        "help" => Message::new("help"),
        "pair" => Message::new("already-paired").with("name", actor.name.as_str()),
        "me" => Message::new("me")
            .with("name", actor.name.as_str())
            .with("id", actor.id.as_str())
            .with("channel", inbound.channel.as_str())
            .with("lang", actor.lang.code())
            .with("timezone", actor.timezone.as_str())
            .with("autonomy", actor.autonomy.as_str()),
        "lang" => return change_language(inner, actor, rest).await.map(Some),
        // A path is a request or part of one; only a lone word after the slash looks like a command.
        _ if name.contains('/') || !rest.is_empty() => return Ok(None),
        _ => Message::new("unknown-command").with("command", format!("/{name}")),
    };
    Ok(Some(Reply::text(inner.say(actor.lang, &message))))
}

async fn change_language(inner: &Inner, actor: &Actor, code: &str) -> Result<Reply, StoreError> {
    let Some(lang) = Lang::from_code(code) else {
        return Ok(Reply::text(inner.say(actor.lang, &Message::new("lang-unknown"))));
    };
    inner.parts.store.set_lang(&actor.id, lang).await?;
    Ok(Reply::text(inner.say(lang, &Message::new("lang-changed"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairing_codes_are_found_only_in_their_commands() {
        assert_eq!(pairing_code("/pair ABC"), Some("ABC"));
        assert_eq!(pairing_code("/start  ABC "), Some("ABC"));
        assert_eq!(pairing_code("/pair"), None);
        assert_eq!(pairing_code("pair ABC"), None);
    }
}
