//! What begins with a slash, or with `!` where a slash is taken. Commands need no plan; those that stand for a request
//! become one.

use std::sync::Arc;

use super::{Inner, Parts, digest, languages::Languages, people::Said, welcome, why};
use crate::{
    domain::{
        account::Account,
        actor::{Actor, Role},
        inbound::Inbound,
        message::Message,
        reply::Reply,
    },
    nights::{promoter::Promoter, proposals},
    store::{
        StoreError,
        settings::{SEARCH_OFF, SEARCH_ON, SEARCH_QUESTIONS},
    },
};

/// A command: its name without the sign, and what follows it.
struct Command<'a> {
    name: String,
    rest: &'a str,
}

/// Reads a command. A lone `!` is how people shout: a command is one only with a name behind it.
fn read(text: &str) -> Option<Command<'_>> {
    let text = text.trim();
    let command = match text.strip_prefix('!') {
        Some(command) => command
            .starts_with(|letter: char| letter.is_ascii_alphabetic())
            .then_some(command)?,
        None => text.strip_prefix('/')?,
    };
    let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    Some(Command {
        name: name.to_ascii_lowercase(),
        rest: rest.trim(),
    })
}

/// The code in `/pair CODE`, or in the `/start CODE` that a Telegram link sends.
pub(super) fn pairing_code(text: &str) -> Option<&str> {
    let command = read(text)?;
    (matches!(command.name.as_str(), "pair" | "start") && !command.rest.is_empty()).then_some(command.rest)
}

/// Whether this is the command that stops what runs.
pub(super) fn is_stop(text: &str) -> bool {
    read(text).is_some_and(|command| command.name == "stop" && command.rest.is_empty())
}

/// The request a command stands for; every other text stands for itself.
pub(super) fn as_request(text: &str) -> &str {
    match read(text) {
        Some(Command { name, rest: "" }) if name == "undo" => "undo",
        Some(Command { name, rest: "" }) if name == "status" => "status",
        Some(_) | None => text,
    }
}

/// Answers a command; `None` when the text is a request.
pub(super) async fn answer(
    inner: &Arc<Inner>,
    inbound: &Inbound,
    actor: &Actor,
    text: &str,
) -> Result<Option<Reply>, StoreError> {
    let decided = digest::as_command(inner, actor, text);
    let Some(Command { name, rest }) = read(decided.as_deref().unwrap_or(text)) else {
        let asked = inner.parts.engine.language.asks_to_speak(text, actor.lang);
        return Ok(asked.map(|lang| spoken(inner, &language(inner, actor, &format!("add {}", lang.code())))));
    };
    let message = match name.as_str() {
        "undo" | "status" if rest.is_empty() => return Ok(None),
        "start" => Message::new("hello").with("name", actor.name.as_str()),
        "help" => Message::new("help"),
        "attach" => Message::new("attach-how"),
        "pair" => Message::new("already-paired").with("name", actor.name.as_str()),
        "me" if rest.split_whitespace().next() == Some("notes") => {
            let folder = rest.trim_start_matches("notes").trim();
            welcome::keep_notes(inner, actor, folder).await?
        }
        "me" => {
            return Ok(Some(spoken(
                inner,
                &inner.people.me(actor, inbound.channel, rest).await?,
            )));
        }
        "lang" => {
            let words = format!("language {rest}");
            let said = inner.people.me(actor, inbound.channel, &words).await?;
            return Ok(Some(spoken(inner, &said)));
        }
        "language" => return Ok(Some(spoken(inner, &language(inner, actor, rest)))),
        "digest" => {
            let said = digest::answer(&inner.parts.store, actor, rest, inner.parts.clock.now_ms()).await?;
            return Ok(Some(spoken(inner, &said)));
        }
        "proposals" if actor.role != Role::Host => Message::new("people-host-only"),
        "proposals" => {
            let promoter = Promoter::of(&inner.parts.engine, &inner.parts.i18n);
            let lines = proposals::answer(&promoter, rest).await.unwrap_or_else(|error| {
                tracing::error!(%error, "a proposal cannot be looked at or decided on");
                vec![Message::new("proposals-broken")]
            });
            let said = Said {
                lang: actor.lang,
                lines,
            };
            return Ok(Some(spoken(inner, &said)));
        }
        "gaps" if rest.is_empty() => {
            let said = digest::gaps(&inner.parts.store, actor, inner.parts.clock.now_ms()).await?;
            return Ok(Some(spoken(inner, &said)));
        }
        // More than one word behind it is a question: "/why is the sky blue".
        "why" if !rest.contains(char::is_whitespace) => {
            return Ok(Some(spoken(inner, &why::answer(inner, inbound, actor, rest).await)));
        }
        "disconnect" if rest.is_empty() && actor.role == Role::Host => disconnect(inner).await?,
        "search" if actor.role != Role::Host => Message::new("people-host-only"),
        "search" if matches!(rest, "" | SEARCH_ON | SEARCH_OFF) => search(inner, actor, rest).await?,
        "people" if actor.role != Role::Host => Message::new("people-host-only"),
        "people" => return Ok(Some(spoken(inner, &inner.people.people(actor, rest).await?))),
        // A path is a request or part of one; only a lone word after the sign looks like a command.
        _ if name.contains('/') || !rest.is_empty() => return Ok(None),
        _ => {
            let sign = text.chars().next().unwrap_or('/');
            Message::new("unknown-command").with("command", format!("{sign}{name}"))
        }
    };
    Ok(Some(Reply::text(inner.say(actor.lang, &message))))
}

