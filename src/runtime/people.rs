//! `/me` and `/people`: what people change about themselves, and the host about everybody. `commands` hands the words
//! in, and so does `metnos people` on the machine. Only the host reaches `people`; the caller checks that.

use std::sync::Arc;

use jiff::tz::TimeZone;

use super::actors::{Actors, CodeFor, PairingError, tidy_name};
use crate::{
    clock::Clock,
    domain::{
        actor::{Actor, Autonomy, Role},
        ids::ChannelKind,
        lang::Lang,
        limits::{NAME_CHARS_MAX, PAIRING_CODE_TTL},
        message::{Message, MessageArg},
        quiet::QuietHours,
        quota::{Quota, QuotaKind},
    },
    i18n::I18n,
    store::{Store, StoreError, people::Person},
};

/// Reads and changes people.
#[derive(Clone, Debug)]
pub struct People {
    store: Store,
    clock: Clock,
    actors: Actors,
    i18n: Arc<I18n>,
}

/// An answer: lines, and the language they are said in.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// Of the person who asked, as it is after what they asked.
    pub lang: Lang,
    /// One below the other.
    pub lines: Vec<Message>,
}

/// Why a name leads to nobody.
enum NoPerson {
    /// Nobody is called so.
    Unknown,
    /// More than one is.
    Several,
}

impl People {
    /// The people of a store.
    pub fn new(store: Store, clock: Clock, actors: Actors, i18n: Arc<I18n>) -> Self {
        Self {
            store,
            clock,
            actors,
            i18n,
        }
    }

    /// `/me …`: shows or changes the person who asks.
    pub async fn me(&self, actor: &Actor, channel: ChannelKind, words: &str) -> Result<Said, StoreError> {
        let (what, value) = split_word(words);
        if what.is_empty() {
            return self.card(actor, channel).await;
        }
        if what == "quiet" {
            return Ok(say(actor, self.set_quiet(actor, value).await?));
        }
        if what == "area" && !value.is_empty() {
            return Ok(say(actor, self.set_area(actor, value).await?));
        }
        match self.change(actor, actor, what, value).await? {
            Some(said) => Ok(said),
            None => Ok(say(actor, Message::new("me-usage"))),
        }
    }

    /// `/people …`, for the host only.
    pub async fn people(&self, host: &Actor, words: &str) -> Result<Said, StoreError> {
        let (verb, rest) = split_word(words);
        match verb {
            "" | "list" => return self.list(host).await,
            "invite" => return self.code(host, &CodeFor::Newcomer, Message::new("people-invite")).await,
            "rename" | "name" | "language" | "lang" | "timezone" | "autonomy" | "quota" | "revoke" | "link" => {}
            _ => return Ok(say(host, Message::new("people-usage"))),
        }
        let people = self.store.people().await?;
        let (person, value) = match find(&people, rest) {
            Ok(found) => found,
            Err(_) if rest.is_empty() => return Ok(say(host, Message::new("people-usage"))),
            Err(NoPerson::Unknown) => return Ok(say(host, Message::new("person-unknown").with("who", rest))),
            Err(NoPerson::Several) => return Ok(say(host, Message::new("person-ambiguous").with("who", rest))),
        };
        match verb {
            "quota" => self.set_quota(host, person, value).await,
            "revoke" => self.revoke(host, person, value).await,
            "link" => self.link(host, person).await,
            _ => {
                let changed = self.change(host, &person.actor, verb, value).await?;
                Ok(changed.unwrap_or_else(|| say(host, Message::new("people-usage"))))
            }
        }
    }

    /// A person by name or id, for commands on the machine.
    pub async fn named(&self, who: &str) -> Result<Result<Person, Message>, StoreError> {
        let people = self.store.people().await?;
        Ok(match find(&people, who) {
            Ok((person, "")) => Ok(person.clone()),
            Ok(_) | Err(NoPerson::Unknown) => Err(Message::new("person-unknown").with("who", who)),
            Err(NoPerson::Several) => Err(Message::new("person-ambiguous").with("who", who)),
        })
    }

    /// What can be changed about oneself and about others; `None` for a word that names nothing of that.
    async fn change(&self, speaker: &Actor, whom: &Actor, what: &str, value: &str) -> Result<Option<Said>, StoreError> {
        let said = match what {
            "name" | "rename" => self.rename(speaker, whom, value).await?,
            "language" | "lang" => return self.set_language(speaker, whom, value).await.map(Some),
            "timezone" => self.set_timezone(speaker, whom, value).await?,
            "autonomy" => self.set_autonomy(speaker, whom, value).await?,
            _ => return Ok(None),
        };
        Ok(Some(say(speaker, said)))
    }

