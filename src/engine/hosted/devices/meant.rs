//! Which devices a call means: by id, by name, by what they are and where. Called by everything in this folder. A name
//! counts whole or not at all; two of one name are a question.

use super::{Desk, said, things};
use crate::{
    devices::{Device, Home},
    domain::{
        failure::{ErrorClass, ToolError},
        fold::fold,
        message::Message,
    },
};

impl Desk<'_> {
    /// Every device that this person may see; a to-do list is none.
    pub(super) fn seen(&self) -> impl Iterator<Item = &Device> {
        seen(&self.home, self.rooms).filter(|device| device.domain() != "todo")
    }

    /// The devices that the call is about.
    pub(super) fn meant(&self) -> Result<Vec<&Device>, ToolError> {
        let areas = match self.call.args.get("area") {
            Some(_) => self.call.texts("area")?,
            None => Vec::new(),
        };
        let targets = match self.call.args.get("targets") {
            Some(_) => self.call.texts("targets")?,
            None => Vec::new(),
        };
        let mut meant: Vec<&Device> = Vec::new();
        for target in &targets {
            for device in self.called(target, &areas)? {
                if !meant.iter().any(|known| known.id == device.id) {
                    meant.push(device);
                }
            }
        }
        if !targets.is_empty() {
            return Ok(meant);
        }
        self.placed(&areas)
    }

    /// The devices of a name; several only where they lie in several rooms that were named.
    fn called(&self, target: &str, areas: &[String]) -> Result<Vec<&Device>, ToolError> {
        if let Some(one) = self
            .seen()
            .find(|device| device.id == target || said::label(device) == target)
        {
            return Ok(vec![one]);
        }
        let name = fold(target);
        let bears = |device: &&Device| bears(device, &name);
        let all: Vec<&Device> = self.seen().filter(bears).collect();
        let inside: Vec<&Device> = all.iter().copied().filter(|device| is_in(device, areas)).collect();
        let left = if areas.is_empty() || inside.is_empty() {
            all
        } else {
            inside
        };
        match left.as_slice() {
            [] => {
                let nobody = Message::new("devices-none-called").with("name", target);
                Err(ToolError::new(ErrorClass::NotFound, nobody))
            }
            [only] => Ok(vec![only]),
            several if several.len() <= areas.len() => Ok(left),
            several => {
                let names: Vec<String> = several.iter().map(|device| said::label(device)).collect();
                let which = Message::new("devices-which").with("names", names.join(", "));
                Err(ToolError::new(ErrorClass::AmbiguousSourceContext, which))
            }
        }
    }

    /// The devices of a kind, in rooms or on a floor, or everywhere.
    fn placed(&self, areas: &[String]) -> Result<Vec<&Device>, ToolError> {
        let kind = self.call.optional_text("kind")?;
        let floor = self.call.optional_text("floor")?.map(fold);
        if self.call.flag("here", false)? && areas.is_empty() {
            return Err(ToolError::new(ErrorClass::InvalidArgs, Message::new("devices-where")));
        }
        for area in areas {
            let name = fold(area);
            let is_one = |device: &Device| device.area.as_ref().is_some_and(|own| fold(own) == name);
            if !self.home.areas().iter().any(|known| says(known, &name)) && !self.seen().any(is_one) {
                let nowhere = Message::new("devices-no-room").with("room", area.as_str());
                return Err(ToolError::new(ErrorClass::NotFound, nowhere));
            }
        }
        let areas: Vec<String> = areas.iter().map(|area| self.room(area)).collect();
        let is_it = |device: &&Device| {
            let on_floor = |floor: &String| device.floor.as_ref().is_some_and(|own| fold(own) == *floor);
            kind.map_or_else(|| is_plain(device), |kind| is_of(device, kind))
                && (areas.is_empty() || is_in(device, &areas))
                && floor.as_ref().is_none_or(on_floor)
        };
        let meant: Vec<&Device> = self.seen().filter(is_it).collect();
        if meant.is_empty() {
            let place = areas
                .first()
                .cloned()
                .or_else(|| self.call.optional_text("floor").ok()??.to_owned().into());
            let nothing = Message::new("devices-nothing")
                .with("where", if place.is_some() { "there" } else { "home" })
                .with("room", place.unwrap_or_default());
            return Err(ToolError::new(ErrorClass::NotFound, nothing));
        }
        Ok(meant)
    }

    /// A room as it is called; an alias stands for it.
    fn room(&self, area: &str) -> String {
        let name = fold(area);
        let known = self.home.areas().iter().find(|known| says(known, &name));
        known.map_or_else(|| area.to_owned(), |known| known.name.clone())
    }
}

/// What somebody may see who is kept to these rooms, if to any.
pub(super) fn seen<'h>(home: &'h Home, rooms: Option<&'h [String]>) -> impl Iterator<Item = &'h Device> {
    home.devices()
        .filter(move |device| rooms.is_none_or(|rooms| is_in(device, rooms)))
}

fn says(area: &metnos_homeassistant::home::Area, name: &str) -> bool {
    std::iter::once(&area.name)
        .chain(&area.aliases)
        .any(|known| fold(known) == name)
}

/// Whether a device is called this, by its whole name.
pub(super) fn bears(device: &Device, name: &str) -> bool {
    std::iter::once(&device.name)
        .chain(&device.aliases)
        .any(|known| fold(known) == name)
}

pub(super) fn is_in(device: &Device, areas: &[String]) -> bool {
    let is_one = |own: &String| areas.iter().any(|area| fold(area) == fold(own));
    device.area.as_ref().is_some_and(is_one)
}

/// What "everything" is: what can be switched, and neither measures nor is somebody.
fn is_plain(device: &Device) -> bool {
    matches!(
        device.domain(),
        "light" | "switch" | "fan" | "media_player" | "cover" | "climate"
    )
}

/// Whether a device is what a word for a kind says, by the names that `patterns` gives kinds.
pub(super) fn is_of(device: &Device, kind: &str) -> bool {
    let (domain, class) = (device.domain(), device.class());
    match kind {
        "light" | "lamp" => domain == "light",
        "switch" => matches!(domain, "switch" | "input_boolean"),
        "outlet" => domain == "switch" && class == "outlet",
        "curtain" => domain == "cover" && matches!(class, "curtain" | "") && !things::is_called_a_way_in(device),
        "window" | "door" => matches!(domain, "cover" | "binary_sensor") && class == kind,
        "garage" => matches!(domain, "cover" | "binary_sensor") && matches!(class, "garage" | "garage_door"),
        "blind" | "shutter" | "shade" | "awning" | "gate" => domain == "cover" && class == kind,
        "cover" => domain == "cover",
        "climate" => matches!(domain, "climate" | "water_heater"),
        "media" => domain == "media_player",
        "scene" => matches!(domain, "scene" | "script"),
        other => domain == other,
    }
}
