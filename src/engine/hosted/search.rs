//! `find_urls` and `find_texts_web`: pages that some words find, and the passage of a page that answers a question.
//! Only the words of a request that asks for it, or that the household lets go, leave the house, and never a name of
//! the house. What a page says becomes text in an answer and nothing else: no address in it is followed.

use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::{Host, fields};
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        fold::fold,
        ids::ExecutorName,
        limits::{SEARCH_PAGES_READ_MAX, SEARCH_WORDS_CHARS_MAX},
        message::Message,
        run::ToolResult,
    },
    engine::{
        families::{Family, Knowing, Running, Scene},
        things::{Resolver, web::WebWords},
    },
    executors::{Call, CallContext},
    llm::describe,
    store::settings::{SEARCH_ON, SEARCH_QUESTIONS},
    world::{
        passage,
        search::{Hit, Search},
    },
};

/// Reads a page as text, locked in.
const READER: &str = "read_urls_html";
/// The executor whose manifest says how the web is asked for.
const FINDER: &str = "find_urls";
/// Letters of a page that a model is shown.
const SHOWN_CHARS_MAX: usize = 3_000;

/// The web, asked with words.
#[derive(Clone, Debug)]
pub struct Web {
    /// Who is asked.
    pub search: Search,
}

impl Family for Web {
    fn executors(&self) -> &'static [&'static str] {
        &["find_urls", "find_texts_web"]
    }

    fn run<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Running<'a> {
        match name.as_str() {
            FINDER => Box::pin(host.find_urls(call)),
            _ => Box::pin(host.find_texts_web(call)),
        }
    }

    fn is_ready(&self) -> bool {
        self.search.source().is_some()
    }

    fn things<'a>(&'a self, scene: Scene<'a>) -> Knowing<'a> {
        let words: Box<dyn Resolver + 'a> = Box::new(WebWords::new(scene.lang));
        Box::pin(std::future::ready(Some(words)))
    }
}