    async fn card(&self, actor: &Actor, channel: ChannelKind) -> Result<Said, StoreError> {
        let me = Message::new("me")
            .with("name", actor.name.as_str())
            .with("id", actor.id.as_str())
            .with("channel", channel.as_str())
            .with("lang", actor.lang.code())
            .with("timezone", actor.timezone.as_str())
            .with("autonomy", actor.autonomy.as_str());
        let quotas = self.store.quotas(&actor.id).await?;
        let usage = super::quota::usage(&self.store, &self.clock, actor).await?;
        let used = Message::new("me-usage-so-far")
            .with(
                "turns",
                used_of(usage.turns, quotas.limit(QuotaKind::TurnsPerHour, actor.role)),
            )
            .with(
                "models",
                used_of(usage.model_calls, quotas.limit(QuotaKind::ModelCallsPerDay, actor.role)),
            );
        Ok(Said {
            lang: actor.lang,
            lines: vec![me, used, Message::new("me-usage")],
        })
    }

    async fn list(&self, host: &Actor) -> Result<Said, StoreError> {
        let mut lines = Vec::new();
        for person in self.store.people().await? {
            let actor = &person.actor;
            let line = |key: &str| {
                Message::new(key)
                    .with("name", actor.name.as_str())
                    .with("id", actor.id.as_str())
            };
            if person.is_revoked {
                lines.push(line("people-line-revoked"));
                continue;
            }
            let usage = super::quota::usage(&self.store, &self.clock, actor).await?;
            let limit = |kind| person.quotas.limit(kind, actor.role);
            let channels: Vec<&str> = person.channels.iter().map(|channel| channel.as_str()).collect();
            let channels = match (channels.is_empty(), actor.role) {
                (false, _) => MessageArg::from(channels.join(", ")),
                (true, Role::Host) => MessageArg::from(Message::new("people-channel-terminal")),
                (true, Role::Guest) => MessageArg::from(Message::new("people-no-channel")),
            };
            lines.push(
                line("people-line")
                    .with("channels", channels)
                    .with("lang", actor.lang.code())
                    .with("timezone", actor.timezone.as_str())
                    .with("autonomy", actor.autonomy.as_str())
                    .with("turns", used_of(usage.turns, limit(QuotaKind::TurnsPerHour)))
                    .with("models", used_of(usage.model_calls, limit(QuotaKind::ModelCallsPerDay)))
                    .with("tasks", limit_of(limit(QuotaKind::Tasks))),
            );
        }
        lines.push(Message::new("people-more"));
        Ok(Said { lang: host.lang, lines })
    }

    async fn rename(&self, speaker: &Actor, whom: &Actor, name: &str) -> Result<Message, StoreError> {
        let name = tidy_name(name);
        if !self.actors.is_free_name(&name, &whom.id).await? {
            return Ok(Message::new("name-bad").with("limit", NAME_CHARS_MAX));
        }
        self.store.set_name(&whom.id, &name).await?;
        Ok(if speaker.id == whom.id {
            Message::new("me-renamed").with("name", name)
        } else {
            Message::new("person-renamed")
                .with("id", whom.id.as_str())
                .with("name", name)
        })
    }

    async fn set_language(&self, speaker: &Actor, whom: &Actor, code: &str) -> Result<Said, StoreError> {
        let Some(lang) = Lang::from_code(code).filter(|lang| self.i18n.speaks(*lang)) else {
            let spoken: Vec<&str> = self.i18n.spoken().into_iter().map(Lang::code).collect();
            let unknown = Message::new("lang-unknown").with("languages", spoken.join(", "));
            return Ok(say(speaker, unknown));
        };
        self.store.set_lang(&whom.id, lang).await?;
        if speaker.id == whom.id {
            let changed = Message::new(if lang.is_built_in() {
                "lang-changed"
            } else {
                "lang-changed-added"
            });
            let lines = vec![changed];
            return Ok(Said { lang, lines });
        }
        let changed = Message::new("person-language")
            .with("name", whom.name.as_str())
            .with("lang", lang.code());
        Ok(say(speaker, changed))
    }

    async fn set_timezone(&self, speaker: &Actor, whom: &Actor, name: &str) -> Result<Message, StoreError> {
        let zone = TimeZone::get(name).ok();
        let Some(name) = zone.as_ref().and_then(TimeZone::iana_name) else {
            return Ok(Message::new("timezone-unknown"));
        };
        self.store.set_timezone(&whom.id, name, self.clock.now_ms()).await?;
        let time = self.clock.zoned(name).strftime("%H:%M").to_string();
        let key = if speaker.id == whom.id {
            "timezone-changed"
        } else {
            "person-timezone"
        };
        Ok(said_of(key, speaker, whom).with("timezone", name).with("time", time))
    }

