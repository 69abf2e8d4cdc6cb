//! What a waiting turn waits for, and the questions it may put to a person. The engine asks, `runtime::dialogs` speaks
//! and listens, the store keeps what was answered so far.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    account::{Service, WantedAccount, WantedLogin},
    ids::OperationHash,
    kind::Class,
    limits::{FORM_FIELDS_MAX, FORM_OPTIONS_MAX, FORM_PROMPT_CHARS_MAX},
    message::Message,
};

/// What kind of answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// Any words.
    Text,
    /// A password or the like: sealed at once, and never part of a plan, a prompt or a log.
    Secret,
    /// Yes or no.
    YesNo,
    /// One of the options.
    Choice,
    /// Any of the options.
    MultiChoice,
    /// A number.
    Number,
    /// A day.
    Date,
    /// A file or a folder.
    FilePath,
    /// A point on the earth.
    Location,
}

/// One question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// The name under which later steps find the answer.
    pub var: String,
    /// What is wanted.
    pub kind: FieldKind,
    /// The question in the person's words; without it the runtime has words for every kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// What the answer is for, which picks better words where there is no prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<Class>,
    /// What can be chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

impl Field {
    /// One that is put by our own words, whatever a plan says.
    fn bare(var: &str, kind: FieldKind) -> Self {
        Self {
            var: var.to_owned(),
            kind,
            prompt: None,
            about: None,
            options: Vec::new(),
        }
    }
}

/// Why a list of questions cannot be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// Not the form the manifest describes.
    #[error("`fields` is no list of questions")]
    NoFields,
    /// None, or more than a person would answer.
    #[error("a form has 1 to {FORM_FIELDS_MAX} questions")]
    FieldCount,
    /// Two answers under one name, or a name no plan can refer to.
    #[error("every `var` is a word of its own")]
    Vars,
    /// A question longer than a question.
    #[error("a prompt has at most {FORM_PROMPT_CHARS_MAX} characters")]
    Prompt,
    /// A choice between fewer than two different things, or too many.
    #[error("a choice has 2 to {FORM_OPTIONS_MAX} different options")]
    Options,
}

/// Questions put one after the other, and what was answered so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Form {
    /// All of them.
    pub fields: Vec<Field>,
    /// Which one is open.
    pub at: usize,
    /// Answers by their `var`.
    pub answers: Map<String, Value>,
    /// What is marked of the open question, when several things can be.
    #[serde(default)]
    pub picked: Vec<usize>,
    /// How often the open question was answered with something else.
    #[serde(default)]
    pub tries: u32,
    /// The account its one question asks a key for. A plan cannot ask for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<WantedAccount>,
    /// The account of the person's own that its questions are about. A plan cannot ask for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub login: Option<WantedLogin>,
    /// The locked file its one question asks the password of. A plan cannot ask for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<WantedPassword>,
}

/// The password of a file that a step needs: used once, and part of no answer, no row and no plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WantedPassword {
    /// What cannot be opened, and whether a password was tried in vain.
    pub why: Message,
    /// How many were tried.
    pub tries: u32,
    /// What the person had approved before it turned out to be locked: it did nothing yet, and is not asked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<OperationHash>,
}

/// What a waiting turn waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// An approval of exactly this.
    Approval {
        /// Executor, arguments and person.
        operation: OperationHash,
    },
    /// Where the person is.
    Location,
    /// Answers in words.
    Form(Box<Form>),
}

/// What stands for a password that was given: that of an account, which works, or that of a file.
pub const LOGIN_GIVEN: &str = "given";

impl Question {
    /// Whether its answers brought an account that works.
    pub fn brought_account(&self) -> bool {
        match self {
            Self::Approval { .. } | Self::Location => false,
            Self::Form(form) => form.login.is_some() && form.answers.values().any(|answer| answer == LOGIN_GIVEN),
        }
    }

    /// Whether a shared location answers what is open.
    pub fn wants_location(&self) -> bool {
        match self {
            Self::Approval { .. } => false,
            Self::Location => true,
            Self::Form(form) => form.field().is_some_and(|field| field.kind == FieldKind::Location),
        }
    }
}

impl Form {
    /// The questions in the arguments of an executor that asks.
    pub fn from_args(args: &Map<String, Value>) -> Result<Self, FormError> {
        let written = args.get("fields").cloned().ok_or(FormError::NoFields)?;
        let fields: Vec<Field> = serde_json::from_value(written).map_err(|_mistyped| FormError::NoFields)?;
        let form = Self {
            fields,
            ..Self::default()
        };
        form.check()?;
        Ok(form)
    }

