//! `set_devices`: orders what is wanted, and looks whether it came so. What was so already is said to be, what does not
//! answer as well; whatever was changed can be put back, but for locks, doors and the like, whose way back is asked for
//! like the way there.

use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{
    Desk, SET,
    orders::{self, Before, Goal, Step, Unable, Wish},
    said, told,
};
use crate::{
    devices::{Device, explain},
    domain::{
        failure::{ErrorClass, ToolError},
        ids::ExecutorName,
        limits::{DEVICES_CONNECT, DEVICES_SETTLE},
        message::Message,
        run::{Reversal, ToolResult},
    },
};

/// What came of one device.
enum Outcome {
    /// It is as it was wanted.
    Done,
    /// It was so before.
    Already,
    /// It was ordered, and nothing can be seen of it.
    Ordered,
    /// It is not there, or did not do it in time.
    Silent,
    /// It does no such thing.
    Unable(Unable),
    /// The server would not have it.
    Refused(ToolError),
}

impl Outcome {
    fn is_good(&self) -> bool {
        matches!(self, Self::Done | Self::Already | Self::Ordered)
    }

    fn class(&self) -> ErrorClass {
        match self {
            Self::Refused(error) => error.class,
            Self::Silent => ErrorClass::Network,
            Self::Done | Self::Already | Self::Ordered | Self::Unable(_) => ErrorClass::InvalidArgs,
        }
    }
}

