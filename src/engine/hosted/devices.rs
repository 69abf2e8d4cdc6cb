//! The executors of devices: how they are, what is done with them, what cameras see, and what is on to-do lists. A
//! family of `engine::families` over the one connection to Home Assistant. It acts on whole names only, says that
//! something is done when the device says so, and keeps guests to the rooms the host gave them.

use std::sync::Arc;

use metnos_homeassistant::Link;
use serde_json::{Map, Value, json};

use self::todo::things::Lists;
use super::{Host, fields};
use crate::{
    devices::{Devices, Home},
    domain::{
        failure::{ErrorClass, ToolError},
        ids::ExecutorName,
        limits::{DEVICES_AT_ONCE, DEVICES_CONNECT, DEVICES_WAIT},
        message::Message,
        verdict::Risk,
    },
    engine::{
        families::{Completing, Family, Knowing, Naming, Running, Scene, Weighing, Weight},
        things::{Resolver, files::Files},
    },
    executors::Call,
};

/// Does what is to be done.
mod act;
/// Tells how things are.
mod look;
/// Which devices a call means.
mod meant;
/// What has to be ordered of a device, and how it is then.
mod orders;
/// Names and states, as they are told.
mod said;
/// Shows what a camera sees.
mod camera;
/// Which devices some words mean.
mod things;
/// The to-do lists.
mod todo;

const GET: &str = "get_devices";
const SET: &str = "set_devices";
const PICTURE: &str = "get_devices_image";
const READ_LIST: &str = "read_devices_todo";
const SET_LIST: &str = "set_devices_todo";

/// The devices of the house.
#[derive(Debug)]
pub struct Hands {
    devices: Devices,
    /// Rooms whose devices guests may command.
    guest_areas: Vec<String>,
}

impl Hands {
    /// Those of the household; guests reach only these rooms.
    pub fn new(guest_areas: Vec<String>) -> Self {
        Self {
            devices: Devices::default(),
            guest_areas,
        }
    }

    async fn desk<'a>(&'a self, host: &'a Host<'a>, call: &'a Call) -> Result<Desk<'a>, ToolError> {
        let there = self.devices.home(host.store, DEVICES_CONNECT).await;
        let (link, home) = there.map_err(|error| for_person(error, call.context.is_host))?;
        Ok(Desk {
            link,
            home,
            call,
            rooms: (!call.context.is_host).then_some(self.guest_areas.as_slice()),
        })
    }
}

/// A guest is asked for no key of the house.
fn for_person(error: ToolError, is_host: bool) -> ToolError {
    match error.login {
        Some(_) if !is_host => ToolError::new(ErrorClass::CapabilityMissing, Message::new("devices-none-yet")),
        Some(_) | None => error,
    }
}

/// One call, beside the home it is about.
struct Desk<'a> {
    link: Arc<Link>,
    home: Arc<Home>,
    call: &'a Call,
    /// The rooms that count; `None` for all.
    rooms: Option<&'a [String]>,
}

impl Family for Hands {
    fn executors(&self) -> &'static [&'static str] {
        &[GET, SET, PICTURE, READ_LIST, SET_LIST]
    }

    fn run<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Running<'a> {
        Box::pin(async move {
            let desk = self.desk(host, call).await?;
            match name.as_str() {
                GET => desk.get_devices(),
                PICTURE => desk.get_picture(&self.devices, host.store).await,
                READ_LIST => desk.read_todo().await,
                SET_LIST => desk.set_todo().await,
                _ => desk.set_devices().await,
            }
        })
    }

    fn names<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Naming<'a> {
        Box::pin(async move {
            let Ok(desk) = self.desk(host, call).await else {
                return Vec::new();
            };
            if name.as_str() == SET_LIST {
                let lists = desk.named_lists().unwrap_or_default().into_iter().map(said::label);
                return call
                    .texts("items")
                    .unwrap_or_default()
                    .into_iter()
                    .chain(lists)
                    .collect();
            }
            let meant = desk.meant().unwrap_or_default();
            meant.into_iter().map(said::label).collect()
        })
    }

    /// Which devices are meant is settled before anybody is asked, so that what is approved is what happens.
    fn completes<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Completing<'a> {
        Box::pin(async move {
            let is_todo = name.as_str() == SET_LIST;
            if name.as_str() != SET && !is_todo || call.args.contains_key("back") {
                return Ok(None);
            }
            let desk = self.desk(host, call).await?;
            let (arg, meant) = match is_todo {
                true => ("lists", desk.named_lists()?),
                false => ("targets", desk.meant()?),
            };
            desk.may(&meant)?;
            let ids: Vec<&str> = meant.into_iter().map(|device| device.id.as_str()).collect();
            let mut args = call.args.clone();
            args.insert(arg.to_owned(), json!(ids));
            Ok(Some(args))
        })
    }

    fn weighs<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Weighing<'a> {
        Box::pin(async move {
            if name.as_str() != SET || call.args.contains_key("back") {
                return Weight::default();
            }
            // What cannot be looked at may be a lock.
            let unknown = Weight {
                risk: Risk::Critical,
                stays: true,
            };
            let Ok(desk) = self.desk(host, call).await else {
                return unknown;
            };
            let Ok(meant) = desk.meant() else { return unknown };
            let keeps_out = meant.iter().any(|device| orders::is_grave(device));
            // Critical is asked about at every level, as long as the manifest does not say it of everything.
            let is_grave = keeps_out || meant.len() > DEVICES_AT_ONCE;
            Weight {
                risk: if is_grave { Risk::Critical } else { Risk::Low },
                // The way back of a lock or a door is asked for like the way there.
                stays: keeps_out,
            }
        })
    }

    fn things<'a>(&'a self, scene: Scene<'a>) -> Knowing<'a> {
        Box::pin(async move {
            let is_host = scene.turn.actor.role == crate::domain::actor::Role::Host;
            let rooms = (!is_host).then(|| self.guest_areas.clone());
            // Where nothing is connected no words mean a device; no request waits long to hear of it.
            let home = self.devices.home(scene.store, DEVICES_WAIT).await.ok();
            let area = match &home {
                Some(_) => scene.store.area_of(&scene.turn.actor.id).await.ok().flatten(),
                None => None,
            };
            let (link, home) = home.map_or_else(|| (None, Arc::default()), |(link, home)| (Some(link), home));
            let files = Files::new(scene.root, scene.home, scene.language, scene.lang);
            let seen = meant::seen(&home, rooms.as_deref());
            let text = scene.turn.text.as_str();
            let todo = Lists::of(seen, link.as_deref(), text, files, area.clone()).await;
            let all: Box<dyn Resolver + 'a> = Box::new(things::Known::new((home, todo), rooms, area, scene.lang));
            Some(all)
        })
    }
}

/// A body that is one sentence, with what it rests on.
fn told(says: &Message, more: Value) -> Map<String, Value> {
    let mut body = fields(more);
    body.insert("says".to_owned(), json!(says));
    body
}
