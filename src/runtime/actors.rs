//! Who is speaking. A sender is somebody only after pairing: the terminal's person owns the machine and is the host;
//! everybody else proves with a one-time code that the host let them in. Nobody else gets anything to run.

use sha2::{Digest, Sha256};

use crate::{
    clock::Clock,
    domain::{
        actor::{Actor, Autonomy, Role},
        ids::{ActorId, ChannelKind},
        inbound::Inbound,
        lang::Lang,
        limits::{PAIRING_CODE_TTL, PAIRING_PENALTY, PAIRING_TRIES_MAX},
    },
    store::{Store, StoreError, actors::CodeUse},
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
#[derive(Clone, Debug)]
pub struct Actors {
    store: Store,
    clock: Clock,
    defaults: Defaults,
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
    /// Actors of this store.
    pub fn new(store: Store, clock: Clock, defaults: Defaults) -> Self {
        Self { store, clock, defaults }
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

    /// Whether the host can be reached through a channel.
    pub async fn host_is_on(&self, channel: ChannelKind) -> Result<bool, StoreError> {
        let host = self.host().await?;
        self.store.is_paired(channel, &host.id).await
    }

    /// Makes a one-time code and keeps its hash.
    pub async fn new_code(&self) -> Result<String, PairingError> {
        let mut bytes = [0_u8; CODE_LENGTH];
        getrandom::fill(&mut bytes).map_err(|_unavailable| PairingError::Random)?;
        let code: String = bytes
            .iter()
            .filter_map(|byte| CODE_LETTERS.get(usize::from(*byte) % CODE_LETTERS.len()))
            .map(|letter| char::from(*letter))
            .collect();
        let ttl_ms = i64::try_from(PAIRING_CODE_TTL.as_millis()).unwrap_or(i64::MAX);
        self.store
            .add_pairing_code(&hash_code(&code), self.clock.now_ms().saturating_add(ttl_ms))
            .await?;
        Ok(code)
    }

    /// Whether this sender should hear the polite line: once, ever.
    pub async fn is_first_contact(&self, inbound: &Inbound) -> Result<bool, StoreError> {
        let stranger = self
            .store
            .meet_stranger(inbound.channel, &inbound.sender, self.clock.now_ms())
            .await?;
        Ok(stranger.is_new)
    }

    /// Tries a pairing code. The first sender of a channel becomes the host there; later ones are new guests.
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
        let code = code.trim().to_ascii_uppercase();
        if self.store.use_pairing_code(&hash_code(&code), now_ms).await? == CodeUse::Unknown {
            self.store
                .count_wrong_code(inbound.channel, &inbound.sender, now_ms, penalty_over)
                .await?;
            return Ok(Pairing::WrongCode);
        }
        let actor = if self.host_is_on(inbound.channel).await? {
            self.new_guest(inbound).await?
        } else {
            self.host_of_phone(inbound.lang_hint).await?
        };
        self.store
            .pair(inbound.channel, &inbound.sender, &actor.id, now_ms)
            .await?;
        Ok(Pairing::Paired(actor))
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

    async fn new_guest(&self, inbound: &Inbound) -> Result<Actor, StoreError> {
        let seed = format!("{}|{}|{}", inbound.channel, inbound.sender, self.clock.now_ms());
        let id6: String = crate::domain::intent::short_hash(seed.as_bytes())
            .chars()
            .take(6)
            .collect();
        let id = ActorId::from(format!("guest_{id6}"));
        let name = inbound.sender_name.clone().unwrap_or_else(|| id.as_str().to_owned());
        let guest = self.newcomer(id, Role::Guest, &name, inbound.lang_hint.unwrap_or(self.defaults.lang));
        self.store.add_actor(&guest, self.clock.now_ms()).await?;
        Ok(guest)
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

/// Codes are kept hashed: the database alone lets nobody in.
fn hash_code(code: &str) -> String {
    Sha256::digest(code.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
