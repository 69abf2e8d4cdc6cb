//! Draws a reply as lines of a terminal. Foreign text loses its escape sequences first, so a file that is shown
//! cannot move the cursor or change the colours.

use crate::{
    channels::{
        printable::{one_line, printable},
        table::{self, Layout, Room},
    },
    domain::{
        attachment::Attachment,
        reply::{Block, Button, ButtonKind, Reply, Span, TaskButton},
    },
};

/// How wide a table may be.
const TABLE_ROOM: Room = Room { columns: 8, width: 100 };

/// What the screen can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Characters only.
    Plain,
    /// Bold and dim, too.
    Styled,
}

/// The answer without its buttons. A file is named: whoever sits here has it already; a place has its link in the text.
pub(super) fn answer(reply: &Reply, look: Look) -> String {
    let mut lines: Vec<String> = reply.blocks.iter().map(|shown| block(shown, look)).collect();
    lines.extend(reply.attachments.iter().filter_map(|attachment| match attachment {
        Attachment::File { path, .. } => Some(aside(path, look)),
        Attachment::Pin { .. } => None,
    }));
    lines.join("\n")
}

/// The keys under an answer, such as `[+ ✓  - ✗  = ↺]`; `None` without buttons.
pub(super) fn keys(buttons: &[Button]) -> Option<String> {
    if buttons.is_empty() {
        return None;
    }
    let keys: Vec<String> = buttons.iter().map(key).collect();
    Some(format!("[{}]", keys.join("  ")))
}

/// The key that stands for a button.
pub(super) fn key_of(kind: ButtonKind) -> char {
    match kind {
        ButtonKind::Confirm => '+',
        ButtonKind::Reject => '-',
        ButtonKind::Retry => '=',
        ButtonKind::Approve => 'y',
        ButtonKind::Refuse => 'n',
        ButtonKind::Amend => 'c',
        // Questions are answered in words here, and have no buttons.
        ButtonKind::Choose { .. } | ButtonKind::Done { .. } | ButtonKind::Cancel { .. } => '·',
        ButtonKind::Task(TaskButton::Done) => 'd',
        ButtonKind::Task(TaskButton::Later) => 'l',
        ButtonKind::Task(TaskButton::Tomorrow) => 't',
        ButtonKind::Resend => 'r',
        ButtonKind::Keep => 'k',
        ButtonKind::Unlearn => 'u',
        ButtonKind::Task(TaskButton::GoOn) => 'g',
        ButtonKind::Task(TaskButton::Pause) => 'p',
        ButtonKind::Task(TaskButton::Delete) => 'x',
    }
}

/// A line that is less important than the answer.
pub(super) fn aside(text: &str, look: Look) -> String {
    styled("2", &printable(text).replace('\n', " "), look)
}

fn key(button: &Button) -> String {
    let mark = if button.chosen { "•" } else { "" };
    format!("{} {mark}{}", key_of(button.kind), one_line(&button.label))
}

fn block(shown: &Block, look: Look) -> String {
    match shown {
        Block::Paragraph(spans) => line(spans, look),
        Block::List(items) => {
            let lines: Vec<String> = items.iter().map(|spans| format!("• {}", line(spans, look))).collect();
            lines.join("\n")
        }
        Block::Table { header, rows } => match table::lay_out(header, rows, TABLE_ROOM) {
            Layout::Columns(lines) => lines.join("\n"),
            Layout::Cards(cards) => {
                let cards: Vec<String> = cards.iter().map(|cells| card(cells, look)).collect();
                cards.join("\n\n")
            }
        },
        Block::Verbatim(text) => printable(text).trim_end_matches('\n').to_owned(),
    }
}

fn card(cells: &[(String, String)], look: Look) -> String {
    let lines: Vec<String> = cells
        .iter()
        .map(|(label, value)| format!("{} {value}", styled("1", &format!("{label}:"), look)))
        .collect();
    lines.join("\n")
}

fn line(spans: &[Span], look: Look) -> String {
    spans
        .iter()
        .map(|span| match span {
            Span::Text(text) | Span::Code(text) | Span::Italic(text) => printable(text),
            Span::Bold(text) => styled("1", &printable(text), look),
            Span::Link { label, url } if label == url => printable(url),
            Span::Link { label, url } => printable(&format!("{label} ({url})")),
        })
        .collect()
}

fn styled(code: &str, text: &str, look: Look) -> String {
    match look {
        Look::Plain => text.to_owned(),
        Look::Styled => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Look, answer, keys};
    use crate::domain::reply::{Block, Button, ButtonKind, Reply, Span};

    fn button(kind: ButtonKind, label: &str, chosen: bool) -> Button {
        Button {
            kind,
            label: label.into(),
            token: "t".into(),
            chosen,
        }
    }

    #[test]
    fn every_block_has_a_plain_form() {
        let reply = Reply {
            blocks: vec![
                Block::Paragraph(vec![Span::Bold("two".into()), Span::Text(" files:\u{1b}[2J".into())]),
                Block::List(vec![vec![Span::Code("a".into())], vec![Span::Text("b".into())]]),
                Block::Table {
                    header: vec!["name".into(), "size".into()],
                    rows: vec![vec!["a.pdf".into(), "12".into()]],
                },
                Block::Verbatim("  x\n\n".into()),
            ],
            ..Reply::default()
        };
        let expected = "two files:[2J\n• a\n• b\nname   size\na.pdf  12\n  x";
        assert_eq!(answer(&reply, Look::Plain), expected);
        assert!(answer(&reply, Look::Styled).starts_with("\u{1b}[1mtwo\u{1b}[0m files"));
    }

    #[test]
    fn keys_name_the_buttons() {
        let feedback = [
            button(ButtonKind::Confirm, "✓", true),
            button(ButtonKind::Reject, "✗", false),
            button(ButtonKind::Retry, "↺", false),
        ];
        assert_eq!(keys(&feedback).as_deref(), Some("[+ •✓  - ✗  = ↺]"));
        let card = [
            button(ButtonKind::Approve, "approve", false),
            button(ButtonKind::Refuse, "refuse", false),
        ];
        assert_eq!(keys(&card).as_deref(), Some("[y approve  n refuse]"));
        assert_eq!(keys(&[]), None);
    }
}
