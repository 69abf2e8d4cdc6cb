//! Who is speaking. A sender is somebody only after pairing: the terminal's person owns the machine and is the host;
//! everybody else proves with a one-time code that the host let them in. Nobody else gets anything to run.

use std::{path::Path, sync::Arc};

use sha2::{Digest, Sha256};

use crate::{
    catalog::{
        self,
        signature::{AuthorKey, KeyError},
    },
    clock::Clock,
    domain::{
        actor::{Actor, Autonomy, Role},
        hex::hex,
        ids::{ActorId, ChannelKind, SenderId},
        inbound::Inbound,
        lang::Lang,
        limits::{NAME_CHARS_MAX, PAIRING_CODE_TTL, PAIRING_PENALTY, PAIRING_TRIES_MAX},
    },
    store::{
        Store, StoreError,
        actors::{CodeUse, PairingCode},
    },
};

/// Letters of a pairing code: none that look alike.
const CODE_LETTERS: &[u8] = b"ABCDEFGHJKMNPQRSTUVWXYZ23456789";
/// Letters in a code: 31^10 is about 2^49, far beyond what five tries a quarter of an hour can guess.
const CODE_LENGTH: usize = 10;

/// What people start with.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// Language.
    pub lang: Lang,
    /// IANA zone.
    pub timezone: String,
}

/// Resolves senders and pairs them.
#[derive(Clone)]
pub struct Actors {
    store: Store,
    clock: Clock,
    defaults: Defaults,
    /// Signs codes: a row that somebody put into the database lets nobody in.
    key: Arc<AuthorKey>,
    /// One pairing at a time: who the first newcomer is cannot be asked twice at once.
    pairing: Arc<tokio::sync::Mutex<()>>,
}

impl std::fmt::Debug for Actors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Actors")
    }
}

/// Whom a code lets in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeFor {
    /// The host, on their first channel; after that a new guest.
    Newcomer,
    /// This person, on one more channel.
    Person(ActorId),
}

/// What came of a pairing code.
#[derive(Clone, Debug, PartialEq)]
pub enum Pairing {
    /// Now they are somebody.
    Paired(Actor),
    /// Not a good code.
    WrongCode,
    /// Too many wrong codes; wait so many minutes.
    TooManyTries {
        /// Whole minutes, rounded up.
        minutes: u64,
    },
}

/// Randomness could not be had; no code was made.
#[derive(Debug, thiserror::Error)]
pub enum PairingError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The machine gave no randomness.
    #[error("no randomness for a pairing code")]
    Random,
}

impl Actors {
    /// Actors of this store, whose codes are signed with the key of this data folder.
    pub fn new(store: Store, clock: Clock, defaults: Defaults, data_dir: &Path) -> Result<Self, KeyError> {
        let key = Arc::new(AuthorKey::open_or_create(&catalog::keys_dir(data_dir))?);
        Ok(Self {
            store,
            clock,
            defaults,
            key,
            pairing: Arc::default(),
        })
    }

    /// The person behind a message; `None` for a sender nobody paired.
    pub async fn resolve(&self, inbound: &Inbound) -> Result<Option<Actor>, StoreError> {
        if inbound.channel == ChannelKind::Terminal {
            return self.host().await.map(Some);
        }
        self.store.actor_of(inbound.channel, &inbound.sender).await
    }

    /// The host, made on first need.
    pub async fn host(&self) -> Result<Actor, StoreError> {
        if let Some(host) = self.store.host().await? {
            return Ok(host);
        }
        let host = self.newcomer(ActorId::from("host"), Role::Host, "host", self.defaults.lang);
        self.store.add_actor(&host, self.clock.now_ms()).await?;
        Ok(host)
    }

    /// A person by id.
    pub async fn person(&self, id: &ActorId) -> Result<Option<Actor>, StoreError> {
        self.store.actor(id).await
    }

    /// Whether the host can be reached through a channel.
    pub async fn host_is_on(&self, channel: ChannelKind) -> Result<bool, StoreError> {
        let host = self.host().await?;
        self.store.is_paired(channel, &host.id).await
    }

    /// Whether a newcomer's code would let the host in: nobody has paired as the host yet.
    pub async fn newcomer_is_host(&self) -> Result<bool, StoreError> {
        let host = self.host().await?;
        Ok(!self.store.was_ever_paired(&host.id).await?)
    }

