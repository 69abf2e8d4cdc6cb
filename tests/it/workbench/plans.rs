//! What a planner that is always right writes for a task: targets are found by who, what and when, as the sentence has
//! them, and never by an id.

use jiff::civil::DateTime;
use serde_json::{Value, json};

use super::office::Office;

/// Seconds of a minute.
const MINUTE_S: i64 = 60;

/// The steps.
pub(super) fn right(office: &Office, task: &Value) -> Value {
    let said = Said {
        office,
        query: task["query"].as_str().unwrap(),
        answer: task["answer"].as_array().unwrap(),
    };
    match task["template"].as_str().unwrap() {
        template if template.starts_with("Push back") => said.pushed_back(),
        template if template.starts_with("Cancel all future meetings with") => {
            said.cancelled(&json!({"with": said.name()}))
        }
        template if template.starts_with("Rename the next") => said.renamed(),
        template if template.starts_with("Create a") => said.created(),
        template if template.starts_with("Cancel the next") => {
            said.cancelled(&json!({"about": said.event(), "max_results": 1}))
        }
        template if template.starts_with("Cancel future") => said.cancelled(&json!({"about": said.event()})),
        template if template.starts_with("Forward my most recent") => {
            said.forwarded(&json!({"from": said.sender(), "max_results": 1}))
        }
        template if template.starts_with("Forward the last") => {
            said.forwarded(&json!({"subject": said.subject(), "max_results": 1}))
        }
        template if template.starts_with("Delete my last") => {
            said.deleted(&json!({"from": said.name(), "max_results": 1}))
        }
        template if template.starts_with("Delete all my") => {
            said.deleted(&json!({"from": said.name(), "window": said.last_days()}))
        }
        template if template.starts_with("Send an email") => said.sent(),
        other => panic!("no plan for {other}"),
    }
}

/// What a task says.
struct Said<'a> {
    office: &'a Office,
    query: &'a str,
    answer: &'a [Value],
}

impl Said<'_> {
    fn arg(&self, name: &str) -> &str {
        self.answer[0]["args"][name].as_str().unwrap()
    }

    /// First names of people, in the order in which they are said.
    fn names(&self) -> Vec<&str> {
        let first = |address: &str| address.split('.').next().unwrap().to_owned();
        let known: Vec<String> = self.office.people.iter().map(|address| first(address)).collect();
        let words = self.query.split(|letter: char| !letter.is_alphabetic());
        words.filter(|word| known.iter().any(|name| name == word)).collect()
    }

    fn name(&self) -> &str {
        self.names()[0]
    }

    /// Who wrote the mail that is passed on, which is said first or last.
    fn sender(&self) -> &str {
        let id = self.answer[0]["args"]["email_id"].as_str().unwrap();
        let letter = self.office.letters.iter().find(|letter| letter.email_id == id).unwrap();
        let names = self.names();
        names.into_iter().find(|name| letter.sender.starts_with(name)).unwrap()
    }

    /// To whom.
    fn recipients(&self) -> Vec<String> {
        let to = self
            .answer
            .iter()
            .map(|call| call["args"]["recipient"].as_str().unwrap());
        to.map(|address| address.split('.').next().unwrap().to_owned())
            .collect()
    }

    /// The name of a meeting that is there.
    fn event(&self) -> String {
        let query = self.query.to_lowercase();
        let known = self.office.appointments.iter().map(|one| one.event_name.as_str());
        let said = known.filter(|name| query.contains(&name.to_lowercase()));
        match said.max_by_key(|name| name.len()) {
            Some(name) => name.to_owned(),
            None => "a meeting that nobody has".to_owned(),
        }
    }

    /// The subject between the marks.
    fn subject(&self) -> &str {
        self.query.split('\'').nth(1).unwrap()
    }

    /// The day, as it is said.
    fn day(&self) -> String {
        let rest = self.query.split("December ").nth(1).unwrap();
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        format!("December {number}")
    }

    fn last_days(&self) -> String {
        let rest = self.query.split("the last ").nth(1).unwrap();
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let first = 30 - number.parse::<i64>().unwrap();
        format!("2023-11-{first:02}/2023-11-30")
    }

    fn pushed_back(&self) -> Value {
        let id = self.arg("event_id");
        let old = self.office.appointments.iter().find(|one| one.event_id == id).unwrap();
        let at = |text: &str| text.replace(' ', "T").parse::<DateTime>().unwrap();
        let by = at(self.arg("new_value")).duration_since(at(&old.event_start)).as_secs();
        json!([
            {"tool": "read_events", "args": {"with": self.name(), "when": self.day(), "max_results": 1}},
            {"tool": "set_events", "args": {"from_step": 1, "by_s": by}},
        ])
    }

    fn renamed(&self) -> Value {
        let title = self.arg("new_value");
        json!([
            {"tool": "read_events", "args": {"about": self.renamed_from(), "max_results": 1}},
            {"tool": "set_events", "args": {"from_step": 1, "title": title}},
        ])
    }

    /// What is renamed is called so; what it is to be called may be the name of another one.
    fn renamed_from(&self) -> &str {
        let id = self.arg("event_id");
        &self
            .office
            .appointments
            .iter()
            .find(|one| one.event_id == id)
            .unwrap()
            .event_name
    }

    fn created(&self) -> Value {
        let minutes: i64 = self.arg("duration").parse().unwrap();
        json!([{"tool": "create_events", "args": {
            "title": self.arg("event_name"),
            "when": self.arg("event_start").replace(' ', "T"),
            "duration_s": minutes * MINUTE_S,
            "with": self.name(),
        }}])
    }

    fn cancelled(&self, wanted: &Value) -> Value {
        json!([
            {"tool": "read_events", "args": wanted},
            {"tool": "delete_events", "args": {"from_step": 1}},
        ])
    }

    fn forwarded(&self, wanted: &Value) -> Value {
        json!([
            {"tool": "find_messages", "args": wanted},
            {"tool": "send_messages", "args": {"from_step": 1, "mode": "forward", "to": self.recipients().join(", ")}},
        ])
    }

    fn deleted(&self, wanted: &Value) -> Value {
        json!([
            {"tool": "find_messages", "args": wanted},
            {"tool": "delete_messages", "args": {"from_step": 1}},
        ])
    }

    fn sent(&self) -> Value {
        json!([{"tool": "send_messages", "args": {
            "to": self.name(),
            "subject": self.arg("subject"),
            "text": self.arg("body"),
        }}])
    }
}