    /// When nothing is said unasked but what rings.
    async fn set_quiet(&self, actor: &Actor, value: &str) -> Result<Message, StoreError> {
        if value.eq_ignore_ascii_case("off") {
            self.store.set_quiet_hours(&actor.id, None).await?;
            return Ok(Message::new("me-quiet-off"));
        }
        let Some(hours) = QuietHours::parse(value) else {
            return Ok(Message::new("me-quiet-how"));
        };
        self.store.set_quiet_hours(&actor.id, Some(hours)).await?;
        Ok(Message::new("me-quiet").with("hours", hours.to_string()))
    }

    /// Which room's devices are meant where several could be.
    async fn set_area(&self, actor: &Actor, value: &str) -> Result<Message, StoreError> {
        let is_off = value.eq_ignore_ascii_case("off");
        let area = if is_off { "" } else { value };
        self.store.set_area(&actor.id, area).await?;
        Ok(match is_off {
            true => Message::new("me-area-off"),
            false => Message::new("me-area").with("area", area),
        })
    }

    /// Lowering is immediate; raising needs another factor than a message.
    async fn set_autonomy(&self, speaker: &Actor, whom: &Actor, level: &str) -> Result<Message, StoreError> {
        let Some(level) = Autonomy::parse(level) else {
            return Ok(Message::new("autonomy-unknown"));
        };
        if level > whom.autonomy {
            return Ok(Message::new("autonomy-raise-needs-command")
                .with("level", level.as_str())
                .with("actor", whom.id.as_str()));
        }
        self.store.set_autonomy(&whom.id, level).await?;
        let key = if speaker.id == whom.id {
            "autonomy-lowered"
        } else {
            "person-autonomy"
        };
        Ok(said_of(key, speaker, whom).with("level", level.as_str()))
    }

    async fn set_quota(&self, host: &Actor, person: &Person, words: &str) -> Result<Said, StoreError> {
        let (kind, amount) = split_word(words);
        let (Some(kind), Some(quota)) = (QuotaKind::parse(kind), Quota::parse(amount)) else {
            return Ok(say(host, Message::new("quota-unknown")));
        };
        if person.actor.role == Role::Host && matches!(quota, Quota::AtMost(_)) {
            return Ok(say(host, Message::new("quota-host")));
        }
        self.store.set_quota(&person.actor.id, kind, quota).await?;
        let quotas = self.store.quotas(&person.actor.id).await?;
        let kind_name = Message::new(match kind {
            QuotaKind::TurnsPerHour => "quota-kind-turns",
            QuotaKind::Tasks => "quota-kind-tasks",
            QuotaKind::ModelCallsPerDay => "quota-kind-models",
        });
        let changed = Message::new("quota-changed")
            .with("name", person.actor.name.as_str())
            .with("kind", kind_name)
            .with("limit", limit_of(quotas.limit(kind, person.actor.role)));
        Ok(say(host, changed))
    }

    async fn revoke(&self, host: &Actor, person: &Person, channel: &str) -> Result<Said, StoreError> {
        let (actor, now_ms) = (&person.actor, self.clock.now_ms());
        if channel.is_empty() {
            if actor.role == Role::Host {
                return Ok(say(host, Message::new("people-revoke-host")));
            }
            let done = self.store.revoke(&actor.id, None, now_ms).await?;
            let key = if done {
                "people-revoked"
            } else {
                "people-revoked-before"
            };
            let said = Message::new(key)
                .with("name", actor.name.as_str())
                .with("id", actor.id.as_str());
            return Ok(say(host, said));
        }
        let named = ChannelKind::parse(&channel.to_ascii_lowercase()).filter(|kind| person.channels.contains(kind));
        let Some(kind) = named else {
            let said = Message::new("people-not-on-channel")
                .with("name", actor.name.as_str())
                .with("channel", channel);
            return Ok(say(host, said));
        };
        self.store.revoke(&actor.id, Some(kind), now_ms).await?;
        let said = Message::new("people-revoked-channel")
            .with("name", actor.name.as_str())
            .with("id", actor.id.as_str())
            .with("channel", kind.as_str());
        Ok(say(host, said))
    }

    async fn link(&self, host: &Actor, person: &Person) -> Result<Said, StoreError> {
        // Whoever holds the host's phone could else make a second one of it, and keep it.
        if person.actor.role == Role::Host {
            return Ok(say(host, Message::new("people-link-host")));
        }
        let said = Message::new("people-link").with("name", person.actor.name.as_str());
        self.code(host, &CodeFor::Person(person.actor.id.clone()), said).await
    }

