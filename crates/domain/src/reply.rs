//! What the runtime hands down: an answer as a tree of text, with buttons. Each channel draws it in its own way.

use serde::{Deserialize, Serialize};

use super::{attachment::Attachment, ids::CallbackToken};

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Span {
    /// Plain words.
    Text(String),
    /// Strong words.
    Bold(String),
    /// Emphasised words.
    Italic(String),
    /// Something literal: a path, a name, a command.
    Code(String),
    /// A link.
    Link {
        /// The words shown.
        label: String,
        /// Where it leads.
        url: String,
    },
}

/// A part of an answer, drawn below the previous one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// One paragraph; a newline inside a span is a line break.
    Paragraph(Vec<Span>),
    /// A list of lines.
    List(Vec<Vec<Span>>),
    /// A table; every row is as long as the header.
    Table {
        /// Column titles.
        header: Vec<String>,
        /// Cells, row by row.
        rows: Vec<Vec<String>>,
    },
    /// Text whose line breaks and spaces matter, such as a file's content.
    Verbatim(String),
}

impl Block {
    /// A paragraph of plain words.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Paragraph(vec![Span::Text(text.into())])
    }
}

/// What a button means to a person, so that every channel can draw or name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ButtonKind {
    /// ✓ the answer was right.
    Confirm,
    /// ✗ the answer was wrong.
    Reject,
    /// ↺ try again differently.
    Retry,
    /// Approve the waiting operation.
    Approve,
    /// Refuse the waiting operation.
    Refuse,
    /// Write anew what the waiting operation would send, and see it again.
    Amend,
    /// Answer a question with this option.
    Choose {
        /// Which question of the form.
        field: u8,
        /// Which option.
        option: u8,
    },
    /// Nothing more is to be marked.
    Done {
        /// Which question of the form.
        field: u8,
    },
    /// Give up what the question is for.
    Cancel {
        /// Which question of the form.
        field: u8,
    },
    /// Say something to a task that rang, or that failed too often.
    Task(TaskButton),
    /// Send an answer again that may not have arrived.
    Resend,
    /// What memory learned stays as it is.
    Keep,
    /// What memory learned is unlearned.
    Unlearn,
}

/// What a person says to a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskButton {
    /// It is done.
    Done,
    /// Again in a few minutes.
    Later,
    /// Again tomorrow.
    Tomorrow,
    /// Go on, whatever failed.
    GoOn,
    /// Rest until I say so.
    Pause,
    /// Never again.
    Delete,
}

impl TaskButton {
    /// Every one of them.
    pub const ALL: [Self; 6] = [
        Self::Done,
        Self::Later,
        Self::Tomorrow,
        Self::GoOn,
        Self::Pause,
        Self::Delete,
    ];

    /// The word it is stored as.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Later => "later",
            Self::Tomorrow => "tomorrow",
            Self::GoOn => "go_on",
            Self::Pause => "pause",
            Self::Delete => "delete",
        }
    }
}

/// A button under an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Button {
    /// What it means.
    pub kind: ButtonKind,
    /// The words or sign on it, in the person's language.
    pub label: String,
    /// What the channel sends back when it is tapped.
    pub token: CallbackToken,
    /// Whether this is the choice in force: shown marked, and tapping it again changes nothing.
    #[serde(default)]
    pub chosen: bool,
}

/// A complete answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The text, top to bottom.
    pub blocks: Vec<Block>,
    /// Buttons under it; empty for none.
    #[serde(default)]
    pub buttons: Vec<Button>,
    /// Files and places to bring along, in order.
    #[serde(default)]
    pub attachments: Vec<Attachment>,
    /// What the channel should do about the next thing the person says.
    #[serde(default)]
    pub expects: Expects,
}

/// What a reply makes the channel ready for, where the channel can.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expects {
    /// Nothing special; what is ready stays so.
    #[default]
    Anything,
    /// A location: shown as a button that shares it, and one that gives up.
    Location {
        /// The words on the button that shares.
        share: String,
        /// The words on the button that gives up, as they come back.
        cancel: String,
    },
    /// A secret: what is typed next is not to be kept.
    Secret,
    /// The location is not needed any more: its buttons go away.
    LocationDone,
}

impl Reply {
    /// An answer of one plain paragraph, without buttons.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            blocks: vec![Block::text(text)],
            ..Self::default()
        }
    }

    /// The answer as plain text, for the turn log, the terminal and tests.
    pub fn plain(&self) -> String {
        let parts: Vec<String> = self.blocks.iter().map(plain_block).collect();
        parts.join("\n")
    }
}

fn plain_block(block: &Block) -> String {
    match block {
        Block::Paragraph(spans) => plain_line(spans),
        Block::List(items) => {
            let lines: Vec<String> = items.iter().map(|spans| format!("• {}", plain_line(spans))).collect();
            lines.join("\n")
        }
        Block::Table { header, rows } => {
            let mut lines = vec![header.join(" | ")];
            lines.extend(rows.iter().map(|row| row.join(" | ")));
            lines.join("\n")
        }
        Block::Verbatim(text) => text.clone(),
    }
}

fn plain_line(spans: &[Span]) -> String {
    spans
        .iter()
        .map(|span| match span {
            Span::Text(text) | Span::Bold(text) | Span::Italic(text) | Span::Code(text) => text.clone(),
            Span::Link { label, url } if label == url => url.clone(),
            Span::Link { label, url } => format!("{label} ({url})"),
        })
        .collect()
}
