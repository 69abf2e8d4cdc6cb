//! `get_devices`: which there are, how they are, what was left on, how warm it is and who is at home.
//! It orders nothing.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Desk, meant, said, told};
use crate::{
    devices::Device,
    domain::{failure::ToolError, limits::DEVICES_SHOWN_MAX, message::Message, run::ToolResult},
};

impl Desk<'_> {
    pub(super) fn get_devices(&self) -> Result<ToolResult, ToolError> {
        let about = self.call.optional_text("about")?.unwrap_or("state");
        let (says, shown) = match about {
            "temperature" | "humidity" => self.measured(about)?,
            "left_on" => self.left_on(),
            "people" => self.people(),
            _ if self.is_open() => self.all(),
            _ => self.states()?,
        };
        let wanted = self.call.optional_text("state")?;
        let entry = |device: &Device| {
            let mut entry = said::entry(device);
            if let Some(wanted) = wanted {
                entry["is_so"] = json!(said::is_so(device, wanted));
            }
            entry
        };
        let entries: Vec<Value> = shown.into_iter().map(entry).collect();
        let more = json!({"used": entries.len(), "entries": entries});
        Ok(ToolResult::ok(told(&says, more)))
    }

    /// Nothing was said of which ones.
    fn is_open(&self) -> bool {
        let named = ["targets", "kind", "area", "floor", "state", "here"];
        !named.iter().any(|name| self.call.args.contains_key(*name))
    }

    fn all(&self) -> (Message, Vec<&Device>) {
        let mut rooms: BTreeMap<Option<&str>, Vec<String>> = BTreeMap::new();
        let all: Vec<&Device> = self.seen().collect();
        for device in all.iter().take(DEVICES_SHOWN_MAX) {
            rooms
                .entry(device.area.as_deref())
                .or_default()
                .push(device.name.clone());
        }
        let lines = rooms.into_iter().map(|(room, names)| {
            Message::new("devices-room")
                .with("room", room.unwrap_or("none").to_owned())
                .with("names", names.join(", "))
        });
        let lines: Vec<Message> = lines.collect();
        let more = all.len().saturating_sub(DEVICES_SHOWN_MAX);
        let rest = (more > 0).then(|| Message::new("devices-more").with("count", more));
        let says = match all.is_empty() {
            true => Message::new("devices-none-shown"),
            false => said::lines(lines.into_iter().chain(rest)),
        };
        (says, all)
    }

    /// Those that are asked about, and whether they are as they are asked about.
    fn states(&self) -> Result<(Message, Vec<&Device>), ToolError> {
        let wanted = self.call.optional_text("state")?;
        let is_named = self.call.args.contains_key("targets");
        let is_place = !is_named && !self.call.args.contains_key("kind");
        let meant = match wanted {
            // "Is anything open upstairs?"
            Some(wanted) if is_place => self.in_place(|device| said::is_so(device, wanted))?,
            None if is_place => self.in_place(|_any| true)?,
            Some(_) | None => self.meant()?,
        };
        let Some(wanted) = wanted else {
            return Ok((said::lines(meant.iter().map(|device| said::is(device))), meant));
        };
        if let ([only], true) = (meant.as_slice(), is_named) {
            let answer = match (only.state.is_unavailable(), said::is_so(only, wanted)) {
                (true, _) => Message::new("devices-silent").with("name", said::label(only)),
                (false, is_so) => Message::new("devices-answer")
                    .with("verdict", if is_so { "yes" } else { "no" })
                    .with("fact", said::is(only)),
            };
            return Ok((answer, meant));
        }
        let so: Vec<&Device> = meant
            .iter()
            .copied()
            .filter(|device| said::is_so(device, wanted))
            .collect();
        let says = if so.is_empty() {
            Message::new("devices-none-so").with("state", wanted.to_owned())
        } else {
            said::lines(so.iter().map(|device| said::is(device)))
        };
        Ok((says, so))
    }

    /// What of a place is so.
    fn in_place(&self, is_so: impl Fn(&Device) -> bool) -> Result<Vec<&Device>, ToolError> {
        let area = self
            .call
            .args
            .contains_key("area")
            .then(|| self.call.texts("area"))
            .transpose()?;
        let floor = self.call.optional_text("floor")?.map(crate::domain::fold::fold);
        let is_there = |device: &&Device| {
            let on_floor = |floor: &String| {
                let own = device.floor.as_deref().map(crate::domain::fold::fold);
                own.as_ref() == Some(floor)
            };
            area.as_ref().is_none_or(|area| meant::is_in(device, area)) && floor.as_ref().is_none_or(on_floor)
        };
        Ok(self.seen().filter(is_there).filter(|device| is_so(device)).collect())
    }

    /// How warm or damp it is: what measures it, else what heats there.
    fn measured(&self, about: &str) -> Result<(Message, Vec<&Device>), ToolError> {
        let is_meant = |device: &Device| {
            let measures = device.domain() == "sensor" && device.class() == about;
            let heats = about == "temperature" && device.state.number("current_temperature").is_some();
            (measures || heats) && !device.state.is_unavailable()
        };
        let found = match self.call.args.contains_key("targets") {
            true => self.meant()?.into_iter().filter(|device| is_meant(device)).collect(),
            false => self.in_place(is_meant)?,
        };
        let says = if found.is_empty() {
            Message::new("devices-nothing-measures").with("about", about.to_owned())
        } else {
            said::lines(found.iter().map(|device| said::is(device)))
        };
        Ok((says, found))
    }

    /// What somebody who leaves would want to know.
    fn left_on(&self) -> (Message, Vec<&Device>) {
        let is_left = |device: &&Device| {
            let is_switched = matches!(
                device.domain(),
                "light" | "switch" | "fan" | "media_player" | "input_boolean"
            );
            let is_way_in = matches!(
                device.class(),
                "door" | "garage" | "garage_door" | "window" | "opening" | "gate"
            );
            is_switched && said::is_so(device, "on")
                || is_way_in && said::is_so(device, "open")
                || said::word(device) == "unlocked"
        };
        let left: Vec<&Device> = self.seen().filter(is_left).collect();
        (said::lines(left.iter().map(|device| said::is(device))), left)
    }

    fn people(&self) -> (Message, Vec<&Device>) {
        let people: Vec<&Device> = self.seen().filter(|device| device.domain() == "person").collect();
        let says = if people.is_empty() {
            Message::new("devices-no-people")
        } else {
            said::lines(people.iter().map(|device| said::is(device)))
        };
        (says, people)
    }
}
