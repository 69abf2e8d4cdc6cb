//! What the watcher asks of rooms and raw events. Called by `watch` alone; it changes nothing.

use matrix_sdk::{
    Room,
    deserialized_responses::TimelineEvent,
    ruma::{
        UserId,
        api::client::filter::{Filter, FilterDefinition, RoomEventFilter},
        uint,
    },
};
use serde_json::Value;

/// People in a private room: the person and the bot.
const PRIVATE: u64 = 2;

/// No presence, no typing, no receipts; enough of a new room to see from when on we were invited.
pub(super) fn wanted() -> FilterDefinition {
    let mut wanted = FilterDefinition::empty();
    wanted.presence = Filter::ignore_all();
    wanted.room.ephemeral = RoomEventFilter::ignore_all();
    wanted.room.timeline.limit = Some(uint!(50));
    wanted
}

/// What became of us in the room by this event.
pub(super) fn membership_of(event: &TimelineEvent, own: &UserId) -> Option<String> {
    let json: Value = serde_json::from_str(event.raw().json().get()).ok()?;
    let is_own = json["type"] == "m.room.member" && json["state_key"] == own.as_str();
    let now = json["content"]["membership"].as_str().filter(|_| is_own)?;
    let before = json["unsigned"]["prev_content"]["membership"].as_str();
    // A new name or picture is no new arrival.
    (before != Some(now)).then(|| now.to_owned())
}

pub(super) fn is_private(room: &Room) -> bool {
    room.active_members_count() <= PRIVATE
}

/// Whether the room is encrypted; when nobody can tell, it is taken to be.
pub(super) async fn is_encrypted(room: &Room) -> bool {
    match room.latest_encryption_state().await {
        Ok(state) => state.is_encrypted(),
        Err(error) => {
            tracing::warn!(%error, "cannot tell whether a room is encrypted");
            true
        }
    }
}

pub(super) async fn name_of(room: &Room, sender: &str) -> Option<String> {
    let sender = UserId::parse(sender).ok()?;
    let member = room.get_member_no_sync(&sender).await.ok().flatten()?;
    member.display_name().map(str::to_owned)
}

/// The sender and flow of a request for verification that came from device to device.
pub(super) fn verification(event: &str) -> Option<(String, String)> {
    let json: Value = serde_json::from_str(event).ok()?;
    if json["type"] != "m.key.verification.request" {
        return None;
    }
    let flow = json["content"]["transaction_id"].as_str()?;
    Some((json["sender"].as_str()?.to_owned(), flow.to_owned()))
}