/// Which languages are spoken; the host has one more learned, or looks at how it is.
fn language(inner: &Inner, actor: &Actor, words: &str) -> Said {
    let languages = Languages {
        data_dir: &inner.parts.data_dir,
        i18n: &inner.parts.i18n,
        language: &inner.parts.engine.language,
        speaker: actor.lang,
    };
    let lines = match actor.role {
        Role::Guest if !matches!(words, "" | "list") => vec![Message::new("people-host-only")],
        Role::Host | Role::Guest => languages.answer(words).unwrap_or_else(|error| {
            tracing::error!(%error, "the texts of an added language cannot be read or written");
            vec![Message::new("language-broken").with("reason", error.to_string())]
        }),
    };
    Said {
        lang: actor.lang,
        lines,
    }
}

/// Whether questions that nothing in the house answers are looked up on the web; the host may switch that.
async fn search(inner: &Inner, actor: &Actor, word: &str) -> Result<Message, StoreError> {
    let Parts {
        store, clock, engine, ..
    } = &inner.parts;
    let value = [SEARCH_ON, SEARCH_OFF].into_iter().find(|value| *value == word);
    if let Some(value) = value {
        store
            .set_setting(&actor.id, SEARCH_QUESTIONS, value, clock.now_ms())
            .await?;
    }
    let said = store.setting(SEARCH_QUESTIONS).await?;
    let is_on = said.is_some_and(|said| said == SEARCH_ON);
    Ok(match engine.world.search.source() {
        Some(source) => Message::new("search-setting")
            .with("is", if is_on { SEARCH_ON } else { SEARCH_OFF })
            .with("source", source),
        None => Message::new("search-off"),
    })
}

/// Forgets every key the host gave in a chat.
async fn disconnect(inner: &Inner) -> Result<Message, StoreError> {
    let mut had_key = false;
    for account in Account::ALL {
        had_key |= inner.parts.store.forget_account(account).await?;
        inner.parts.engine.connect(account, None);
    }
    let key = if had_key { "account-forgotten" } else { "account-none" };
    Ok(Message::new(key))
}

fn spoken(inner: &Inner, said: &Said) -> Reply {
    let lines: Vec<String> = said.lines.iter().map(|line| inner.say(said.lang, line)).collect();
    Reply::text(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairing_codes_are_found_only_in_their_commands() {
        assert_eq!(pairing_code("/pair ABC"), Some("ABC"));
        assert_eq!(pairing_code("!Pair ABC"), Some("ABC"));
        assert_eq!(pairing_code("/start  ABC "), Some("ABC"));
        assert_eq!(pairing_code("/pair"), None);
        assert_eq!(pairing_code("pair ABC"), None);
    }

    #[test]
    fn shouting_is_no_command_and_both_signs_are() {
        for (text, name) in [
            ("/undo", Some("undo")),
            ("!undo", Some("undo")),
            ("/Me name Ada", Some("me")),
            ("!", None),
            ("!!!", None),
            ("!? what", None),
            ("undo!", None),
        ] {
            assert_eq!(
                read(text).map(|command| command.name),
                name.map(str::to_owned),
                "{text}"
            );
        }
        assert!(is_stop("/stop") && is_stop(" !Stop ") && !is_stop("/stop it") && !is_stop("stop"));
        assert_eq!(as_request("!undo"), "undo");
        assert_eq!(as_request("!undo that"), "!undo that");
    }
}
