//! What Google Places (New) says on the wire: `places:searchText` and `places/{id}`.
//! Called by `Places` alone. Wire types stay private here; the key goes into one header and nowhere else.

use std::time::Duration;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{PlacesError, Search, check};
use crate::{
    config::Secret,
    domain::{
        lang::Lang,
        place::{Place, PlaceProvider, Point},
    },
    net::{
        NetError,
        service::{Question, Service},
    },
};

/// What is asked for about a place; everything else costs more and is not shown.
const FIELDS: &[&str] = &[
    "id",
    "displayName",
    "formattedAddress",
    "location",
    "primaryType",
    "businessStatus",
    "currentOpeningHours",
    "nationalPhoneNumber",
    "websiteUri",
];
/// An address is looked for around here first, in metres.
const BIAS_M: f64 = 50_000.0;
/// Metres of one degree of latitude.
const DEGREE_M: f64 = 111_195.0;

/// The service and our key.
#[derive(Debug)]
pub(super) struct Google {
    service: Service,
    key: Secret,
}

impl Google {
    pub(super) fn new(url: &str, key: Secret, timeout: Duration) -> Result<Self, NetError> {
        Ok(Self {
            service: Service::new(url, timeout)?,
            key,
        })
    }

    pub(super) async fn geocode(
        &self,
        text: &str,
        lang: Lang,
        near: Option<Point>,
        limit: usize,
    ) -> Result<Vec<Place>, PlacesError> {
        let mut body = json!({"textQuery": text, "languageCode": lang.code(), "pageSize": limit});
        if let Some(near) = near {
            let circle = json!({"circle": {"center": near, "radius": BIAS_M}});
            if let Value::Object(fields) = &mut body {
                fields.insert("locationBias".to_owned(), circle);
            }
        }
        self.text_search(body).await
    }

    pub(super) async fn search(&self, search: &Search, limit: usize) -> Result<Vec<Place>, PlacesError> {
        let body = json!({
            "textQuery": search.wanted.words(),
            "languageCode": search.lang.code(),
            "pageSize": limit,
            "rankPreference": "DISTANCE",
            "openNow": search.open_now,
            "locationRestriction": {"rectangle": around(search.near, search.radius_m)},
        });
        self.text_search(body).await
    }

    pub(super) async fn details(&self, id: &str, lang: Lang) -> Result<Place, PlacesError> {
        let is_plain = id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        if id.is_empty() || !is_plain {
            return Err(PlacesError::Refused { status: 400 });
        }
        let path = format!("v1/places/{id}");
        let mask = FIELDS.join(",");
        let found: Found = self
            .ask(Question {
                path: &path,
                query: vec![("languageCode", lang.code().to_owned())],
                headers: vec![("X-Goog-FieldMask", &mask)],
                body: None,
            })
            .await?;
        found.into_place().ok_or(PlacesError::Unreadable)
    }

    async fn text_search(&self, body: Value) -> Result<Vec<Place>, PlacesError> {
        let mask: Vec<String> = FIELDS.iter().map(|field| format!("places.{field}")).collect();
        let mask = mask.join(",");
        let answer: Answer = self
            .ask(Question {
                path: "v1/places:searchText",
                query: Vec::new(),
                headers: vec![("X-Goog-FieldMask", &mask)],
                body: Some(body),
            })
            .await?;
        Ok(answer.places.into_iter().filter_map(Found::into_place).collect())
    }

    async fn ask<'a, T: DeserializeOwned>(&'a self, mut question: Question<'a>) -> Result<T, PlacesError> {
        question.headers.push(("X-Goog-Api-Key", self.key.expose()));
        let answer = self.service.ask(question).await?;
        if answer.status == 400 && is_about_the_key(&answer.body) {
            return Err(PlacesError::KeyRefused { status: answer.status });
        }
        check(answer.status, answer.retry_after)?;
        serde_json::from_slice(&answer.body).map_err(|_not_theirs| PlacesError::Unreadable)
    }
}

/// A key that is no key at all is answered by 400, as any other bad argument is.
fn is_about_the_key(body: &[u8]) -> bool {
    String::from_utf8_lossy(body).contains("API_KEY_INVALID")
}

/// A rectangle around a point, never over a pole; over the date line it is cut off there.
fn around(point: Point, radius_m: u32) -> Value {
    let north = f64::from(radius_m) / DEGREE_M;
    let east = north / point.latitude().to_radians().cos().max(0.01);
    let (latitude, longitude) = (point.latitude(), point.longitude());
    json!({
        "low": {"latitude": (latitude - north).max(-90.0), "longitude": (longitude - east).max(-180.0)},
        "high": {"latitude": (latitude + north).min(90.0), "longitude": (longitude + east).min(180.0)},
    })
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    places: Vec<Found>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Found {
    id: String,
    #[serde(default)]
    display_name: Words,
    #[serde(default)]
    formatted_address: String,
    location: Option<Point>,
    #[serde(default)]
    primary_type: String,
    #[serde(default)]
    business_status: String,
    #[serde(default)]
    current_opening_hours: Hours,
    national_phone_number: Option<String>,
    website_uri: Option<String>,
}

#[derive(Default, Deserialize)]
struct Words {
    text: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Hours {
    open_now: Option<bool>,
    weekday_descriptions: Vec<String>,
}

impl Found {
    /// `None` for what is no place to go to: without a point, or closed for good.
    fn into_place(self) -> Option<Place> {
        if self.business_status == "CLOSED_PERMANENTLY" {
            return None;
        }
        let name = if self.display_name.text.is_empty() {
            self.formatted_address.split(',').next().unwrap_or_default().to_owned()
        } else {
            self.display_name.text
        };
        Some(Place {
            id: self.id,
            name,
            address: self.formatted_address,
            point: self.location?,
            kind: self.primary_type,
            distance_m: None,
            open_now: self.current_opening_hours.open_now,
            opening_hours: self.current_opening_hours.weekday_descriptions,
            phone: self.national_phone_number,
            website: self.website_uri,
            provider: PlaceProvider::Google,
        })
    }
}
