//! The one door to geo services: what is near a point, where an address is, and what is known about a place.
//!
//! Called by the executors hosted in the engine. Google Places is asked first where the household has a key, Photon
//! (OpenStreetMap) when Google has no match or does not answer. "Nothing there" is an empty list; a service that
//! wants to be left alone or cannot be reached is an error, never an empty list. No question and no key is logged.

use std::{
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use moka::sync::Cache;

use crate::{
    config::{PlacesConfig, Secret},
    domain::{
        failure::{ErrorClass, ToolError},
        lang::Lang,
        limits::{self, PLACES_CACHED_FOR, PLACES_CACHED_MAX},
        message::Message,
        place::{Place, PlaceProvider, Point},
    },
    net::NetError,
};
use google::Google;
use photon::Photon;

mod google;
/// Kinds of places by their words.
pub mod kinds;
mod pace;
mod photon;

/// Most matches of an address worth showing.
const MATCHES_MAX: usize = 5;

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A kind, by its name in `kinds`.
    Kind(&'static str),
    /// A name, or words no kind has.
    Words(String),
}

impl Wanted {
    /// In words a search understands.
    fn words(&self) -> String {
        match self {
            Self::Kind(name) => name.replace('_', " "),
            Self::Words(words) => words.clone(),
        }
    }
}

/// What is looked for, and around where.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// What it is.
    pub wanted: Wanted,
    /// Around this point.
    pub near: Point,
    /// Not farther than this, in metres.
    pub radius_m: u32,
    /// The language of the answer.
    pub lang: Lang,
    /// Only what is open at this moment, as far as that is known.
    pub open_now: bool,
}

/// Why a geo service has no answer. "Nothing there" is none of these.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlacesError {
    /// No service is configured.
    #[error("no geo service is configured")]
    NotConfigured,
    /// The service wants to be left alone for a while.
    #[error("the geo service wants us to wait {} s", wait.as_secs())]
    RateLimited {
        /// For how long.
        wait: Duration,
    },
    /// The service cannot be reached or is out of order.
    #[error("the geo service is out of reach: {0}")]
    Unavailable(String),
    /// No answer in time.
    #[error("the geo service did not answer in time")]
    Timeout,
    /// The service does not accept our key.
    #[error("the geo service refused our key ({status})")]
    KeyRefused {
        /// HTTP status.
        status: u16,
    },
    /// The service did not understand the question.
    #[error("the geo service refused the question ({status})")]
    Refused {
        /// HTTP status.
        status: u16,
    },
    /// The answer is not in the service's own language.
    #[error("the geo service answered something unreadable")]
    Unreadable,
}

impl PlacesError {
    /// The class recovery decides by.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::RateLimited { .. } => ErrorClass::RateLimited,
            Self::Unavailable(_) => ErrorClass::Network,
            Self::Timeout => ErrorClass::Timeout,
            Self::NotConfigured | Self::KeyRefused { .. } => ErrorClass::AuthRequired,
            Self::Refused { .. } | Self::Unreadable => ErrorClass::ServerError,
        }
    }

    /// The same for a tool result, with the sentence for the person.
    pub fn to_tool_error(&self) -> ToolError {
        let message = match self {
            Self::NotConfigured => Message::new("places-not-configured"),
            Self::RateLimited { wait } => Message::new("places-rate-limited").with("seconds", wait.as_secs().max(1)),
            Self::Unavailable(_) => Message::new("places-unavailable"),
            Self::Timeout => Message::new("places-timeout"),
            Self::KeyRefused { .. } => Message::new("places-key-refused"),
            Self::Refused { .. } | Self::Unreadable => Message::new("places-unreadable"),
        };
        ToolError::new(self.class(), message).with_detail(self.to_string())
    }

    /// How long a service that failed like this is not asked again, so that one turn never waits for it twice.
    fn rest(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { wait } => Some(*wait),
            Self::Unavailable(_) | Self::Timeout => Some(OUTAGE_REST),
            Self::NotConfigured | Self::KeyRefused { .. } | Self::Refused { .. } | Self::Unreadable => None,
        }
    }
}

