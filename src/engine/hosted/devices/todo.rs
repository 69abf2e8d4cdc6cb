//! `read_devices_todo` and `set_devices_todo`: the to-do lists of Home Assistant. A list and what stands on it count by
//! their whole names; it says that something is done when the list, read again, says so. The lists that a household
//! keeps as files are none of it.

use metnos_homeassistant::{Failure, Item, todo::Can};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Desk, SET_LIST, meant, said, things::spaced, told};
use crate::{
    devices::{Device, explain},
    domain::{
        failure::{ErrorClass, ToolError},
        ids::ExecutorName,
        limits::{DEVICES_SETTLE, DEVICES_SHOWN_MAX},
        message::Message,
        run::{Reversal, ToolResult},
    },
};

/// Which lists and which items some words mean.
pub(super) mod things;

/// Items that one request changes.
const ITEMS_AT_ONCE: usize = 20;

/// What is to be done with items.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Add,
    Tick,
    Remove,
}

impl Action {
    fn can(self) -> Can {
        match self {
            Self::Add => Can::Add,
            Self::Tick => Can::Tick,
            Self::Remove => Can::Remove,
        }
    }

    fn key(self) -> &'static str {
        match self {
            Self::Add => "devices-todo-added",
            Self::Tick => "devices-todo-ticked",
            Self::Remove => "devices-todo-removed",
        }
    }
}

/// How something stood on a list before.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Before {
    /// The id of the list.
    list: String,
    /// The item; what is put back is made of it.
    item: Item,
    /// Whether it stood there at all.
    was_there: bool,
}

/// What came of one item.
enum Outcome {
    Done(Item),
    /// It was so before.
    Already,
    /// Nothing on the list is called so.
    Missing,
    /// It was ordered, and the list does not show it.
    Silent,
    Refused(ToolError),
}

/// Everything that is done with one list.
struct Work<'a> {
    list: &'a Device,
    action: Action,
    /// What was done, as it stood before.
    before: Vec<Before>,
    outcomes: Vec<(String, Outcome)>,
}

