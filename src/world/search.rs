//! The web, asked with words: a SearXNG server, Brave, or Wikipedia's own interface. Called by the executors that
//! search. Words and answers are kept for a while and never logged. What comes back is only data: nothing here fetches
//! a page, and nothing that was found is asked anything.

use std::time::Duration;

use moka::sync::Cache;
use serde::Deserialize;

use crate::{
    config::{SearchConfig, Secret},
    domain::{
        failure::{ErrorClass, ToolError},
        lang::Lang,
        limits::{SEARCH_CACHED_FOR, SEARCH_CACHED_MAX, SEARCH_HITS_MAX, SEARCH_TEXT_CHARS_MAX},
        message::Message,
    },
    net::{
        NetError,
        service::{Question, Service},
    },
};

/// Stands for the language's code in Wikipedia's address.
const LANG: &str = "{lang}";

/// Why a search has no answer. "Nothing there" is none of these.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The household switched it off.
    #[error("no search is configured")]
    Off,
    /// The engines behind the server did not answer it.
    #[error("the search engines refused: {0}")]
    Refused(String),
    /// It wants to be left alone.
    #[error("the search wants to be left alone")]
    RateLimited,
    /// It does not accept the key.
    #[error("the search refused our key")]
    KeyRefused,
    /// It cannot be reached or is out of order.
    #[error("the search is out of reach: {0}")]
    Unavailable(String),
    /// No answer in time.
    #[error("the search did not answer in time")]
    Timeout,
    /// It answered something else than results.
    #[error("the search answered something unreadable")]
    Unreadable,
}

impl SearchError {
    /// The same for a tool result, with the sentence for the person.
    pub fn to_tool_error(&self) -> ToolError {
        let (class, message) = match self {
            Self::Off => (ErrorClass::CapabilityMissing, Message::new("search-off")),
            Self::Refused(engines) => (
                ErrorClass::ServerError,
                Message::new("search-refused").with("engines", engines.as_str()),
            ),
            Self::RateLimited => (ErrorClass::RateLimited, Message::new("search-rate-limited")),
            Self::KeyRefused => (ErrorClass::AuthRequired, Message::new("search-key-refused")),
            Self::Unavailable(_) => (ErrorClass::Network, Message::new("search-unavailable")),
            Self::Timeout => (ErrorClass::Timeout, Message::new("search-timeout")),
            Self::Unreadable => (ErrorClass::ServerError, Message::new("search-unreadable")),
        };
        ToolError::new(class, message).with_detail(self.to_string())
    }
}

impl From<NetError> for SearchError {
    fn from(error: NetError) -> Self {
        if error.class() == ErrorClass::Timeout {
            Self::Timeout
        } else {
            Self::Unavailable(error.to_string())
        }
    }
}

/// One page that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Its title.
    pub title: String,
    /// Where it is.
    pub url: String,
    /// What was told of it.
    pub text: String,
    /// The text is the page's own beginning, so that it need not be read.
    pub is_whole: bool,
}

/// Who is asked.
#[derive(Clone, Debug)]
enum Engine {
    Searx(Service),
    Brave(Service, Secret),
    /// By its address, in which the language stands.
    Wikipedia(String),
}

/// The configured search. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Search {
    engine: Option<Engine>,
    timeout: Duration,
    found: Cache<String, Vec<Hit>>,
}

impl Search {
    /// The search of a configuration; asks nobody yet.
    pub fn from_config(config: &SearchConfig) -> Result<Self, NetError> {
        let timeout = Duration::from_secs(config.timeout_s);
        let engine = match (&config.searx_url, &config.brave_key, &config.wikipedia_url) {
            (Some(url), ..) => Some(Engine::Searx(Service::new(url, timeout)?)),
            (None, Some(key), _) => Some(Engine::Brave(Service::new(&config.brave_url, timeout)?, key.clone())),
            (None, None, Some(url)) => Some(Engine::Wikipedia(url.clone())),
            (None, None, None) => None,
        };
        Ok(Self {
            engine,
            timeout,
            found: Cache::builder()
                .max_capacity(SEARCH_CACHED_MAX)
                .time_to_live(SEARCH_CACHED_FOR)
                .build(),
        })
    }

    /// Who is asked, by a name people know.
    pub fn source(&self) -> Option<&'static str> {
        self.engine.as_ref().map(|engine| match engine {
            Engine::Searx(_) => "SearXNG",
            Engine::Brave(..) => "Brave",
            Engine::Wikipedia(_) => "Wikipedia",
        })
    }

    /// Pages that these words find, the best first.
    pub async fn find(&self, words: &str, lang: Lang) -> Result<Vec<Hit>, SearchError> {
        let engine = self.engine.as_ref().ok_or(SearchError::Off)?;
        let key = format!("{} {}", lang.code(), words.to_lowercase());
        if let Some(known) = self.found.get(&key) {
            return Ok(known);
        }
        let found = match engine {
            Engine::Searx(service) => searx(service, words, lang).await,
            Engine::Brave(service, key) => brave(service, key, words, lang).await,
            Engine::Wikipedia(url) => {
                let service = Service::new(&url.replace(LANG, lang.code()), self.timeout)?;
                wikipedia(&service, words).await
            }
        };
        let mut hits = found.inspect_err(|error| tracing::info!(%error, "a search has no answer"))?;
        hits.retain(|hit| hit.url.starts_with("http://") || hit.url.starts_with("https://"));
        hits.truncate(SEARCH_HITS_MAX);
        self.found.insert(key, hits.clone());
        Ok(hits)
    }
}

