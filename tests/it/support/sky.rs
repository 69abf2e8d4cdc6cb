//! A weather service at the wire, with the shape that Open-Meteo's answers have, on a free local port: towns under
//! `/towns`, forecasts under `/sky`. Tests say what it answers next; what was asked is kept.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    extract::{Path, Query, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::get,
};
use metnos::config::WeatherConfig;
use serde_json::{Value, json};

/// What the service does with its next question.
#[derive(Clone, Debug)]
pub(crate) enum Next {
    /// Answers with this status and body.
    Says(u16, String),
    /// Answers after a while.
    Slow(Duration),
}

#[derive(Default)]
struct Shared {
    asked: Mutex<Vec<(String, HashMap<String, String>)>>,
    script: Mutex<Vec<Next>>,
}

/// The running service; it ends with this value.
pub(crate) struct FakeSky {
    url: String,
    shared: Arc<Shared>,
    server: tokio::task::JoinHandle<()>,
}

impl Drop for FakeSky {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl FakeSky {
    pub(crate) async fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let router = Router::new()
            .route("/{service}/v1/{what}", get(serve))
            .with_state(Arc::clone(&shared));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, shared, server }
    }

    pub(crate) fn config(&self) -> WeatherConfig {
        WeatherConfig {
            url: Some(format!("{}/sky", self.url)),
            towns_url: Some(format!("{}/towns", self.url)),
            timeout_s: 1,
        }
    }

    pub(crate) fn next(&self, next: Next) {
        self.shared.script.lock().unwrap().push(next);
    }

    /// What was asked, in order: `search` or `forecast`, and the query.
    pub(crate) fn asked(&self) -> Vec<(String, HashMap<String, String>)> {
        self.shared.asked.lock().unwrap().clone()
    }
}

async fn serve(
    State(shared): State<Arc<Shared>>,
    Path((_service, what)): Path<(String, String)>,
    Query(query): Query<HashMap<String, String>>,
) -> Response {
    shared.asked.lock().unwrap().push((what.clone(), query.clone()));
    let next = {
        let mut script = shared.script.lock().unwrap();
        (!script.is_empty()).then(|| script.remove(0))
    };
    match next {
        Some(Next::Says(status, body)) => return (StatusCode::from_u16(status).unwrap(), body).into_response(),
        Some(Next::Slow(time)) => tokio::time::sleep(time).await,
        None => {}
    }
    if what == "search" {
        towns(&query)
    } else {
        axum::Json(forecast(&query)).into_response()
    }
}

fn towns(query: &HashMap<String, String>) -> Response {
    let named = query["name"].to_lowercase();
    let town = |name: &str, at: (f64, f64), zone: &str| {
        json!({"results": [{"id": 1, "name": name, "latitude": at.0, "longitude": at.1, "elevation": 239.0,
            "feature_code": "PPLA", "country_code": "IT", "timezone": zone}], "generationtime_ms": 0.6})
    };
    let found = match named.as_str() {
        "turin" | "torino" => town(
            if query["language"] == "it" { "Torino" } else { "Turin" },
            (45.07, 7.69),
            "Europe/Rome",
        ),
        "tokyo" => town("Tokyo", (35.69, 139.69), "Asia/Tokyo"),
        _ => json!({"generationtime_ms": 0.3}),
    };
    axum::Json(found).into_response()
}

/// Ten days from Thursday 26 November 2026: rain at five today, all day tomorrow, sun on Saturday, snow on Sunday.
fn forecast(query: &HashMap<String, String>) -> Value {
    let days: Vec<String> = (26..=30)
        .map(|day| format!("2026-11-{day}"))
        .chain((1..=5).map(|day| format!("2026-12-0{day}")))
        .collect();
    let by_day = |first: [f64; 4], rest: f64| {
        let mut all = first.to_vec();
        all.resize(days.len(), rest);
        all
    };
    let hours: Vec<String> = days
        .iter()
        .flat_map(|day| (0..24).map(move |hour| format!("{day}T{hour:02}:00")))
        .collect();
    let by_hour = |usual: [f64; 4], rest: f64, at_five: f64| {
        let each = |(at, _): (usize, &String)| {
            if at == 17 {
                at_five
            } else {
                usual.get(at / 24).copied().unwrap_or(rest)
            }
        };
        hours.iter().enumerate().map(each).collect::<Vec<f64>>()
    };
    json!({
        "latitude": query["latitude"].parse::<f64>().unwrap(), "longitude": query["longitude"].parse::<f64>().unwrap(),
        "generationtime_ms": 2.9, "utc_offset_seconds": 3600, "timezone": "Europe/Rome", "timezone_abbreviation": "CET",
        "elevation": 44.8,
        "current": {"time": "2026-11-26T10:00", "interval": 900, "temperature_2m": 5.5, "apparent_temperature": 1.6,
            "weather_code": 3, "wind_speed_10m": 5.3},
        "hourly_units": {"time": "iso8601", "temperature_2m": "°C", "precipitation": "mm", "weathercode": "wmo code"},
        "hourly": {"time": hours.clone(), "temperature_2m": by_hour([6.0, 5.0, 8.0, 0.0], 7.0, 4.0),
            "precipitation": by_hour([0.0, 0.4, 0.0, 0.5], 0.0, 1.5),
            "precipitation_probability": by_hour([5.0, 80.0, 0.0, 70.0], 10.0, 90.0),
            "weather_code": by_hour([3.0, 61.0, 0.0, 73.0], 2.0, 63.0),
            "wind_speed_10m": by_hour([8.0, 30.0, 5.0, 10.0], 12.0, 9.0)},
        "daily_units": {"time": "iso8601", "temperature_2m_max": "°C", "precipitation_sum": "mm"},
        "daily": {"time": days.clone(), "weather_code": by_day([63.0, 61.0, 0.0, 73.0], 2.0),
            "temperature_2m_max": by_day([9.0, 7.0, 12.0, 1.0], 10.0),
            "temperature_2m_min": by_day([4.0, 3.0, 2.0, -2.0], 5.0),
            "precipitation_sum": by_day([1.5, 4.2, 0.0, 3.0], 0.0),
            "precipitation_probability_max": by_day([90.0, 80.0, 0.0, 70.0], 10.0),
            "wind_speed_10m_max": by_day([10.0, 30.0, 8.0, 12.0], 15.0)}
    })
}