impl Desk<'_> {
    pub(super) async fn read_todo(&self) -> Result<ToolResult, ToolError> {
        let lists = self.lists()?;
        let (mut lines, mut entries) = (Vec::new(), Vec::new());
        for list in lists {
            if list.state.is_unavailable() {
                lines.push(Message::new("devices-silent").with("name", said::label(list)));
                continue;
            }
            let items = self.items(list).await?;
            lines.push(of_list(list, &items));
            entries.extend(items.iter().map(|item| entry(list, item)));
        }
        let says = said::lines(lines.into_iter());
        let more = json!({"used": entries.len(), "entries": entries});
        Ok(ToolResult::ok(told(&says, more)))
    }

    pub(super) async fn set_todo(&self) -> Result<ToolResult, ToolError> {
        if let Some(back) = self.call.args.get("back") {
            return self.put_items_back(back).await;
        }
        let action = self.action()?;
        let targets = self.call.texts("items")?;
        if targets.len() > ITEMS_AT_ONCE {
            let many = Message::new("devices-todo-too-many").with("count", ITEMS_AT_ONCE);
            return Err(ToolError::new(ErrorClass::TooLarge, many));
        }
        let list = self.one_list(&targets)?;
        if list.state.is_unavailable() {
            let silent = Message::new("devices-silent").with("name", said::label(list));
            return Err(ToolError::new(ErrorClass::Network, silent));
        }
        let can = list.state.number("supported_features").unwrap_or_default() as u32;
        if can & action.can() as u32 == 0 {
            let cannot = Message::new("devices-cannot").with("name", said::label(list));
            return Err(ToolError::new(ErrorClass::InvalidArgs, cannot));
        }
        let mut work = Work {
            list,
            action,
            before: Vec::new(),
            outcomes: Vec::new(),
        };
        for target in targets {
            let outcome = match self.one(&mut work, &target).await {
                Ok(outcome) => outcome,
                Err(failure) => Outcome::Refused(explain(&failure, &list.name)),
            };
            work.outcomes.push((target, outcome));
        }
        Ok(work.told())
    }

    /// The lists as the call names them, with every one by its id; for the card that is approved.
    pub(super) fn named_lists(&self) -> Result<Vec<&Device>, ToolError> {
        let targets = match self.call.args.get("items") {
            Some(_) => self.call.texts("items")?,
            None => Vec::new(),
        };
        self.one_list(&targets).map(|list| vec![list])
    }

    fn action(&self) -> Result<Action, ToolError> {
        match self.call.text("action")? {
            "add" => Ok(Action::Add),
            "tick" => Ok(Action::Tick),
            "remove" => Ok(Action::Remove),
            _ => Err(ToolError::new(
                ErrorClass::InvalidArgs,
                Message::new("devices-todo-what"),
            )),
        }
    }

    fn todo(&self) -> impl Iterator<Item = &Device> {
        meant::seen(&self.home, self.rooms).filter(|device| device.domain() == "todo")
    }

    /// The lists that the call is about; all where it names none.
    fn lists(&self) -> Result<Vec<&Device>, ToolError> {
        let all: Vec<&Device> = self.todo().collect();
        if all.is_empty() {
            return Err(ToolError::new(
                ErrorClass::NotFound,
                Message::new("devices-todo-no-lists"),
            ));
        }
        let names = match self.call.args.get("lists") {
            Some(_) => self.call.texts("lists")?,
            None => return Ok(all),
        };
        names.iter().map(|name| called(name, &all)).collect()
    }

    /// The one list that is changed: that of the items, where they are told by their ids.
    fn one_list(&self, targets: &[String]) -> Result<&Device, ToolError> {
        let own = |target: &String| {
            let (id, _uid) = target.split_once('/')?;
            self.todo().find(|list| list.id == id)
        };
        if !self.call.args.contains_key("lists")
            && let Some(list) = targets.iter().find_map(own)
        {
            return Ok(list);
        }
        let lists = self.lists()?;
        match lists.as_slice() {
            [only] => Ok(only),
            several => Err(which(several)),
        }
    }

    async fn items(&self, list: &Device) -> Result<Vec<Item>, ToolError> {
        let items = self.link.items(&list.entity).await;
        items.map_err(|failure| explain(&failure, &list.name))
    }

    async fn one(&self, work: &mut Work<'_>, target: &str) -> Result<Outcome, Failure> {
        let (list, entity) = (work.list, work.list.entity.as_str());
        let items = self.link.items(entity).await?;
        let there = found(list, &items, target);
        let item = match (work.action, there) {
            (Action::Add, Some(item)) if !item.is_done => return Ok(Outcome::Already),
            (Action::Add, _) => Item {
                uid: String::new(),
                summary: target.trim().to_owned(),
                is_done: false,
                due: None,
                description: None,
            },
            (Action::Tick | Action::Remove, None) => return Ok(Outcome::Missing),
            (Action::Tick, Some(item)) if item.is_done => return Ok(Outcome::Already),
            (Action::Tick | Action::Remove, Some(item)) => item.clone(),
        };
        let order = match work.action {
            Action::Add => item.added_to(entity),
            Action::Tick => item.ticked_on(entity, true),
            Action::Remove => item.removed_from(entity),
        };
        self.link.call(order).await?;
        let is_new = |one: &&Item| one.summary == item.summary && !items.iter().any(|old| old.uid == one.uid);
        let so = |now: &[Item]| match work.action {
            Action::Add => now.iter().find(is_new).cloned(),
            Action::Tick => now.iter().find(|one| one.uid == item.uid && one.is_done).cloned(),
            Action::Remove => (!now.iter().any(|one| one.uid == item.uid)).then(|| item.clone()),
        };
        let came = self.link.items_until(entity, DEVICES_SETTLE, so).await?;
        // What may have come after all can be taken back as well.
        let was_there = work.action != Action::Add;
        work.before.push(Before {
            list: list.id.clone(),
            item: if was_there { item } else { came.clone().unwrap_or(item) },
            was_there,
        });
        Ok(came.map_or(Outcome::Silent, Outcome::Done))
    }

    /// Puts lists back as they were.
    async fn put_items_back(&self, back: &Value) -> Result<ToolResult, ToolError> {
        let wrong = |_no_list| ToolError::new(ErrorClass::InvalidArgs, Message::new("devices-nothing-back"));
        let before: Vec<Before> = serde_json::from_value(back.clone()).map_err(wrong)?;
        let (mut names, mut silent) = (Vec::new(), Vec::new());
        for before in &before {
            let Some(list) = self.todo().find(|list| list.id == before.list) else {
                silent.push(before.item.summary.clone());
                continue;
            };
            let is_back = self.back(list, before).await;
            match is_back.map_err(|failure| explain(&failure, &list.name))? {
                true => names.push(before.item.summary.clone()),
                false => silent.push(before.item.summary.clone()),
            }
        }
        let left = Message::new("devices-todo-not-so").with("items", silent.join(", "));
        if names.is_empty() {
            return Err(ToolError::new(ErrorClass::Network, left));
        }
        let done = Message::new("devices-back").with("names", names.join(", "));
        let says = said::lines([done].into_iter().chain((!silent.is_empty()).then_some(left)));
        let more = json!({"ok_count": names.len(), "entries": []});
        Ok(ToolResult::ok(told(&says, more)))
    }

    /// One item as it was; whether the list says that it is.
    async fn back(&self, list: &Device, before: &Before) -> Result<bool, Failure> {
        let (entity, item) = (list.entity.as_str(), &before.item);
        let is_it = |one: &&Item| one.uid == item.uid || item.uid.is_empty() && one.summary == item.summary;
        let items = self.link.items(entity).await?;
        let there = items.iter().find(is_it);
        if !before.was_there {
            let Some(there) = there else { return Ok(true) };
            self.link.call(there.removed_from(entity)).await?;
            let gone = |now: &[Item]| (!now.iter().any(|one| one.uid == there.uid)).then_some(());
            return Ok(self.link.items_until(entity, DEVICES_SETTLE, gone).await?.is_some());
        }
        let there = match there {
            Some(there) => there.clone(),
            None => {
                self.link.call(item.added_to(entity)).await?;
                let is_new = |one: &&Item| one.summary == item.summary && !items.iter().any(|old| old.uid == one.uid);
                let came = |now: &[Item]| now.iter().find(is_new).cloned();
                let Some(there) = self.link.items_until(entity, DEVICES_SETTLE, came).await? else {
                    return Ok(false);
                };
                there
            }
        };
        if there.is_done != item.is_done {
            self.link.call(there.ticked_on(entity, item.is_done)).await?;
        }
        let so = |now: &[Item]| {
            let mut all = now.iter();
            all.any(|one| one.uid == there.uid && one.is_done == item.is_done)
                .then_some(())
        };
        Ok(self.link.items_until(entity, DEVICES_SETTLE, so).await?.is_some())
    }
}