    /// Whether somebody may open a conversation with us. While a code waits to be used, whoever brings it is unknown.
    pub async fn welcomes(&self, channel: ChannelKind, sender: &SenderId) -> Result<bool, StoreError> {
        if self.store.actor_of(channel, sender).await?.is_some() {
            return Ok(true);
        }
        self.store.has_open_code(self.clock.now_ms()).await
    }

    /// Makes a sender the host on a channel, without a code: whoever owns the machine named them. `false` for one who
    /// was locked out: a name in a file that nobody looked at since does not bring them back, a person does.
    pub async fn adopt_host(&self, channel: ChannelKind, sender: &SenderId) -> Result<bool, StoreError> {
        let host = self.host().await?;
        let known = self.store.actor_of(channel, sender).await?;
        if known.is_some_and(|actor| actor.id == host.id) {
            return Ok(true);
        }
        let now_ms = self.clock.now_ms();
        self.store.pair_unless_revoked(channel, sender, &host.id, now_ms).await
    }

    /// Lets a sender in again who was locked out, as the host: a person at the machine says so. `false` when there was
    /// nothing to take back.
    pub async fn readmit_host(&self, channel: ChannelKind, sender: &SenderId) -> Result<bool, StoreError> {
        if !self.store.is_locked_out(channel, sender).await? {
            return Ok(false);
        }
        let host = self.host().await?;
        self.store.pair(channel, sender, &host.id, self.clock.now_ms()).await?;
        Ok(true)
    }

    /// Makes a one-time code for a newcomer.
    pub async fn new_code(&self) -> Result<String, PairingError> {
        self.new_code_for(&CodeFor::Newcomer).await
    }

    /// Makes a one-time code, and keeps its hash and whom it is for under our signature.
    pub async fn new_code_for(&self, whom: &CodeFor) -> Result<String, PairingError> {
        let mut bytes = [0_u8; CODE_LENGTH];
        getrandom::fill(&mut bytes).map_err(|_unavailable| PairingError::Random)?;
        let letters: String = bytes
            .iter()
            .filter_map(|byte| CODE_LETTERS.get(usize::from(*byte) % CODE_LETTERS.len()))
            .map(|letter| char::from(*letter))
            .collect();
        let ttl_ms = i64::try_from(PAIRING_CODE_TTL.as_millis()).unwrap_or(i64::MAX);
        let mut code = PairingCode {
            hash: hash_code(&letters),
            actor: match whom {
                CodeFor::Newcomer => None,
                CodeFor::Person(actor) => Some(actor.clone()),
            },
            expires_ms: self.clock.now_ms().saturating_add(ttl_ms),
            signature: Vec::new(),
        };
        code.signature = self.key.sign(&signed_part(&code)).to_vec();
        self.store.add_pairing_code(code).await?;
        Ok(letters)
    }

    /// Whether this sender should hear the polite line: once, as long as we remember them.
    pub async fn is_first_contact(&self, inbound: &Inbound) -> Result<bool, StoreError> {
        let stranger = self
            .store
            .meet_stranger(inbound.channel, &inbound.sender, self.clock.now_ms())
            .await?;
        Ok(stranger.is_new)
    }

    /// Tries a pairing code. It says itself whom it lets in; the first newcomer is the host, later ones are new guests.
    pub async fn pair(&self, inbound: &Inbound, code: &str) -> Result<Pairing, StoreError> {
        let now_ms = self.clock.now_ms();
        let stranger = self
            .store
            .meet_stranger(inbound.channel, &inbound.sender, now_ms)
            .await?;
        let penalty_ms = i64::try_from(PAIRING_PENALTY.as_millis()).unwrap_or(i64::MAX);
        let until = stranger.last_try_ms.saturating_add(penalty_ms);
        let penalty_over = now_ms >= until;
        if stranger.tries >= PAIRING_TRIES_MAX && !penalty_over {
            let minutes = u64::try_from((until - now_ms + 59_999) / 60_000).unwrap_or(1);
            return Ok(Pairing::TooManyTries { minutes });
        }
        let _alone = self.pairing.lock().await;
        let Some((code, person)) = self.good_code(code, now_ms).await? else {
            self.store
                .count_wrong_code(inbound.channel, &inbound.sender, now_ms, penalty_over)
                .await?;
            return Ok(Pairing::WrongCode);
        };
        let is_first = self.newcomer_is_host().await?;
        let actor = match person {
            Some(person) if !(is_first && person.role == Role::Host) => person,
            Some(_) | None if is_first => self.host_of_phone(inbound.lang_hint).await?,
            Some(_) | None => self.new_guest(inbound).await?,
        };
        let used = self
            .store
            .pair_with_code(inbound.channel, &inbound.sender, &actor, &code, now_ms)
            .await?;
        if used == CodeUse::Unknown {
            return Ok(Pairing::WrongCode);
        }
        self.store
            .adopt(inbound.channel, &inbound.conversation, &actor.id)
            .await?;
        Ok(Pairing::Paired(actor))
    }

