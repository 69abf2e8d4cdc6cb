//! What geo services answered a moment ago, so that the same question is not asked twice. Used by `places` alone;
//! losing it costs a question.

use std::{collections::HashMap, time::Instant};

use crate::domain::{
    limits::{PLACES_CACHED_FOR, PLACES_CACHED_MAX},
    place::Place,
};

/// Answers by question, with the moment they came.
#[derive(Debug, Default)]
pub(super) struct Cache {
    answers: HashMap<String, (Instant, Vec<Place>)>,
}

impl Cache {
    /// The answer to this question, unless it is too old.
    pub(super) fn get(&mut self, question: &str, now: Instant) -> Option<Vec<Place>> {
        let (since, places) = self.answers.get(question)?;
        if now.saturating_duration_since(*since) < PLACES_CACHED_FOR {
            return Some(places.clone());
        }
        self.answers.remove(question);
        None
    }

    /// Keeps an answer; the oldest one makes room.
    pub(super) fn put(&mut self, question: String, places: Vec<Place>, now: Instant) {
        if self.answers.len() >= PLACES_CACHED_MAX && !self.answers.contains_key(&question) {
            let oldest = self.answers.iter().min_by_key(|(_, (since, _))| *since);
            if let Some(oldest) = oldest.map(|(question, _)| question.clone()) {
                self.answers.remove(&oldest);
            }
        }
        self.answers.insert(question, (now, places));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn answers_grow_old_and_stay_few() {
        let start = Instant::now();
        let mut cache = Cache::default();
        cache.put("old".to_owned(), Vec::new(), start);
        let just_before = start + PLACES_CACHED_FOR - Duration::from_secs(1);
        assert!(cache.get("old", just_before).is_some());
        assert!(cache.get("never", just_before).is_none());
        assert!(cache.get("old", start + PLACES_CACHED_FOR).is_none());

        cache.put("first".to_owned(), Vec::new(), start);
        for number in 0..PLACES_CACHED_MAX {
            cache.put(number.to_string(), Vec::new(), start + Duration::from_secs(1));
        }
        assert_eq!(cache.answers.len(), PLACES_CACHED_MAX);
        assert!(cache.get("first", start + Duration::from_secs(2)).is_none());
    }
}