    async fn code(&self, host: &Actor, whom: &CodeFor, said: Message) -> Result<Said, StoreError> {
        let code = match self.actors.new_code_for(whom).await {
            Ok(code) => code,
            Err(PairingError::Store(error)) => return Err(error),
            Err(PairingError::Random) => return Ok(say(host, Message::new("internal-error"))),
        };
        let minutes = PAIRING_CODE_TTL.as_secs() / 60;
        Ok(say(host, said.with("code", code).with("minutes", minutes)))
    }
}

fn say(actor: &Actor, message: Message) -> Said {
    Said {
        lang: actor.lang,
        lines: vec![message],
    }
}

/// A sentence that names the person unless they speak themselves.
fn said_of(key: &str, speaker: &Actor, whom: &Actor) -> Message {
    let message = Message::new(key);
    if speaker.id == whom.id {
        message
    } else {
        message.with("name", whom.name.as_str())
    }
}

/// `3 of 60`, or `3` where there is no limit.
fn used_of(used: u32, limit: Option<u32>) -> MessageArg {
    match limit {
        Some(limit) => Message::new("quota-used-of")
            .with("used", f64::from(used))
            .with("limit", f64::from(limit))
            .into(),
        None => f64::from(used).into(),
    }
}

fn limit_of(limit: Option<u32>) -> MessageArg {
    match limit {
        Some(limit) => f64::from(limit).into(),
        None => Message::new("quota-no-limit").into(),
    }
}

/// The first word, and what follows it.
pub(super) fn split_word(words: &str) -> (&str, &str) {
    let words = words.trim();
    words
        .split_once(char::is_whitespace)
        .map_or((words, ""), |(first, rest)| (first, rest.trim()))
}

/// The person a text begins with, and what follows: names may have spaces, so the longest that fits is meant. An id
/// beats a name, so that nobody can be taken for somebody else by what they call themselves.
fn find<'a, 'b>(people: &'a [Person], text: &'b str) -> Result<(&'a Person, &'b str), NoPerson> {
    let by_id = people
        .iter()
        .find_map(|person| Some((person, after(text, person.actor.id.as_str())?)));
    if let Some(found) = by_id {
        return Ok(found);
    }
    let mut by_name: Vec<(&Person, &str)> = people
        .iter()
        .filter_map(|person| Some((person, after(text, &person.actor.name)?)))
        .collect();
    // The longer the name, the shorter what is left.
    by_name.sort_by_key(|(_, rest)| rest.len());
    match by_name.as_slice() {
        [] => Err(NoPerson::Unknown),
        [(_, first), (_, second), ..] if first.len() == second.len() => Err(NoPerson::Several),
        [found, ..] => Ok(*found),
    }
}

/// What follows a name at the beginning of a text, whatever the case of its letters.
fn after<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut letters = text.char_indices();
    for wanted in name.chars() {
        let (_, letter) = letters.next()?;
        if !letter.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    let rest = letters.as_str();
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ids::ActorId, quota::Quotas};

    fn person(id: &str, name: &str) -> Person {
        Person {
            actor: Actor {
                id: ActorId::from(id),
                role: Role::Guest,
                name: name.to_owned(),
                lang: Lang::EN,
                timezone: "UTC".to_owned(),
                autonomy: Autonomy::A2,
            },
            channels: Vec::new(),
            is_revoked: false,
            quotas: Quotas::default(),
        }
    }

    #[test]
    fn people_are_found_by_id_and_by_the_longest_name() {
        let people = [
            person("guest_a", "Anna"),
            person("guest_b", "Anna Rossi"),
            person("guest_c", "Zoë"),
            person("guest_d", "zoë"),
            person("guest_e", "guest_a"),
        ];
        for (text, id, rest) in [
            ("anna A1", "guest_a", "A1"),
            ("Anna  Rossi A1", "guest_a", "Rossi A1"),
            ("ANNA ROSSI  A1 ", "guest_b", "A1"),
            ("guest_b turns 3", "guest_b", "turns 3"),
            ("guest_a", "guest_a", ""),
        ] {
            let found = find(&people, text).map(|(person, rest)| (person.actor.id.as_str(), rest));
            assert_eq!(found.ok(), Some((id, rest)), "{text}");
        }
        assert!(matches!(find(&people, "Annabel"), Err(NoPerson::Unknown)));
        assert!(matches!(find(&people, "ZOË it"), Err(NoPerson::Several)));
        assert!(matches!(find(&people, ""), Err(NoPerson::Unknown)));
    }
}