/// A service that was out of order is tried again after this long.
const OUTAGE_REST: Duration = Duration::from_secs(15);
/// A service that did not say how long it wants to be left alone.
const RATE_LIMIT_REST: Duration = Duration::from_secs(60);
/// Longest we believe a service that says for how long.
const RATE_LIMIT_REST_MAX: Duration = Duration::from_secs(600);

impl From<NetError> for PlacesError {
    fn from(error: NetError) -> Self {
        if error.class() == ErrorClass::Timeout {
            Self::Timeout
        } else {
            Self::Unavailable(error.to_string())
        }
    }
}

/// What an HTTP status means; `Ok` for success.
fn check(status: u16, retry_after: Option<Duration>) -> Result<(), PlacesError> {
    match status {
        200..=299 => Ok(()),
        401 | 403 => Err(PlacesError::KeyRefused { status }),
        429 => Err(PlacesError::RateLimited {
            wait: retry_after.unwrap_or(RATE_LIMIT_REST).min(RATE_LIMIT_REST_MAX),
        }),
        400..=499 => Err(PlacesError::Refused { status }),
        _ => Err(PlacesError::Unavailable(format!("it answered {status}"))),
    }
}

/// The configured services. Cheap to clone; clones share what they remember.
#[derive(Clone, Debug)]
pub struct Places {
    parts: Arc<Parts>,
}

#[derive(Debug)]
struct Parts {
    /// What is needed to ask Google, once there is a key.
    google_url: String,
    timeout: Duration,
    /// The configuration names the key: no other takes its place.
    is_configured: bool,
    google: RwLock<Option<Arc<Google>>>,
    /// Google does not accept the key it has.
    is_refused: AtomicBool,
    photon: Option<Photon>,
    google_rest: Rest,
    photon_rest: Rest,
    /// What they answered a moment ago; losing it costs a question.
    cache: Cache<String, Vec<Place>>,
}

impl Places {
    /// The services of a configuration; asks nobody yet.
    pub fn from_config(config: &PlacesConfig) -> Result<Self, NetError> {
        let timeout = Duration::from_secs(config.timeout_s);
        let google = config
            .google_key
            .as_ref()
            .map(|key| Google::new(&config.google_url, key.clone(), timeout))
            .transpose()?;
        let photon = config
            .photon_url
            .as_deref()
            .map(|url| Photon::new(url, timeout))
            .transpose()?;
        Ok(Self {
            parts: Arc::new(Parts {
                google_url: config.google_url.clone(),
                timeout,
                is_configured: google.is_some(),
                google: RwLock::new(google.map(Arc::new)),
                is_refused: AtomicBool::new(false),
                photon,
                google_rest: Rest::default(),
                photon_rest: Rest::default(),
                cache: Cache::builder()
                    .max_capacity(PLACES_CACHED_MAX)
                    .time_to_live(PLACES_CACHED_FOR)
                    .build(),
            }),
        })
    }

    /// Google is asked from now on with this key, or no more, unless the configuration names one.
    pub fn connect_google(&self, key: Option<Secret>) -> Result<(), NetError> {
        let parts = &self.parts;
        if parts.is_configured {
            return Ok(());
        }
        let google = key.map(|key| Google::new(&parts.google_url, key, parts.timeout));
        *parts.google.write().unwrap_or_else(PoisonError::into_inner) = google.transpose()?.map(Arc::new);
        parts.is_refused.store(false, Ordering::Relaxed);
        // What Photon said while it was alone is not all there is to say.
        parts.cache.invalidate_all();
        Ok(())
    }

    /// What a key for Google would be good for; `None` where there is one that works, and where only the configuration
    /// could change it.
    pub fn wants_google(&self) -> Option<Message> {
        let parts = &self.parts;
        if parts.is_configured {
            None
        } else if parts.is_refused.load(Ordering::Relaxed) {
            Some(Message::new("places-given-key-refused"))
        } else if self.google().is_some() {
            None
        } else if parts.photon.is_some() {
            Some(Message::new("places-key-missing"))
        } else {
            Some(Message::new("places-none-connected"))
        }
    }

