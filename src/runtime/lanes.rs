//! One ordered, bounded queue per conversation, with one task that works it off, for as long as there is something to
//! do and a little longer. What is put in after a task has ended begins a new one; nothing is lost in between, because
//! putting in and ending exclude each other. Knows nothing of messages; `inbox` does.

use std::{hash::Hash, time::Duration};

use dashmap::{DashMap, Entry};
use tokio::sync::mpsc::{self, error::TrySendError};

/// All lanes that are open now.
#[derive(Debug)]
pub(super) struct Lanes<K: Eq + Hash, T> {
    open: DashMap<K, mpsc::Sender<T>>,
    idle: Duration,
}

/// The working end of one lane.
#[derive(Debug)]
pub(super) struct Lane<K, T> {
    key: K,
    queue: mpsc::Receiver<T>,
}

impl<K: Clone + Eq + Hash, T> Lanes<K, T> {
    /// No lanes yet; each ends when it had nothing to do for so long.
    pub(super) fn new(idle: Duration) -> Self {
        Self {
            open: DashMap::new(),
            idle,
        }
    }

    /// Puts something in; returned when the lane is full. A new lane has this many places, and `work` is
    /// given its working end.
    pub(super) fn put(&self, key: &K, item: T, places: usize, work: impl FnOnce(Lane<K, T>)) -> Option<T> {
        // Holds the place of this conversation until the item is in: nobody ends its lane meanwhile.
        let place = self.open.entry(key.clone());
        let mut item = item;
        if let Entry::Occupied(lane) = &place {
            match lane.get().try_send(item) {
                Ok(()) => return None,
                Err(TrySendError::Full(refused)) => return Some(refused),
                // Its task broke; the next one goes on.
                Err(TrySendError::Closed(back)) => item = back,
            }
        }
        let (lane, queue) = mpsc::channel(places);
        let put = lane.try_send(item);
        drop(place.insert(lane));
        work(Lane {
            key: key.clone(),
            queue,
        });
        put.err().map(TrySendError::into_inner)
    }

    /// The next thing to do in a lane; `None` when the lane has ended.
    pub(super) async fn next(&self, lane: &mut Lane<K, T>) -> Option<T> {
        loop {
            match tokio::time::timeout(self.idle, lane.queue.recv()).await {
                Ok(next) => return next,
                Err(_idle) => {
                    let ended = self.open.remove_if(&lane.key, |_, _| lane.queue.is_empty());
                    if ended.is_some() {
                        return None;
                    }
                }
            }
        }
    }

    /// Lets go of all lanes: each ends after what is in it.
    pub(super) fn clear(&self) {
        self.open.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// Many conversations, each quiet again and again for about as long as a lane stays open.
    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn idle_lanes_end_and_lose_nothing() {
        const CONVERSATIONS: usize = 200;
        const MESSAGES: usize = 60;
        let lanes = Arc::new(Lanes::new(Duration::from_millis(2)));
        let (done, mut all_done) = mpsc::channel(CONVERSATIONS * MESSAGES);
        let mut talking = tokio::task::JoinSet::new();
        for conversation in 0..CONVERSATIONS {
            let (lanes, done) = (Arc::clone(&lanes), done.clone());
            talking.spawn(async move {
                for message in 0..MESSAGES {
                    let work = |mut lane: Lane<usize, usize>| {
                        let (lanes, done) = (Arc::clone(&lanes), done.clone());
                        tokio::spawn(async move {
                            while let Some(message) = lanes.next(&mut lane).await {
                                done.try_send((conversation, message)).unwrap();
                            }
                        });
                    };
                    assert_eq!(lanes.put(&conversation, message, MESSAGES, work), None);
                    if (conversation + message) % 3 == 0 {
                        tokio::time::sleep(Duration::from_millis(2)).await;
                    }
                }
            });
        }
        drop(done);
        let mut next = vec![0; CONVERSATIONS];
        for _ in 0..CONVERSATIONS * MESSAGES {
            let (conversation, message) = all_done.recv().await.unwrap();
            assert_eq!(next[conversation], message, "in order");
            next[conversation] += 1;
        }
        talking.join_all().await;
        assert_eq!(all_done.recv().await, None, "every task has ended");
        assert!(lanes.open.is_empty());
    }

    #[tokio::test]
    async fn a_full_lane_gives_back_what_does_not_fit() {
        let lanes = Lanes::new(Duration::from_secs(60));
        let mut lane = None;
        assert_eq!(lanes.put(&1, "a", 1, |opened| lane = Some(opened)), None);
        assert_eq!(lanes.put(&1, "b", 1, |_| panic!("it is open")), Some("b"));
        assert_eq!(lanes.next(lane.as_mut().unwrap()).await, Some("a"));
        lane = None;
        assert_eq!(
            lanes.put(&1, "c", 1, |opened| lane = Some(opened)),
            None,
            "a broken one is replaced"
        );
        lanes.clear();
        let mut lane = lane.unwrap();
        assert_eq!(lanes.next(&mut lane).await, Some("c"), "what is in it is still done");
        assert_eq!(lanes.next(&mut lane).await, None);
    }
}