impl Work<'_> {
    fn told(self) -> ToolResult {
        let Self {
            list,
            action,
            before,
            outcomes,
        } = self;
        let label = said::label(list);
        let names = |is_it: fn(&Outcome) -> bool| -> Vec<&str> {
            let all = outcomes.iter().filter(|(_, outcome)| is_it(outcome));
            all.map(|(name, outcome)| shown(name, outcome)).collect()
        };
        let line = |key: &str, names: Vec<&str>| {
            let message = Message::new(key).with("items", names.join(", "));
            (!names.is_empty()).then(|| message.with("list", label.as_str()))
        };
        let already = match action {
            Action::Add => "devices-todo-there-already",
            Action::Tick | Action::Remove => "devices-todo-ticked-already",
        };
        let done = names(|outcome| matches!(outcome, Outcome::Done(_)));
        let so = names(|outcome| matches!(outcome, Outcome::Already));
        let (changed, unchanged) = (done.len(), so.len());
        let missing = names(|outcome| matches!(outcome, Outcome::Missing));
        let silent = names(|outcome| matches!(outcome, Outcome::Silent));
        let class = if missing.is_empty() {
            ErrorClass::Network
        } else {
            ErrorClass::NotFound
        };
        let refused = outcomes.iter().find_map(|(_, outcome)| match outcome {
            Outcome::Refused(error) => Some(error),
            Outcome::Done(_) | Outcome::Already | Outcome::Missing | Outcome::Silent => None,
        });
        let lines = [
            line(action.key(), done),
            line(already, so),
            line("devices-todo-no-item", missing),
            line("devices-todo-not-so", silent),
            refused.map(|error| error.message.clone()),
        ];
        let says = said::lines(lines.into_iter().flatten());
        let reversals: Vec<Reversal> = reversal(&before).into_iter().collect();
        if changed + unchanged == 0 {
            let class = refused.map_or(class, |error| error.class);
            return ToolResult {
                reversals,
                ..ToolResult::failed(ToolError::new(class, says))
            };
        }
        let entries: Vec<Value> = outcomes
            .iter()
            .filter_map(|(_, outcome)| match outcome {
                Outcome::Done(item) if action != Action::Remove => Some(entry(list, item)),
                Outcome::Done(_) | Outcome::Already | Outcome::Missing | Outcome::Silent | Outcome::Refused(_) => None,
            })
            .collect();
        let more = json!({"ok_count": changed, "unchanged_count": unchanged, "entries": entries});
        ToolResult {
            reversals,
            ..ToolResult::ok(told(&says, more))
        }
    }
}