async fn ask<T: serde::de::DeserializeOwned>(service: &Service, question: Question<'_>) -> Result<T, SearchError> {
    let answer = service.ask(question).await?;
    match answer.status {
        200..=299 => serde_json::from_slice(&answer.body).map_err(|_not_theirs| SearchError::Unreadable),
        401 | 403 => Err(SearchError::KeyRefused),
        429 => Err(SearchError::RateLimited),
        400..=499 => Err(SearchError::Unreadable),
        status => Err(SearchError::Unavailable(format!("it answered {status}"))),
    }
}

#[derive(Deserialize)]
struct SearxAnswer {
    results: Vec<SearxHit>,
    /// Names of engines that did not answer, each with the reason.
    #[serde(default)]
    unresponsive_engines: Vec<Vec<String>>,
}

#[derive(Deserialize)]
struct SearxHit {
    url: String,
    title: String,
    #[serde(default)]
    content: Option<String>,
}

async fn searx(service: &Service, words: &str, lang: Lang) -> Result<Vec<Hit>, SearchError> {
    let question = Question {
        path: "search",
        query: vec![
            ("q", words.to_owned()),
            ("format", "json".to_owned()),
            ("language", lang.code().to_owned()),
        ],
        ..Question::default()
    };
    let answer: SearxAnswer = ask(service, question).await?;
    // A server answers 200 with nothing in it when every engine showed it a riddle.
    if answer.results.is_empty() && !answer.unresponsive_engines.is_empty() {
        let names = answer.unresponsive_engines.iter().filter_map(|engine| engine.first());
        let names: Vec<&str> = names.map(String::as_str).collect();
        return Err(SearchError::Refused(names.join(", ")));
    }
    let hits = answer.results.into_iter().map(|hit| Hit {
        title: plain(&hit.title),
        text: plain(&hit.content.unwrap_or_default()),
        url: hit.url,
        is_whole: false,
    });
    Ok(hits.collect())
}

#[derive(Deserialize)]
struct BraveAnswer {
    #[serde(default)]
    web: Option<BraveWeb>,
}

#[derive(Deserialize)]
struct BraveWeb {
    results: Vec<BraveHit>,
}

#[derive(Deserialize)]
struct BraveHit {
    url: String,
    title: String,
    #[serde(default)]
    description: String,
}

async fn brave(service: &Service, key: &Secret, words: &str, lang: Lang) -> Result<Vec<Hit>, SearchError> {
    let question = Question {
        path: "res/v1/web/search",
        query: vec![
            ("q", words.to_owned()),
            ("count", SEARCH_HITS_MAX.to_string()),
            ("search_lang", lang.code().to_owned()),
        ],
        headers: vec![("X-Subscription-Token", key.expose())],
        body: None,
    };
    let answer: BraveAnswer = ask(service, question).await?;
    let hits = answer.web.map(|web| web.results).unwrap_or_default();
    let hits = hits.into_iter().map(|hit| Hit {
        title: plain(&hit.title),
        text: plain(&hit.description),
        url: hit.url,
        is_whole: false,
    });
    Ok(hits.collect())
}

#[derive(Deserialize)]
struct WikipediaAnswer {
    #[serde(default)]
    query: Option<WikipediaQuery>,
}

#[derive(Deserialize)]
struct WikipediaQuery {
    #[serde(default)]
    pages: Vec<WikipediaPage>,
}

#[derive(Deserialize)]
struct WikipediaPage {
    title: String,
    #[serde(default)]
    index: u32,
    #[serde(default)]
    fullurl: String,
    #[serde(default)]
    extract: String,
}

/// One question brings the pages and how each begins, as plain text.
async fn wikipedia(service: &Service, words: &str) -> Result<Vec<Hit>, SearchError> {
    let fixed = [
        ("action", "query"),
        ("format", "json"),
        ("formatversion", "2"),
        ("generator", "search"),
        ("prop", "extracts|info"),
        ("inprop", "url"),
        ("exintro", "1"),
        ("explaintext", "1"),
        ("exlimit", "max"),
    ];
    let mut query: Vec<(&'static str, String)> = fixed.map(|(name, value)| (name, value.to_owned())).into();
    query.push(("gsrsearch", words.to_owned()));
    query.push(("gsrlimit", SEARCH_HITS_MAX.to_string()));
    let question = Question {
        path: "w/api.php",
        query,
        ..Question::default()
    };
    let answer: WikipediaAnswer = ask(service, question).await?;
    let mut pages = answer.query.map(|query| query.pages).unwrap_or_default();
    pages.sort_by_key(|page| page.index);
    let hits = pages.into_iter().map(|page| Hit {
        title: plain(&page.title),
        text: plain(&page.extract),
        url: page.fullurl,
        is_whole: true,
    });
    Ok(hits.collect())
}

/// A text without marks of HTML, and no longer than anybody reads.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len().min(SEARCH_TEXT_CHARS_MAX));
    let mut is_mark = false;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let begins = letter == '<'
            && letters
                .peek()
                .is_some_and(|next| next.is_ascii_alphabetic() || *next == '/');
        is_mark |= begins;
        if !is_mark {
            plain.push(if letter.is_control() { ' ' } else { letter });
        }
        is_mark &= letter != '>';
    }
    let plain = plain
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&lt;", "<")
        .replace("&gt;", ">");
    let plain = plain.replace("&amp;", "&");
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.join(" ").chars().take(SEARCH_TEXT_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn what_was_found_is_read_without_its_marks() {
        assert_eq!(
            plain("the <span class=\"searchmatch\">president</span> of&#39;s\n A &amp; B, 1 < 2"),
            "the president of's A & B, 1 < 2"
        );
    }
}