    fn google(&self) -> Option<Arc<Google>> {
        let google = self.parts.google.read().unwrap_or_else(PoisonError::into_inner);
        google.clone()
    }

    /// Asks Google, and notes when it does not accept our key.
    async fn ask_google<T, F: Future<Output = Result<T, PlacesError>>>(
        &self,
        ask: impl FnOnce() -> F,
    ) -> Result<T, PlacesError> {
        let answer = self.parts.google_rest.unless_resting(ask).await;
        if let Err(PlacesError::KeyRefused { .. }) = answer {
            self.parts.is_refused.store(true, Ordering::Relaxed);
        }
        answer
    }

    /// Where an address, a town or a named place is: best match first, at most a handful.
    pub async fn geocode(&self, text: &str, lang: Lang, near: Option<Point>) -> Result<Vec<Place>, PlacesError> {
        let key = format!(
            "geocode {} {} {text}",
            lang.code(),
            near.map_or_else(String::new, coarse)
        );
        let found = self
            .first_match(
                key,
                |google| async move { google.geocode(text, lang, near, MATCHES_MAX).await },
                |photon| photon.geocode(text, lang, near, MATCHES_MAX),
                false,
            )
            .await?;
        Ok(match near {
            Some(near) => measured(found, near),
            None => found,
        })
    }

    /// What there is around a point, nearest first.
    pub async fn search(&self, search: &Search) -> Result<Vec<Place>, PlacesError> {
        let key = format!(
            "search {} {} {} {} {:?}",
            search.lang.code(),
            coarse(search.near),
            search.radius_m,
            search.open_now,
            search.wanted
        );
        // Photon does not know what is open: what Google says about that stands, also that nothing is.
        let found = self
            .first_match(
                key,
                |google| async move { google.search(search, limits::PLACES_MAX).await },
                |photon| photon.search(search, limits::PLACES_MAX),
                search.open_now,
            )
            .await?;
        let mut near = measured(found, search.near);
        near.retain(|place| place.distance_m.is_some_and(|metres| metres <= search.radius_m));
        near.sort_by_key(|place| place.distance_m);
        Ok(near)
    }

    /// Everything its provider knows about a place, hours and telephone above all.
    pub async fn details(&self, known: &Place, lang: Lang) -> Result<Place, PlacesError> {
        let (PlaceProvider::Google, Some(google)) = (known.provider, self.google()) else {
            // Photon has said all it knows, and without a key there is nobody left to ask.
            return Ok(known.clone());
        };
        let key = format!("details {} {}", lang.code(), known.id);
        let remembered = self.remembered(&key).and_then(|places| places.into_iter().next());
        let mut place = match remembered {
            Some(place) => place,
            None => {
                let place = self.ask_google(|| google.details(&known.id, lang)).await?;
                self.remember(key, std::slice::from_ref(&place));
                place
            }
        };
        place.distance_m = known.distance_m;
        Ok(place)
    }

    /// The answer of the first service that has a match. When none has one, an empty answer stands only if no service
    /// that should have been asked failed: what is unknown is not "nothing".
    async fn first_match<'a, G, P>(
        &'a self,
        key: String,
        google: impl FnOnce(Arc<Google>) -> G,
        photon: impl FnOnce(&'a Photon) -> P,
        google_decides: bool,
    ) -> Result<Vec<Place>, PlacesError>
    where
        G: Future<Output = Result<Vec<Place>, PlacesError>>,
        P: Future<Output = Result<Vec<Place>, PlacesError>>,
    {
        if let Some(known) = self.remembered(&key) {
            return Ok(known);
        }
        let parts = &self.parts;
        let mut first = None;
        if let Some(service) = self.google() {
            let found = self.ask_google(|| google(service)).await;
            if found.as_ref().is_ok_and(|places| google_decides || !places.is_empty()) {
                return found.inspect(|places| self.remember(key, places));
            }
            first = Some(found);
        }
        let Some(service) = &parts.photon else {
            return first.unwrap_or(Err(PlacesError::NotConfigured));
        };
        let found = parts.photon_rest.unless_resting(|| photon(service)).await;
        match (first, found) {
            (Some(Err(failure)), Ok(places)) if places.is_empty() => Err(failure),
            (None | Some(_), Ok(places)) => {
                self.remember(key, &places);
                Ok(places)
            }
            // Google found nothing, and whether Photon would have is unknown.
            (None | Some(_), Err(failure)) => Err(failure),
        }
    }