/// As it stands on the list, where it does.
fn shown<'o>(name: &'o str, outcome: &'o Outcome) -> &'o str {
    match outcome {
        Outcome::Done(item) => &item.summary,
        Outcome::Already | Outcome::Missing | Outcome::Silent | Outcome::Refused(_) => name,
    }
}

fn reversal(before: &[Before]) -> Option<Reversal> {
    let names: Vec<&str> = before.iter().map(|before| before.item.summary.as_str()).collect();
    (!before.is_empty()).then(|| Reversal::Call {
        tool: ExecutorName::from(SET_LIST),
        label: names.join(", "),
        args: super::fields(json!({"back": before})),
    })
}

fn entry(list: &Device, item: &Item) -> Value {
    json!({
        "id": format!("{}/{}", list.id, item.uid),
        "name": item.summary,
        "list": said::label(list),
        "done": item.is_done,
        "due": item.due,
    })
}

/// What stands on a list, in one message.
fn of_list(list: &Device, items: &[Item]) -> Message {
    let open: Vec<&str> = items
        .iter()
        .filter(|item| !item.is_done)
        .map(|item| item.summary.as_str())
        .collect();
    let done = items.len() - open.len();
    let lines: Vec<String> = open
        .iter()
        .take(DEVICES_SHOWN_MAX)
        .map(|summary| format!("• {summary}"))
        .collect();
    Message::new("devices-todo-holds")
        .with("list", said::label(list))
        .with("count", open.len())
        .with("items", lines.join("\n"))
        .with("more", open.len().saturating_sub(DEVICES_SHOWN_MAX))
        .with("done", done)
}

/// The list of a name, an id or a label.
fn called<'l>(name: &str, all: &[&'l Device]) -> Result<&'l Device, ToolError> {
    if let Some(one) = all.iter().find(|list| list.id == name || said::label(list) == name) {
        return Ok(one);
    }
    let wanted = spaced(name);
    let bears = |list: &&&Device| {
        let mut names = std::iter::once(&list.name).chain(&list.aliases);
        names.any(|own| spaced(own) == wanted)
    };
    let bear: Vec<&Device> = all.iter().filter(bears).copied().collect();
    match bear.as_slice() {
        [only] => Ok(only),
        [] => {
            let names: Vec<String> = all.iter().map(|list| said::label(list)).collect();
            let none = Message::new("devices-todo-no-list")
                .with("name", name)
                .with("names", names.join(", "));
            Err(ToolError::new(ErrorClass::NotFound, none))
        }
        several => Err(which(several)),
    }
}

fn which(lists: &[&Device]) -> ToolError {
    let names: Vec<String> = lists.iter().map(|list| said::label(list)).collect();
    let which = Message::new("devices-which").with("names", names.join(", "));
    ToolError::new(ErrorClass::AmbiguousSourceContext, which)
}

/// The item of an id or of a whole name; of several that read alike one that is not ticked.
fn found<'i>(list: &Device, items: &'i [Item], target: &str) -> Option<&'i Item> {
    let by_id = items.iter().find(|item| {
        let own = target
            .strip_prefix(list.id.as_str())
            .and_then(|rest| rest.strip_prefix('/'));
        own == Some(item.uid.as_str())
    });
    let name = spaced(target);
    let bear = || items.iter().filter(|item| spaced(&item.summary) == name);
    by_id
        .or_else(|| bear().find(|item| !item.is_done))
        .or_else(|| bear().next())
}
