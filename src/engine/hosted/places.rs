//! `find_places` and `get_places`: what is near a point, and everything known about a place. They ask `places` and say
//! honestly what nobody knows: opening hours above all.

use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use super::{Host, fields, ms};
use crate::{
    domain::{
        account::Account,
        failure::{ErrorClass, ToolError},
        ids::ExecutorName,
        limits::{ACCOUNT_REST, PLACES_MAX, PLACES_RADIUS_M, PLACES_RADIUS_M_MAX},
        message::Message,
        place::{Place, Point},
        run::ToolResult,
    },
    engine::families::{Family, Running},
    executors::Call,
    places::{Places, Search, Wanted, kinds},
};

/// Places shown unless asked for more or fewer.
const SHOWN: usize = 10;
/// Places whose details one step asks for; each is a question to a service that may cost money.
const DETAILED_MAX: usize = 5;
/// When nothing is near and no distance was asked for, we look so many times farther.
const WIDER: u32 = 5;

/// Geo services, whose key no child process may see.
#[derive(Clone, Copy, Debug)]
pub struct Geo;

impl Family for Geo {
    fn executors(&self) -> &'static [&'static str] {
        &["find_places", "get_places"]
    }

    fn run<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Running<'a> {
        Box::pin(async move {
            let found = match name.as_str() {
                "find_places" => find_places(host.places, call).await,
                _ => get_places(host.places, call).await,
            };
            host.with_account(call, found).await
        })
    }
}

impl Host<'_> {
    /// What was found of places. Where a key of the household's would help, its host is asked for one first, unless
    /// they said lately that there is none; a guest is told whom to ask.
    async fn with_account(&self, call: &Call, found: Result<Found, ToolError>) -> Result<ToolResult, ToolError> {
        let helps = match &found {
            Ok(found) => found.lacks_hours,
            Err(error) => error.class == ErrorClass::AuthRequired,
        };
        let Some(why) = self.places.wants_google().filter(|_| helps) else {
            return found.map(|found| found.result);
        };
        if !call.context.is_host {
            return found.map(|found| found.noting(&Message::new("places-hours-ask-host")));
        }
        let account = Account::GooglePlaces;
        let since_ms = self.clock.now_ms().saturating_sub(ms(ACCOUNT_REST));
        if self.store.does_without(account, since_ms).await? {
            return found.map(|found| found.result);
        }
        Err(ToolError::lacking(account, why))
    }
}

/// What a search or a look came to.
struct Found {
    /// As the step returns it.
    result: ToolResult,
    /// Opening hours belong to what was asked, and nobody here knows them.
    lacks_hours: bool,
}

impl Found {
    /// The result with another remark.
    fn noting(mut self, note: &Message) -> ToolResult {
        self.result.body.insert("note".to_owned(), json!(note));
        self.result
    }
}

/// What there is around a point, nearest first.
async fn find_places(places: &Places, call: &Call) -> Result<Found, ToolError> {
    let wanted = wanted(call)?.ok_or_else(|| invalid("places-what-missing"))?;
    let limit = call.count("max_results")?.unwrap_or(SHOWN).clamp(1, PLACES_MAX);
    let (mut found, search) = look_around(places, call, wanted).await?;
    // The service was asked for open ones only; one that it says is closed all the same is none of these.
    found.retain(|place| !(search.open_now && place.open_now == Some(false)));
    let available = found.len();
    found.truncate(limit);
    let hours_unknown = search.open_now && found.iter().any(|place| place.open_now.is_none());
    let mut body = listed(&found);
    body.insert("used".to_owned(), json!(found.len()));
    body.insert("available_total".to_owned(), json!(available));
    body.insert("radius_m".to_owned(), json!(search.radius_m));
    let note = if found.is_empty() {
        Some(Message::new("places-none-within").with("km", f64::from(search.radius_m) / 1_000.0))
    } else {
        hours_unknown.then(|| Message::new("places-hours-unknown"))
    };
    body.extend(note.map(|note| ("note".to_owned(), json!(note))));
    Ok(Found {
        result: ToolResult::ok(body),
        lacks_hours: hours_unknown,
    })
}

/// Everything known about places: those an earlier step found, or the one of this name.
async fn get_places(places: &Places, call: &Call) -> Result<Found, ToolError> {
    let known: Vec<Place> = match call.entries() {
        Ok(entries) => entries
            .iter()
            .filter_map(|entry| Place::deserialize(entry).ok())
            .collect(),
        Err(_not_fed) => {
            let wanted = wanted(call)?.ok_or_else(|| invalid("places-what-missing"))?;
            look_around(places, call, wanted).await?.0.into_iter().take(1).collect()
        }
    };
    let lang = call.context.lang;
    let mut detailed = Vec::new();
    for place in known.iter().take(DETAILED_MAX) {
        let place = places
            .details(place, lang)
            .await
            .map_err(|error| error.to_tool_error())?;
        detailed.push(place);
    }
    let mut body = listed(&detailed);
    body.insert("used".to_owned(), json!(detailed.len()));
    body.insert("available_total".to_owned(), json!(known.len()));
    if detailed.len() < known.len() {
        body.insert("truncated".to_owned(), json!(true));
    }
    let lacks_hours = detailed.iter().any(|place| place.opening_hours.is_empty());
    if lacks_hours {
        body.insert("note".to_owned(), json!(Message::new("places-hours-unknown")));
    }
    Ok(Found {
        result: ToolResult::ok(body),
        lacks_hours,
    })
}