impl Host<'_> {
    /// Pages that the words find.
    pub(super) async fn find_urls(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let words = self.words(call).await?;
        if !self.may_search().await? {
            return Err(self.not_allowed(&words));
        }
        let hits = self.hits(&words, call).await?;
        let entries: Vec<Value> = hits
            .iter()
            .map(|hit| json!({"title": hit.title, "url": hit.url, "text": passage::cut(&hit.text)}))
            .collect();
        let mut body = fields(json!({"entries": entries, "used": hits.len(), "available_total": hits.len()}));
        body.extend(self.source_note());
        Ok(ToolResult::ok(body))
    }

    /// The passage that answers, and where it stands.
    pub(super) async fn find_texts_web(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let words = self.words(call).await?;
        if !self.may_search().await? {
            return Err(self.not_allowed(&words));
        }
        let hits = self.hits(&words, call).await?;
        let wanted = self.language.telling_stems(&words, call.context.lang);
        let mut best: Option<(usize, Hit, String)> = None;
        for hit in hits.iter().take(SEARCH_PAGES_READ_MAX) {
            let text = self.text_of(hit, call).await;
            let stems = |text: &str| self.language.telling_stems(text, call.context.lang);
            let titled = stems(&hit.title).iter().filter(|stem| wanted.contains(stem)).count();
            let Some((found, held)) = passage::best(&text, &wanted, &stems) else {
                continue;
            };
            if best.as_ref().is_none_or(|(known, ..)| held + titled > *known) {
                best = Some((held + titled, Hit { text, ..hit.clone() }, found));
            }
        }
        let nothing = || {
            ToolError::new(
                ErrorClass::NotFound,
                Message::new("search-nothing").with("words", words.as_str()),
            )
        };
        let (_, hit, found) = best.ok_or_else(nothing)?;
        let told = self.in_few_words(&hit, &found, call).await;
        let says = Message::new("search-answer")
            .with("passage", told.clone().unwrap_or_else(|| found.clone()))
            .with("title", hit.title.clone())
            .with("url", hit.url.clone())
            .with("by", if told.is_some() { "model" } else { "page" });
        Ok(ToolResult::ok(fields(json!({
            "says": says,
            "text": found,
            "url": hit.url,
            "title": hit.title,
            "entries": [{"title": hit.title, "url": hit.url, "text": found}],
        }))))
    }

    async fn hits(&self, words: &str, call: &Call) -> Result<Vec<Hit>, ToolError> {
        let found = self.world.search.find(words, call.context.lang).await;
        let hits = found.map_err(|error| error.to_tool_error())?;
        if hits.is_empty() {
            let message = Message::new("search-nothing").with("words", words.to_owned());
            return Err(ToolError::new(ErrorClass::NotFound, message));
        }
        Ok(hits)
    }

    /// The words that are looked for: no secret, and nothing that names a person or a file of the house.
    async fn words(&self, call: &Call) -> Result<String, ToolError> {
        let words = call.text("query")?.trim().to_owned();
        let refused = |key: &str| ToolError::new(ErrorClass::Forbidden, Message::new(key));
        if words.is_empty() || words.chars().count() > SEARCH_WORDS_CHARS_MAX {
            return Err(ToolError::new(ErrorClass::InvalidArgs, Message::new("search-words")));
        }
        if self.redactor.finds(&words) || words.contains("~/") {
            return Err(refused("search-private"));
        }
        let said = words_of(&words);
        let people = self.store.people().await?;
        let is_named = |name: &str| {
            let parts = words_of(name);
            !parts.is_empty() && said.windows(parts.len()).any(|window| window == parts)
        };
        if people.iter().any(|person| is_named(&person.actor.name)) {
            return Err(refused("search-private"));
        }
        Ok(words)
    }

    /// Whether the words may go: the request asks for a search, or the household lets questions be looked up.
    async fn may_search(&self) -> Result<bool, ToolError> {
        if self.asks_for_it() {
            return Ok(true);
        }
        let said = self.store.setting(SEARCH_QUESTIONS).await?;
        Ok(said.is_some_and(|said| said == SEARCH_ON))
    }

    /// Whether the request names the web, in the words by which the search is asked for; whoever planned it has no say.
    fn asks_for_it(&self) -> bool {
        let said = words_of(self.request);
        let finder = self.catalog.get(&ExecutorName::from(FINDER));
        let frames = finder
            .iter()
            .flat_map(|finder| &finder.frames)
            .filter(|frame| !frame.rest);
        let mut phrases = frames.flat_map(|frame| &frame.says).map(|phrase| words_of(phrase));
        phrases.any(|phrase| !phrase.is_empty() && said.windows(phrase.len()).any(|window| window == phrase))
    }

    fn not_allowed(&self, words: &str) -> ToolError {
        let source = self.world.search.source();
        let message = match source {
            Some(source) => Message::new("search-not-allowed")
                .with("source", source)
                .with("words", words),
            None => Message::new("search-off"),
        };
        ToolError::new(ErrorClass::Forbidden, message)
    }

    /// What a page says; what was told of it where it cannot be read.
    async fn text_of(&self, hit: &Hit, call: &Call) -> String {
        if hit.is_whole {
            return hit.text.clone();
        }
        let Some(reader) = self.catalog.get(&ExecutorName::from(READER)) else {
            return hit.text.clone();
        };
        let mut args = Map::new();
        args.insert("urls".to_owned(), json!([hit.url]));
        let page = Call {
            args,
            password: None,
            // An address that was found is nobody's word: none of the house's own network is asked.
            context: CallContext {
                trusted_urls: Vec::new(),
                ..call.context.clone()
            },
        };
        let read = self.runner.run(reader, page, None, &CancellationToken::new()).await;
        let text = read.body.get("text").and_then(Value::as_str).unwrap_or_default();
        if text.trim().is_empty() {
            hit.text.clone()
        } else {
            text.to_owned()
        }
    }

    /// Two lines of a model about the passage, where there is a model.
    async fn in_few_words(&self, hit: &Hit, found: &str, call: &Call) -> Option<String> {
        if !self.llm.is_configured() || self.meter.is_down() || self.meter.is_used_up() {
            return None;
        }
        // Around the passage, which may lean on what stands before it.
        let begin = hit
            .text
            .find(found.get(..found.len().min(40)).unwrap_or(found))
            .unwrap_or_default();
        let around: String = hit
            .text
            .get(hit.text.floor_char_boundary(begin.saturating_sub(SHOWN_CHARS_MAX / 3))..)
            .unwrap_or(found)
            .chars()
            .take(SHOWN_CHARS_MAX)
            .collect();
        let entries = json!([{"title": hit.title, "text": around}]);
        let told = describe::describe(self.llm, &entries, self.request, call.context.lang, self.meter).await;
        told.ok()
            .map(|told| passage::cut(told.trim()))
            .filter(|told| !told.is_empty())
    }

    fn source_note(&self) -> Option<(String, Value)> {
        let source = self.world.search.source()?;
        Some((
            "note".to_owned(),
            json!(Message::new("search-source").with("source", source)),
        ))
    }
}

fn words_of(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