    /// A code that can be used, and the person it is for, or `None` in its place for a newcomer. `None` for no good
    /// code: never made by us, changed since, used, too old, or for somebody who was erased.
    async fn good_code(&self, code: &str, now_ms: i64) -> Result<Option<(PairingCode, Option<Actor>)>, StoreError> {
        let code = code.trim().to_ascii_uppercase();
        let Some(code) = self.store.pairing_code(&hash_code(&code)).await? else {
            return Ok(None);
        };
        if !self.key.verifies(&signed_part(&code), &code.signature) {
            tracing::warn!("a pairing code was not signed by this household");
            return Ok(None);
        }
        if !self.store.is_code_open(&code.hash, now_ms).await? {
            return Ok(None);
        }
        let person = match &code.actor {
            Some(actor) => {
                let Some(person) = self.store.actor(actor).await? else {
                    return Ok(None);
                };
                Some(person)
            }
            None => None,
        };
        Ok(Some((code, person)))
    }

    /// The host, who speaks the language of the phone that pairs: until then the machine's was the best guess.
    async fn host_of_phone(&self, lang: Option<Lang>) -> Result<Actor, StoreError> {
        let mut host = self.host().await?;
        if let Some(lang) = lang.filter(|lang| *lang != host.lang) {
            self.store.set_lang(&host.id, lang).await?;
            host.lang = lang;
        }
        Ok(host)
    }

    /// A guest who is nobody yet: they are added when their code is used.
    async fn new_guest(&self, inbound: &Inbound) -> Result<Actor, StoreError> {
        let seed = format!("{}|{}|{}", inbound.channel, inbound.sender, self.clock.now_ms());
        let id6: String = crate::domain::intent::short_hash(seed.as_bytes())
            .chars()
            .take(6)
            .collect();
        let id = ActorId::from(format!("guest_{id6}"));
        let name = self.free_name(inbound.sender_name.as_deref(), &id).await?;
        Ok(self.newcomer(id, Role::Guest, &name, inbound.lang_hint.unwrap_or(self.defaults.lang)))
    }

    /// The name a sender gave themselves, unless it is somebody else's or no name: then their id.
    async fn free_name(&self, given: Option<&str>, id: &ActorId) -> Result<String, StoreError> {
        let name: String = tidy_name(given.unwrap_or_default())
            .chars()
            .take(NAME_CHARS_MAX)
            .collect();
        let is_free = self.is_free_name(&name, id).await?;
        Ok(if is_free { name } else { id.as_str().to_owned() })
    }

    /// Whether a person may be called so: a name, and nobody else's; what looks like an id stays ours to give.
    pub(super) async fn is_free_name(&self, name: &str, id: &ActorId) -> Result<bool, StoreError> {
        let folded = name.to_lowercase();
        let is_others_id = looks_like_id(&folded) && folded != id.as_str();
        if name.is_empty() || name.chars().count() > NAME_CHARS_MAX || is_others_id {
            return Ok(false);
        }
        let people = self.store.people().await?;
        Ok(people
            .iter()
            .all(|person| person.actor.id == *id || person.actor.name.to_lowercase() != folded))
    }

    fn newcomer(&self, id: ActorId, role: Role, name: &str, lang: Lang) -> Actor {
        Actor {
            id,
            role,
            name: name.to_owned(),
            lang,
            timezone: self.defaults.timezone.clone(),
            autonomy: Autonomy::default(),
        }
    }
}

/// A name on one line, without what cannot be seen.
pub(super) fn tidy_name(text: &str) -> String {
    let seen: String = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .filter(|letter| !matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
        .collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn looks_like_id(folded: &str) -> bool {
    folded == "host" || folded.starts_with("guest_")
}

/// What of a code is signed: everything it means.
fn signed_part(code: &PairingCode) -> Vec<u8> {
    let whom = code.actor.as_ref().map_or("", ActorId::as_str);
    format!("metnos pairing code\n{}\n{whom}\n{}", code.hash, code.expires_ms).into_bytes()
}

/// Codes are kept hashed: the database alone lets nobody in.
fn hash_code(code: &str) -> String {
    hex(&Sha256::digest(code.as_bytes()))
}