impl Desk<'_> {
    pub(super) async fn set_devices(&self) -> Result<ToolResult, ToolError> {
        if let Some(back) = self.call.args.get("back") {
            return self.put_back(back).await;
        }
        let wish = self.wish()?;
        let devices = self.meant()?;
        self.may(&devices)?;
        let outcomes = join_all(devices.iter().map(|device| self.done(device, &wish))).await;
        let reversals = devices.iter().zip(&outcomes).filter(|(device, outcome)| {
            matches!(outcome, Outcome::Done | Outcome::Silent) && !orders::is_grave(device)
        });
        let reversals: Vec<&Device> = reversals.map(|(device, _)| *device).collect();
        let back = self.reversal(&reversals);
        // As everything is by now.
        let home = self
            .link
            .home(DEVICES_CONNECT)
            .await
            .unwrap_or_else(|_away| Arc::clone(&self.home));
        let now = |device: &Device| home.entity(&device.entity).unwrap_or(device).clone();
        let results: Vec<(Device, Outcome)> = devices.into_iter().map(now).zip(outcomes).collect();
        let says = says(&results);
        let is_good = |result: &&(Device, Outcome)| result.1.is_good();
        let good = results.iter().filter(is_good).count();
        let entries: Vec<Value> = results
            .iter()
            .filter(is_good)
            .map(|(device, _)| said::entry(device))
            .collect();
        let first_wrong = results.iter().find(|(_, outcome)| !outcome.is_good());
        if let (0, Some((_, wrong))) = (good, first_wrong) {
            // What may have happened all the same can be put back.
            return Ok(ToolResult {
                reversals: back.into_iter().collect(),
                ..ToolResult::failed(ToolError::new(wrong.class(), says))
            });
        }
        // What was so already was not done, and there is nothing of it to take back.
        let so = results
            .iter()
            .filter(|(_, outcome)| matches!(outcome, Outcome::Already))
            .count();
        let more = json!({"ok_count": good - so, "unchanged_count": so, "entries": entries});
        Ok(ToolResult {
            reversals: back.into_iter().collect(),
            ..ToolResult::ok(told(&says, more))
        })
    }

    /// What keeps others out is for the host alone.
    pub(super) fn may(&self, devices: &[&Device]) -> Result<(), ToolError> {
        let is_host = self.call.context.is_host;
        match devices.iter().find(|device| !is_host && orders::is_grave(device)) {
            Some(device) => {
                let only_host = Message::new("devices-only-host-opens").with("name", said::label(device));
                Err(ToolError::new(ErrorClass::Forbidden, only_host))
            }
            None => Ok(()),
        }
    }

    fn wish(&self) -> Result<Wish, ToolError> {
        let number = |name: &str| self.call.args.get(name).and_then(Value::as_f64);
        Ok(Wish {
            action: self.call.text("action")?.to_owned(),
            level: number("brightness_pct").or_else(|| number("level")),
            step: number("step_pct"),
            color: self.call.optional_text("color")?.map(str::to_owned),
        })
    }

    async fn done(&self, device: &Device, wish: &Wish) -> Outcome {
        if device.state.is_unavailable() && !matches!(device.domain(), "scene" | "script" | "button" | "input_button") {
            return Outcome::Silent;
        }
        let Step { order, goal } = match orders::step(device, wish) {
            Ok(step) => step,
            Err(unable) => return Outcome::Unable(unable),
        };
        if goal != Goal::Lit && goal.is_met(device) {
            return Outcome::Already;
        }
        if let Err(failure) = self.link.call(order).await {
            return Outcome::Refused(explain(&failure, &device.name));
        }
        if goal == Goal::Unseen {
            return Outcome::Ordered;
        }
        let met = |home: &crate::devices::Home| home.entity(&device.entity).filter(|now| goal.is_met(now)).map(drop);
        match self.link.until(DEVICES_SETTLE, met).await {
            Some(()) => Outcome::Done,
            None => Outcome::Silent,
        }
    }

    fn reversal(&self, devices: &[&Device]) -> Option<Reversal> {
        let before: Vec<Before> = devices.iter().map(|device| Before::of(device)).collect();
        let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
        (!before.is_empty()).then(|| Reversal::Call {
            tool: ExecutorName::from(SET),
            args: super::fields(json!({"back": before})),
            label: names.join(", "),
        })
    }

    /// Puts devices back as they were.
    async fn put_back(&self, back: &Value) -> Result<ToolResult, ToolError> {
        let wrong = |_no_list| ToolError::new(ErrorClass::InvalidArgs, Message::new("devices-nothing-back"));
        let before: Vec<Before> = serde_json::from_value(back.clone()).map_err(wrong)?;
        let mut names = Vec::new();
        let mut silent = Vec::new();
        for before in &before {
            let Some(device) = self.seen().find(|device| device.id == before.id) else {
                silent.push(before.id.clone());
                continue;
            };
            for order in orders::back(device, before) {
                let called = self.link.call(order).await;
                called.map_err(|failure| explain(&failure, &device.name))?;
            }
            let met =
                |home: &crate::devices::Home| home.entity(&device.entity).filter(|now| before.is_met(now)).map(drop);
            match self.link.until(DEVICES_SETTLE, met).await {
                Some(()) => names.push(device.name.clone()),
                None => silent.push(device.name.clone()),
            }
        }
        if names.is_empty() {
            let message = Message::new("devices-silent").with("name", silent.join(", "));
            return Err(ToolError::new(ErrorClass::Network, message));
        }
        let back = Message::new("devices-back").with("names", names.join(", "));
        let left = (!silent.is_empty()).then(|| Message::new("devices-silent").with("name", silent.join(", ")));
        let says = said::lines([back].into_iter().chain(left));
        Ok(ToolResult::ok(told(
            &says,
            json!({"ok_count": names.len(), "entries": []}),
        )))
    }
}

/// What came of each, line by line.
fn says(results: &[(Device, Outcome)]) -> Message {
    let line = |(device, outcome): &(Device, Outcome)| {
        let named = |key: &str| Message::new(key).with("name", said::label(device));
        match outcome {
            Outcome::Done => said::is(device),
            Outcome::Already => named("devices-already").with("state", said::state(device)),
            Outcome::Ordered => named("devices-ordered"),
            Outcome::Silent => named("devices-silent"),
            Outcome::Unable(Unable::Never) => named("devices-cannot"),
            Outcome::Unable(Unable::Range(min, max)) => named("devices-range").with("min", *min).with("max", *max),
            Outcome::Refused(error) => error.message.clone(),
        }
    };
    said::lines(results.iter().map(line))
}