/// Searches around the point of the call; farther away when nothing is near and no distance was asked for.
async fn look_around(places: &Places, call: &Call, wanted: Wanted) -> Result<(Vec<Place>, Search), ToolError> {
    let near = around(places, call).await?;
    let asked = call.count("radius_m")?.map(|metres| {
        u32::try_from(metres)
            .unwrap_or(PLACES_RADIUS_M_MAX)
            .clamp(1, PLACES_RADIUS_M_MAX)
    });
    let mut search = Search {
        wanted,
        near,
        radius_m: asked.unwrap_or(PLACES_RADIUS_M),
        lang: call.context.lang,
        open_now: call.flag("open_now", false)?,
    };
    let mut found = places.search(&search).await.map_err(|error| error.to_tool_error())?;
    if found.is_empty() && asked.is_none() {
        search.radius_m *= WIDER;
        found = places.search(&search).await.map_err(|error| error.to_tool_error())?;
    }
    Ok((found, search))
}

/// The kind, or else the words. A kind we do not know is words.
fn wanted(call: &Call) -> Result<Option<Wanted>, ToolError> {
    let given = |name: &str| -> Result<Option<&str>, ToolError> {
        Ok(call.optional_text(name)?.map(str::trim).filter(|text| !text.is_empty()))
    };
    if let Some(query) = given("query")? {
        return Ok(Some(Wanted::Words(query.to_owned())));
    }
    Ok(given("kind")?.map(|kind| match kinds::named(kind) {
        Some(kind) => Wanted::Kind(kind.name),
        None => Wanted::Words(kind.to_owned()),
    }))
}

/// Where to look: a point, as `get_location` gives it, or words that a service finds.
async fn around(places: &Places, call: &Call) -> Result<Point, ToolError> {
    let words = match call.args.get("near") {
        Some(Value::String(words)) => words.trim(),
        Some(Value::Object(fields)) => {
            let point = fields
                .get("point")
                .cloned()
                .unwrap_or_else(|| Value::Object(fields.clone()));
            return Point::deserialize(point).map_err(|_no_point| invalid("places-near-unreadable"));
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_)) | None => "",
    };
    if words.is_empty() {
        return Err(invalid("places-near-unreadable"));
    }
    if let Some(point) = coordinates(words) {
        return Ok(point);
    }
    let matches = places
        .geocode(words, call.context.lang, None)
        .await
        .map_err(|error| error.to_tool_error())?;
    matches.first().map(|place| place.point).ok_or_else(|| {
        ToolError::new(
            ErrorClass::NotFound,
            Message::new("places-near-unknown").with("words", words),
        )
    })
}

/// `45.46, 9.19`.
fn coordinates(words: &str) -> Option<Point> {
    let (latitude, longitude) = words.split_once(',')?;
    Point::new(latitude.trim().parse().ok()?, longitude.trim().parse().ok()?).ok()
}

/// Places as entries: what the provider said, and what a person is shown of it.
fn listed(places: &[Place]) -> Map<String, Value> {
    let entries: Vec<Value> = places.iter().map(entry).collect();
    fields(json!({"entries": entries}))
}

fn entry(place: &Place) -> Value {
    let mut entry = fields(json!(place));
    let opening = match place.open_now {
        Some(true) => "places-open",
        Some(false) => "places-closed",
        None => "places-hours-not-known",
    };
    entry.insert("opening".to_owned(), json!(Message::new(opening)));
    entry.insert("hours".to_owned(), json!(place.opening_hours.join("; ")));
    entry.insert("map".to_owned(), json!(place.point.map_link()));
    entry.insert("latitude".to_owned(), json!(place.point.latitude()));
    entry.insert("longitude".to_owned(), json!(place.point.longitude()));
    Value::Object(entry)
}

fn invalid(key: &str) -> ToolError {
    ToolError::new(ErrorClass::InvalidArgs, Message::new(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_read_and_words_are_not() {
        let point = coordinates("45.4642, 9.19").unwrap();
        assert_eq!(point.to_string(), "45.46420, 9.19000");
        for words in ["Piazza Navona, Roma", "95, 9", "12", "1,2,3", ""] {
            assert_eq!(coordinates(words), None, "{words}");
        }
    }
}
