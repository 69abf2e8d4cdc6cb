//! Draws a reply as runs of styled text, and runs as Telegram's HTML. Everything is escaped and no run contains
//! another, so whatever a file or a page said, the tags are ours and balanced.

use crate::{
    channels::{
        printable::printable,
        table::{self, Layout, Room},
    },
    domain::reply::{Block, Reply, Span},
};

/// How wide a table may be before a phone wraps its lines.
const TABLE_ROOM: Room = Room { columns: 3, width: 48 };

/// How a run is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Plain words.
    Plain,
    /// Strong words.
    Bold,
    /// Emphasised words.
    Italic,
    /// Something literal inside a line.
    Code,
    /// Lines in a fixed-width face.
    Pre,
    /// A link to this address.
    Link(String),
}

/// A piece of text in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// How.
    pub(super) style: Style,
    /// What.
    pub(super) text: String,
}

impl Run {
    fn new(style: Style, text: &str) -> Self {
        Self {
            style,
            text: printable(text),
        }
    }
}

/// The reply as runs, block below block.
pub(super) fn runs(reply: &Reply) -> Vec<Run> {
    let mut all: Vec<Run> = Vec::new();
    let mut previous: Option<&Block> = None;
    for block in &reply.blocks {
        if let Some(above) = previous {
            all.push(Run::new(Style::Plain, separator(above, block)));
        }
        all.extend(block_runs(block));
        previous = Some(block);
    }
    all.retain(|run| !run.text.is_empty());
    all
}

/// The runs as Telegram's HTML.
pub(super) fn html(runs: &[Run]) -> String {
    runs.iter()
        .map(|run| {
            let text = escape(&run.text);
            match &run.style {
                Style::Plain => text,
                Style::Bold => format!("<b>{text}</b>"),
                Style::Italic => format!("<i>{text}</i>"),
                Style::Code => format!("<code>{text}</code>"),
                Style::Pre => format!("<pre>{text}</pre>"),
                Style::Link(url) => format!("<a href=\"{}\">{text}</a>", escape(url)),
            }
        })
        .collect()
}

/// The runs without any style, for when Telegram refuses ours.
pub(super) fn plain(runs: &[Run]) -> String {
    runs.iter().map(|run| run.text.as_str()).collect()
}

/// A text that HTML shows as it is.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Paragraphs stand apart; a list or a table belongs to the line above it.
fn separator(above: &Block, below: &Block) -> &'static str {
    match (above, below) {
        (Block::Paragraph(_), Block::Paragraph(_)) | (Block::List(_), Block::Paragraph(_) | Block::List(_)) => "\n\n",
        (Block::Paragraph(_) | Block::List(_), _) | (Block::Table { .. } | Block::Verbatim(_), _) => "\n",
    }
}

fn block_runs(block: &Block) -> Vec<Run> {
    match block {
        Block::Paragraph(spans) => spans.iter().map(span_run).collect(),
        Block::List(items) => joined(
            items.iter().map(|spans| {
                let mut line = vec![Run::new(Style::Plain, "• ")];
                line.extend(spans.iter().map(span_run));
                line
            }),
            "\n",
        ),
        Block::Table { header, rows } => table_runs(header, rows),
        Block::Verbatim(text) => vec![Run::new(Style::Pre, text)],
    }
}

fn table_runs(header: &[String], rows: &[Vec<String>]) -> Vec<Run> {
    match table::lay_out(header, rows, TABLE_ROOM) {
        Layout::Columns(lines) => vec![Run::new(Style::Pre, &lines.join("\n"))],
        Layout::Cards(cards) => joined(
            cards.into_iter().map(|card| joined(card.iter().map(labelled), "\n")),
            "\n\n",
        ),
    }
}

fn labelled((label, value): &(String, String)) -> Vec<Run> {
    vec![
        Run::new(Style::Bold, label),
        Run::new(Style::Plain, if label.is_empty() { "" } else { ": " }),
        Run::new(Style::Plain, value),
    ]
}

fn joined(parts: impl Iterator<Item = Vec<Run>>, between: &str) -> Vec<Run> {
    let mut all: Vec<Run> = Vec::new();
    for (index, part) in parts.enumerate() {
        if index > 0 {
            all.push(Run::new(Style::Plain, between));
        }
        all.extend(part);
    }
    all
}

fn span_run(span: &Span) -> Run {
    match span {
        Span::Text(text) => Run::new(Style::Plain, text),
        Span::Bold(text) => Run::new(Style::Bold, text),
        Span::Italic(text) => Run::new(Style::Italic, text),
        Span::Code(text) => Run::new(Style::Code, text),
        Span::Link { label, url } if is_linkable(url) => Run::new(Style::Link(printable(url)), label),
        Span::Link { label, url } => Run::new(Style::Plain, &format!("{label} ({url})")),
    }
}

/// Telegram refuses other addresses or, worse, opens them.
fn is_linkable(url: &str) -> bool {
    ["https://", "http://", "mailto:"]
        .iter()
        .any(|scheme| url.starts_with(scheme))
}

#[cfg(test)]
mod tests {
    use super::{html, plain, runs};
    use crate::domain::reply::{Block, Reply, Span};

    fn drawn(blocks: Vec<Block>) -> String {
        html(&runs(&Reply {
            blocks,
            ..Reply::default()
        }))
    }

    #[test]
    fn blocks_become_html() {
        let table = |header: &[&str], row: &[&str]| Block::Table {
            header: header.iter().map(|cell| (*cell).to_owned()).collect(),
            rows: vec![row.iter().map(|cell| (*cell).to_owned()).collect()],
        };
        let spans = vec![
            Span::Text("see ".into()),
            Span::Bold("b<".into()),
            Span::Italic("i".into()),
            Span::Code("~/a&b".into()),
            Span::Link {
                label: "here".into(),
                url: "https://x.y/?a=\"1\"&b".into(),
            },
            Span::Link {
                label: "no".into(),
                url: "javascript:alert(1)".into(),
            },
        ];
        let cases = [
            (
                vec![Block::Paragraph(spans)],
                "see <b>b&lt;</b><i>i</i><code>~/a&amp;b</code><a href=\"https://x.y/?a=&quot;1&quot;&amp;b\">here</a>\
                 no (javascript:alert(1))",
            ),
            (vec![Block::text("a"), Block::text("b")], "a\n\nb"),
            (
                vec![
                    Block::text("two:"),
                    Block::List(vec![vec![Span::Text("x".into())], vec![Span::Code("y".into())]]),
                ],
                "two:\n• x\n• <code>y</code>",
            ),
            (
                vec![Block::Verbatim("<pre>\n  x".into())],
                "<pre>&lt;pre&gt;\n  x</pre>",
            ),
            (vec![table(&["a", "b"], &["1", "2"])], "<pre>a  b\n1  2</pre>"),
            (
                vec![table(&["a", "b", "c", "d"], &["1", "<2>", "", "4"])],
                "<b>a</b>: 1\n<b>b</b>: &lt;2&gt;\n<b>d</b>: 4",
            ),
            (vec![], ""),
        ];
        for (blocks, expected) in cases {
            assert_eq!(drawn(blocks), expected);
        }
    }

    #[test]
    fn a_leaked_tag_stays_text() {
        let reply = Reply::text("<script>x</script></b>");
        assert_eq!(html(&runs(&reply)), "&lt;script&gt;x&lt;/script&gt;&lt;/b&gt;");
        assert_eq!(plain(&runs(&reply)), "<script>x</script></b>");
    }
}
