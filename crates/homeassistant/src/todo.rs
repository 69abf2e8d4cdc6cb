//! What stands on a to-do list of a home, as its server tells it. Pure. Made by `link`, which asks for it, and read by
//! whoever asked. A row that is none is left out, and a list is read up to a bound.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::Service;

/// Items that are read of one list.
pub const ITEMS_MAX: usize = 500;

/// What `supported_features` of a list says that it can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Can {
    /// An item is put on it.
    Add = 1,
    /// An item is taken off it.
    Remove = 2,
    /// An item is ticked.
    Tick = 4,
}

/// Something that stands on a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// What the server knows it by.
    #[serde(default)]
    pub uid: String,
    /// What people read.
    pub summary: String,
    /// It is ticked.
    #[serde(default)]
    pub is_done: bool,
    /// The day or the moment it is due, as the server writes it.
    #[serde(default)]
    pub due: Option<String>,
    /// What stands below it.
    #[serde(default)]
    pub description: Option<String>,
}

impl Item {
    fn read(raw: &Value) -> Option<Self> {
        let text = |name: &str| raw.get(name).and_then(Value::as_str).map(str::to_owned);
        let summary = text("summary").filter(|summary| !summary.trim().is_empty())?;
        Some(Self {
            // A list without keys knows its items by what they say.
            uid: text("uid").unwrap_or_else(|| summary.clone()),
            is_done: text("status").as_deref() == Some("completed"),
            due: text("due"),
            description: text("description"),
            summary,
        })
    }

    /// The items in the answer to `todo/item/list`.
    pub fn of_answer(answer: &Value) -> Vec<Self> {
        let items = answer.get("items").and_then(Value::as_array);
        let all = items.into_iter().flatten().filter_map(Self::read);
        all.take(ITEMS_MAX).collect()
    }

    /// Puts it on a list, with all that is known of it but the tick.
    pub fn added_to(&self, list: &str) -> Service {
        let mut data = Map::new();
        data.insert("item".to_owned(), json!(self.summary));
        if let Some(due) = &self.due {
            let name = if due.contains('T') { "due_datetime" } else { "due_date" };
            data.insert(name.to_owned(), json!(due));
        }
        if let Some(description) = &self.description {
            data.insert("description".to_owned(), json!(description));
        }
        Service {
            data,
            ..Service::new("todo", "add_item", list)
        }
    }

    /// Ticks it, or takes the tick away.
    pub fn ticked_on(&self, list: &str, is_done: bool) -> Service {
        let status = if is_done { "completed" } else { "needs_action" };
        Service::new("todo", "update_item", list)
            .with("item", json!(self.uid))
            .with("status", json!(status))
    }

    /// Takes it off.
    pub fn removed_from(&self, list: &str) -> Service {
        Service::new("todo", "remove_item", list).with("item", json!([self.uid]))
    }
}