    /// Asks for the key of an account.
    pub fn for_account(wanted: WantedAccount) -> Self {
        Self {
            fields: vec![Field::bare(wanted.account.as_str(), FieldKind::Secret)],
            account: Some(wanted),
            ..Self::default()
        }
    }

    /// Asks for the password of a locked file.
    pub fn for_password(wanted: WantedPassword) -> Self {
        Self {
            fields: vec![Field::bare("password", FieldKind::Secret)],
            password: Some(wanted),
            ..Self::default()
        }
    }

    /// Asks for an account of the person's own: where it is, and its password.
    pub fn for_login(wanted: WantedLogin) -> Self {
        let mut fields = vec![Field::bare("address", FieldKind::Text)];
        match wanted.service {
            Service::Mail | Service::Calendar | Service::Homeassistant => {}
            Service::Caldav | Service::Carddav => fields.push(Field::bare("user", FieldKind::Text)),
        }
        if wanted.service != Service::Calendar {
            fields.push(Field::bare("password", FieldKind::Secret));
        }
        Self {
            fields,
            login: Some(wanted),
            ..Self::default()
        }
    }

    /// The form with one more question before the open one is answered, right behind it.
    #[must_use]
    pub fn asking_next(mut self, var: &str) -> Self {
        let field = Field {
            var: var.to_owned(),
            kind: FieldKind::Text,
            prompt: None,
            about: None,
            options: Vec::new(),
        };
        let place = (self.at + 1).min(self.fields.len());
        self.fields.insert(place, field);
        self
    }

    fn check(&self) -> Result<(), FormError> {
        if !(1..=FORM_FIELDS_MAX).contains(&self.fields.len()) {
            return Err(FormError::FieldCount);
        }
        for (index, field) in self.fields.iter().enumerate() {
            let others = self.fields.iter().take(index);
            if !is_name(&field.var) || others.clone().any(|other| other.var == field.var) {
                return Err(FormError::Vars);
            }
            let prompt = field.prompt.as_deref().unwrap_or_default();
            if prompt.chars().count() > FORM_PROMPT_CHARS_MAX {
                return Err(FormError::Prompt);
            }
            if matches!(field.kind, FieldKind::Choice | FieldKind::MultiChoice) && !is_choice(&field.options) {
                return Err(FormError::Options);
            }
        }
        Ok(())
    }

    /// The open question; `None` when all are answered.
    pub fn field(&self) -> Option<&Field> {
        self.fields.get(self.at)
    }

    /// The form with the open question answered.
    #[must_use]
    pub fn answered(mut self, answer: Value) -> Self {
        if let Some(field) = self.fields.get(self.at) {
            self.answers.insert(field.var.clone(), answer);
            self.at += 1;
            self.picked = Vec::new();
            self.tries = 0;
        }
        self
    }
}

/// A name references can write.
fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

fn is_choice(options: &[String]) -> bool {
    let distinct = options
        .iter()
        .enumerate()
        .all(|(index, option)| !option.trim().is_empty() && !options.iter().take(index).any(|other| other == option));
    (2..=FORM_OPTIONS_MAX).contains(&options.len()) && distinct
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn form(fields: Value) -> Result<Form, FormError> {
        let mut args = Map::new();
        args.insert("fields".to_owned(), fields);
        Form::from_args(&args)
    }

    #[test]
    fn questions_nobody_could_answer_are_refused() {
        for (fields, error) in [
            (json!("one"), FormError::NoFields),
            (json!([{"var": "x", "kind": "guess"}]), FormError::NoFields),
            (json!([]), FormError::FieldCount),
            (json!([{"var": "x y", "kind": "text"}]), FormError::Vars),
            (
                json!([{"var": "x", "kind": "text"}, {"var": "x", "kind": "date"}]),
                FormError::Vars,
            ),
            (
                json!([{"var": "x", "kind": "text", "prompt": "?".repeat(201)}]),
                FormError::Prompt,
            ),
            (
                json!([{"var": "x", "kind": "choice", "options": ["a"]}]),
                FormError::Options,
            ),
            (
                json!([{"var": "x", "kind": "multi_choice", "options": ["a", "a"]}]),
                FormError::Options,
            ),
        ] {
            assert_eq!(form(fields.clone()), Err(error), "{fields}");
        }
    }

    #[test]
    fn answers_come_one_by_one() {
        let form = form(json!([{"var": "x", "kind": "text"}, {"var": "n", "kind": "number"}])).unwrap();
        let form = form.answered(json!("a"));
        assert_eq!(form.field().map(|field| field.kind), Some(FieldKind::Number));
        let form = form.answered(json!(3));
        assert_eq!(
            (form.field(), Value::Object(form.answers.clone())),
            (None, json!({"x": "a", "n": 3}))
        );
    }
}
