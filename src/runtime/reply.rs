//! Puts an outcome into words: the one place where a turn's answer gets its language. Decides nothing about what is
//! shown; that was `engine::render`.

use std::path::Path;

use jiff::{Timestamp, Zoned, fmt::strtime, tz::TimeZone};
use serde_json::{Map, Value};

use crate::{
    domain::{
        ids::ExecutorName,
        lang::Lang,
        manifest::{Column, ColumnFormat},
        message::{Message, MessageArg},
        outcome::{ApprovalRequest, View},
        reply::{Block, Reply, Span},
        verdict::Risk,
    },
    i18n::I18n,
};

/// What speaking needs to know.
#[derive(Clone, Copy)]
pub(super) struct Speaker<'a> {
    /// The texts.
    pub(super) i18n: &'a I18n,
    /// The actor's language.
    pub(super) lang: Lang,
    /// Now, in the actor's zone.
    pub(super) now: &'a Zoned,
    /// The home folder, shown as `~`.
    pub(super) home: &'a str,
}

impl Speaker<'_> {
    /// A sentence in the actor's language.
    pub(super) fn say(&self, message: &Message) -> String {
        self.i18n.say(self.lang, &self.shortened(message))
    }

    /// The same sentence with paths as people write them.
    fn shortened(&self, message: &Message) -> Message {
        let args = message.args.iter().map(|(name, arg)| {
            let arg = match arg {
                MessageArg::Text(text) => MessageArg::Text(self.path(text)),
                MessageArg::Message(inner) => MessageArg::Message(self.shortened(inner)),
                MessageArg::Number(number) => MessageArg::Number(*number),
            };
            (name.clone(), arg)
        });
        Message {
            key: message.key.clone(),
            args: args.collect(),
        }
    }

    /// An answer without buttons.
    pub(super) fn reply(&self, views: &[View], notes: &[Message]) -> Reply {
        let mut blocks: Vec<Block> = Vec::new();
        for view in views {
            self.view(view, &mut blocks);
        }
        for note in notes {
            blocks.push(Block::Paragraph(vec![Span::Italic(self.say(note))]));
        }
        let attachments = views.iter().filter_map(|view| match view {
            View::Attached(attachments) => Some(attachments.clone()),
            View::Say(_) | View::Words(_) | View::Verbatim(_) | View::Value { .. } | View::Entries { .. } => None,
        });
        Reply {
            blocks,
            attachments: attachments.flatten().collect(),
            ..Reply::default()
        }
    }

    /// The card that asks for an approval: what, on what, whether it can be undone, how risky.
    pub(super) fn approval_card(&self, tool: &ExecutorName, request: &ApprovalRequest, minutes: u64) -> Reply {
        let switched = request
            .switches
            .iter()
            .map(|switch| format!("approval-{tool}-{switch}"));
        let question = switched
            .chain([format!("approval-{tool}")])
            .map(|key| self.say(&Message::new(&key)))
            .find(|question| !question.starts_with("approval-"))
            .unwrap_or_else(|| self.say(&Message::new("approval-other").with("tool", tool.as_str())));
        let mut blocks = Vec::new();
        if request.is_offered {
            blocks.push(Block::text(self.say(&Message::new("approval-offered"))));
        }
        blocks.push(Block::Paragraph(vec![Span::Bold(question)]));
        let mut targets: Vec<Vec<Span>> = request
            .targets
            .iter()
            .map(|target| vec![Span::Code(self.path(target))])
            .collect();
        let unnamed = request.target_count.saturating_sub(targets.len());
        if unnamed > 0 {
            targets.push(vec![Span::Text(
                self.say(&Message::new("answer-and-more").with("count", unnamed)),
            )]);
        }
        if !targets.is_empty() {
            blocks.push(Block::List(targets));
        }
        blocks.extend(self.extent(request));
        blocks.extend(self.would_write(request));
        let reversible = if request.reversible {
            "approval-can-undo"
        } else {
            "approval-cannot-undo"
        };
        let risk = match request.risk {
            Risk::Low => "approval-risk-low",
            Risk::Medium => "approval-risk-medium",
            Risk::High => "approval-risk-high",
            Risk::Critical => "approval-risk-critical",
        };
        let minutes = Message::new("approval-expires").with("minutes", minutes);
        let line = [
            self.say(&Message::new(reversible)),
            self.say(&Message::new(risk)),
            self.say(&minutes),
        ]
        .join(" ");
        blocks.push(Block::text(line));
        Reply {
            blocks,
            ..Reply::default()
        }
    }

    /// The words it would act with, and the text it would write.
    fn would_write(&self, request: &ApprovalRequest) -> Vec<Block> {
        let mut blocks: Vec<Block> = request
            .details
            .iter()
            .map(|detail| {
                let what = detail.what.get(&self.lang).or_else(|| detail.what.values().next());
                let what = what.map_or("", String::as_str);
                Block::Paragraph(vec![Span::Text(format!("{what}: ")), Span::Code(detail.value.clone())])
            })
            .collect();
        if let Some(text) = &request.text {
            blocks.push(Block::Verbatim(text.clone()));
        }
        if request.text_left > 0 {
            let more = Message::new("approval-text-goes-on").with("count", request.text_left);
            blocks.push(Block::text(self.say(&more)));
        }
        blocks
    }

    /// How many there are and where, and where they go: nobody should approve what five names do not show.
    fn extent(&self, request: &ApprovalRequest) -> Option<Block> {
        let within = request.within.as_ref().map(|folder| {
            let key = if request.reaches_below {
                "approval-within"
            } else {
                "approval-in"
            };
            Message::new(key)
                .with("count", request.target_count)
                .with("folder", folder.as_str())
        });
        let goes_to = request
            .goes_to
            .as_ref()
            .map(|place| Message::new("approval-goes-to").with("place", place.as_str()));
        let said: Vec<String> = within.iter().chain(&goes_to).map(|message| self.say(message)).collect();
        (!said.is_empty()).then(|| Block::text(said.join(" ")))
    }

    fn view(&self, view: &View, blocks: &mut Vec<Block>) {
        match view {
            View::Say(message) => blocks.push(Block::text(self.say(message))),
            View::Words(words) => blocks.push(Block::text(words.clone())),
            View::Attached(_) => {}
            View::Verbatim(text) => blocks.push(Block::Verbatim(text.clone())),
            View::Value { format, value } => {
                blocks.push(Block::text(self.cell(*format, value).unwrap_or_default()));
            }
            View::Entries { columns, rows, total } => {
                blocks.push(Block::List(rows.iter().map(|row| self.entry(columns, row)).collect()));
                let unnamed = total.saturating_sub(rows.len());
                if unnamed > 0 {
                    blocks.push(Block::text(
                        self.say(&Message::new("answer-and-more").with("count", unnamed)),
                    ));
                }
            }
        }
    }

    /// One entry as a line: its name strong, the rest after it.
    fn entry(&self, columns: &[Column], row: &Map<String, Value>) -> Vec<Span> {
        let mut spans = Vec::new();
        for column in columns {
            let Some(text) = row
                .get(&column.source)
                .and_then(|value| self.cell(column.format, value))
                .filter(|text| !text.is_empty())
            else {
                continue;
            };
            let is_first = spans.is_empty();
            if !is_first {
                spans.push(Span::Text(" · ".to_owned()));
            }
            spans.push(match column.format {
                ColumnFormat::Path if is_first => Span::Code(text),
                ColumnFormat::Map => Span::Link {
                    label: self.say(&Message::new("answer-map")),
                    url: text,
                },
                ColumnFormat::Text
                | ColumnFormat::Path
                | ColumnFormat::Bytes
                | ColumnFormat::Time
                | ColumnFormat::Percent
                | ColumnFormat::Distance
                | ColumnFormat::Kind
                | ColumnFormat::Sentence => Span::Text(text),
            });
        }
        spans
    }

    fn cell(&self, format: ColumnFormat, value: &Value) -> Option<String> {
        let text = match value {
            Value::Null => return None,
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
        };
        Some(match format {
            ColumnFormat::Text | ColumnFormat::Map => text,
            ColumnFormat::Distance => value.as_f64().map_or(text, |metres| self.distance(metres)),
            ColumnFormat::Sentence => self.say(&serde_json::from_value(value.clone()).ok()?),
            ColumnFormat::Path => self.path(&text),
            ColumnFormat::Bytes => value.as_f64().map_or(text, |bytes| self.lang.bytes(bytes)),
            ColumnFormat::Percent => value
                .as_f64()
                .map_or(text, |share| format!("{}%", self.lang.decimal(share, 1))),
            ColumnFormat::Kind => self.say(&Message::new("file-kind").with("kind", text)),
            ColumnFormat::Time => self.time(&text).unwrap_or(text),
        })
    }

    fn path(&self, path: &str) -> String {
        match Path::new(path).strip_prefix(self.home) {
            Ok(below) if !self.home.is_empty() && self.home != "/" && below != Path::new("") => {
                format!("~/{}", below.display())
            }
            Ok(_) | Err(_) => path.to_owned(),
        }
    }

    /// `80 m`, `1.2 km`: no finer than anybody walks.
    fn distance(&self, metres: f64) -> String {
        if metres < 995.0 {
            return format!("{:.0} m", (metres / 10.0).round() * 10.0);
        }
        let digits = usize::from(metres < 10_000.0);
        format!("{} km", self.lang.decimal(metres / 1_000.0, digits))
    }

    fn time(&self, text: &str) -> Option<String> {
        let at: Timestamp = text.parse().ok()?;
        let zone: TimeZone = self.now.time_zone().clone();
        let form = match self.lang {
            Lang::IT => "%d/%m/%Y %H:%M",
            _ => "%Y-%m-%d %H:%M",
        };
        strtime::format(form, &at.to_zoned(zone)).ok()
    }
}