    fn remembered(&self, key: &str) -> Option<Vec<Place>> {
        self.parts.cache.get(key)
    }

    fn remember(&self, key: String, places: &[Place]) {
        self.parts.cache.insert(key, places.to_vec());
    }
}

/// A point as a part of a cache key: about ten metres.
fn coarse(point: Point) -> String {
    format!("{:.4},{:.4}", point.latitude(), point.longitude())
}

/// The same places, each with how far it is.
fn measured(mut places: Vec<Place>, from: Point) -> Vec<Place> {
    for place in &mut places {
        place.distance_m = Some(metres(from.distance_m(place.point)));
    }
    places
}

/// Whole metres; half the earth's girth fits easily.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a distance on the earth is between 0 and 21 million metres"
)]
fn metres(distance: f64) -> u32 {
    distance.round() as u32
}

/// A service that just failed is left alone for a while; until then its failure is the answer.
#[derive(Debug, Default)]
struct Rest {
    until: Mutex<Option<(Instant, PlacesError)>>,
}

impl Rest {
    async fn unless_resting<T, F>(&self, ask: impl FnOnce() -> F) -> Result<T, PlacesError>
    where
        F: Future<Output = Result<T, PlacesError>>,
    {
        if let Some(failure) = self.failure(Instant::now()) {
            return Err(failure);
        }
        let outcome = ask().await;
        if let Err(failure) = &outcome {
            tracing::info!(error = %failure, "a geo service has no answer");
            self.note(failure, Instant::now());
        }
        outcome
    }

    fn failure(&self, now: Instant) -> Option<PlacesError> {
        let until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        let (end, failure) = until.as_ref()?;
        let left = end.checked_duration_since(now)?;
        if let PlacesError::RateLimited { .. } = failure {
            return Some(PlacesError::RateLimited { wait: left });
        }
        Some(failure.clone())
    }

    fn note(&self, failure: &PlacesError, now: Instant) {
        if let Some(rest) = failure.rest() {
            let mut until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
            *until = Some((now + rest, failure.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_that_asked_for_peace_gets_it() {
        let rest = Rest::default();
        let start = Instant::now();
        assert_eq!(rest.failure(start), None);
        let limited = check(429, Some(Duration::from_secs(30))).unwrap_err();
        rest.note(&limited, start);
        let later = start + Duration::from_secs(10);
        let wait = Duration::from_secs(20);
        assert_eq!(rest.failure(later), Some(PlacesError::RateLimited { wait }));
        assert_eq!(rest.failure(start + Duration::from_secs(31)), None);
    }

    #[test]
    fn a_refused_question_says_nothing_about_the_next_one() {
        let rest = Rest::default();
        let start = Instant::now();
        for status in [400, 401, 403, 404] {
            rest.note(&check(status, None).unwrap_err(), start);
            assert_eq!(rest.failure(start), None, "{status}");
        }
        rest.note(&check(503, None).unwrap_err(), start);
        assert!(rest.failure(start).is_some());
    }

    #[test]
    fn nobody_may_ask_to_be_left_alone_for_ever() {
        let long = check(429, Some(Duration::from_secs(1_000_000))).unwrap_err();
        assert_eq!(
            long,
            PlacesError::RateLimited {
                wait: RATE_LIMIT_REST_MAX
            }
        );
        assert_eq!(
            check(429, None).unwrap_err(),
            PlacesError::RateLimited { wait: RATE_LIMIT_REST }
        );
    }
}
