//! What a Photon server says on the wire: `/api` and `/reverse`, GeoJSON over OpenStreetMap.
//!
//! Called by `Places` alone. The public server is shared by everybody, so that we never ask faster than `pace` allows.
//! Photon knows hardly any opening hours and cannot be asked for what is open.

use std::time::{Duration, Instant};

use serde::Deserialize;

use super::{PlacesError, Search, Wanted, check, kinds, pace::Pace};
use crate::{
    domain::{
        lang::Lang,
        place::{Place, PlaceProvider, Point},
    },
    net::{
        NetError,
        service::{Question, Service},
    },
};

/// Metres of one degree of latitude.
const DEGREE_M: f64 = 111_195.0;

/// The service.
#[derive(Debug)]
pub(super) struct Photon {
    service: Service,
    pace: Pace,
}

impl Photon {
    pub(super) fn new(url: &str, timeout: Duration) -> Result<Self, NetError> {
        Ok(Self {
            service: Service::new(url, timeout)?,
            pace: Pace::default(),
        })
    }

    pub(super) async fn geocode(
        &self,
        text: &str,
        lang: Lang,
        near: Option<Point>,
        limit: usize,
    ) -> Result<Vec<Place>, PlacesError> {
        let mut query = vec![("q", text.to_owned()), ("limit", limit.to_string())];
        query.extend(near.map(position).into_iter().flatten());
        self.ask("api", query, lang).await
    }

    /// A kind of place is asked for by its tags, nearest first; anything else by its name.
    pub(super) async fn search(&self, search: &Search, limit: usize) -> Result<Vec<Place>, PlacesError> {
        let mut query: Vec<_> = position(search.near).into();
        query.push(("limit", limit.to_string()));
        let kind = match &search.wanted {
            Wanted::Kind(name) => kinds::named(name),
            Wanted::Words(_) => None,
        };
        let Some(kind) = kind else {
            query.push(("q", search.wanted.words()));
            query.push(("bbox", around(search.near, search.radius_m)));
            return self.ask("api", query, search.lang).await;
        };
        query.extend(kind.tags.iter().map(|tag| ("osm_tag", (*tag).to_owned())));
        query.push(("radius", format!("{:.3}", f64::from(search.radius_m) / 1_000.0)));
        self.ask("reverse", query, search.lang).await
    }

    async fn ask(&self, path: &str, query: Vec<(&'static str, String)>, lang: Lang) -> Result<Vec<Place>, PlacesError> {
        let wait = self
            .pace
            .take(Instant::now())
            .map_err(|wait| PlacesError::RateLimited { wait })?;
        tokio::time::sleep(wait).await;
        // A server without this language falls back to local names for the header, but refuses a parameter.
        let question = Question {
            path,
            query,
            headers: vec![("Accept-Language", lang.code())],
            body: None,
        };
        let answer = self.service.ask(question).await?;
        check(answer.status, answer.retry_after)?;
        let answer: Answer = serde_json::from_slice(&answer.body).map_err(|_not_theirs| PlacesError::Unreadable)?;
        Ok(answer.features.into_iter().filter_map(Feature::into_place).collect())
    }
}

fn position(point: Point) -> [(&'static str, String); 2] {
    [
        ("lat", point.latitude().to_string()),
        ("lon", point.longitude().to_string()),
    ]
}

/// A rectangle around a point, as Photon writes one; at the edges of the map it is cut off.
fn around(point: Point, radius_m: u32) -> String {
    let north = f64::from(radius_m) / DEGREE_M;
    let east = north / point.latitude().to_radians().cos().max(0.01);
    format!(
        "{:.5},{:.5},{:.5},{:.5}",
        (point.longitude() - east).max(-180.0),
        (point.latitude() - north).max(-90.0),
        (point.longitude() + east).min(180.0),
        (point.latitude() + north).min(90.0)
    )
}

#[derive(Deserialize)]
struct Answer {
    features: Vec<Feature>,
}

#[derive(Deserialize)]
struct Feature {
    geometry: Geometry,
    properties: Properties,
}

#[derive(Deserialize)]
struct Geometry {
    coordinates: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Properties {
    osm_type: String,
    osm_id: i64,
    osm_value: String,
    name: String,
    housenumber: String,
    street: String,
    postcode: String,
    city: String,
    country: String,
    extra: Extra,
}

/// Tags a server may have been told to keep.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Extra {
    opening_hours: Option<String>,
    phone: Option<String>,
    website: Option<String>,
}

impl Feature {
    /// `None` for what has no point or no name to call it by.
    fn into_place(self) -> Option<Place> {
        let [longitude, latitude, ..] = self.geometry.coordinates[..] else {
            return None;
        };
        let found = self.properties;
        let street = joined(&[&found.street, &found.housenumber], " ");
        let town = joined(&[&found.postcode, &found.city], " ");
        let address = joined(&[&street, &town, &found.country], ", ");
        let name = [&found.name, &street, &town]
            .into_iter()
            .find(|name| !name.is_empty())?
            .clone();
        Some(Place {
            id: format!("{}{}", found.osm_type, found.osm_id),
            name,
            address,
            point: Point::new(latitude, longitude).ok()?,
            kind: found.osm_value,
            distance_m: None,
            open_now: None,
            opening_hours: found.extra.opening_hours.into_iter().collect(),
            phone: found.extra.phone,
            website: found.extra.website,
            provider: PlaceProvider::Photon,
        })
    }
}

fn joined(parts: &[&str], between: &str) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join(between)
}
