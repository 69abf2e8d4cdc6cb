//! Draws a reply twice, as plain words and as Matrix's HTML, from the same tree. Everything foreign is escaped, so that
//! whatever a file or a page said, the tags are ours. An event has a limit; a long reply becomes several messages.

use crate::{
    channels::printable::{one_line, printable},
    domain::reply::{Block, Reply, Span},
};

/// Most bytes of one message, words and HTML together. An event may have 65,536 with everything around it, and
/// encryption makes a third more of it.
const PART_BYTES_MAX: usize = 36_000;

/// One message of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Drawn {
    /// The words without any style.
    pub(super) text: String,
    /// The same as HTML.
    pub(super) html: String,
}

/// The reply as messages; the same reply always gives the same ones.
pub(super) fn parts(reply: &Reply) -> Vec<Drawn> {
    let mut all: Vec<Drawn> = Vec::new();
    for block in reply.blocks.iter().flat_map(fitting) {
        let drawn = draw(&block);
        if drawn.text.trim().is_empty() {
            continue;
        }
        match all.last_mut() {
            Some(last) if last.bytes() + drawn.bytes() < PART_BYTES_MAX => {
                last.text.push('\n');
                last.text.push_str(&drawn.text);
                last.html.push_str(&drawn.html);
            }
            Some(_) | None => all.push(drawn),
        }
    }
    all
}

/// A sentence of the channel itself.
pub(super) fn words(sentence: &str) -> Drawn {
    draw(&Block::text(sentence))
}

impl Drawn {
    fn bytes(&self) -> usize {
        self.text.len() + self.html.len()
    }
}

/// The block, cut into several where it alone would not fit.
fn fitting(block: &Block) -> Vec<Block> {
    if draw(block).bytes() < PART_BYTES_MAX {
        return vec![block.clone()];
    }
    let pieces: Vec<Block> = match block {
        Block::Verbatim(text) => cut(text).into_iter().map(Block::Verbatim).collect(),
        Block::Paragraph(spans) => cut(&plain(spans)).into_iter().map(Block::text).collect(),
        Block::List(items) => halves(items).map(|part| Block::List(part.to_vec())).collect(),
        Block::Table { header, rows } => halves(rows)
            .map(|part| Block::Table {
                header: header.clone(),
                rows: part.to_vec(),
            })
            .collect(),
    };
    // One line that is too long by itself is cut as words; everything else gets shorter each time.
    let shorter = |piece: Block| {
        if &piece == block {
            cut_words(&piece)
        } else {
            fitting(&piece)
        }
    };
    pieces.into_iter().flat_map(shorter).collect()
}

fn halves<T>(all: &[T]) -> impl Iterator<Item = &[T]> {
    let (first, second) = all.split_at(all.len().div_ceil(2));
    [first, second].into_iter().filter(|part| !part.is_empty())
}

fn cut_words(block: &Block) -> Vec<Block> {
    let text = draw(block).text;
    cut(&text).into_iter().map(Block::text).collect()
}

/// Pieces that fit however much escaping adds, preferably whole lines.
fn cut(text: &str) -> Vec<String> {
    const PIECE_BYTES: usize = PART_BYTES_MAX / 8;
    let mut pieces = vec![String::new()];
    for line in text.split_inclusive('\n') {
        for character in line.chars() {
            let is_full = pieces.last().is_some_and(|piece| piece.len() >= PIECE_BYTES);
            if is_full {
                pieces.push(String::new());
            }
            if let Some(piece) = pieces.last_mut() {
                piece.push(character);
            }
        }
        let is_nearly_full = pieces.last().is_some_and(|piece| piece.len() * 4 >= PIECE_BYTES * 3);
        if is_nearly_full {
            pieces.push(String::new());
        }
    }
    pieces.retain(|piece| !piece.trim().is_empty());
    pieces
}

fn draw(block: &Block) -> Drawn {
    match block {
        Block::Paragraph(spans) => Drawn {
            text: plain(spans),
            html: format!("<p>{}</p>", styled(spans)),
        },
        Block::List(items) => Drawn {
            text: joined(items.iter().map(|spans| format!("• {}", plain(spans))), "\n"),
            html: format!(
                "<ul>{}</ul>",
                joined(items.iter().map(|spans| format!("<li>{}</li>", styled(spans))), "")
            ),
        },
        Block::Table { header, rows } => table(header, rows),
        Block::Verbatim(text) => {
            let text = printable(text);
            Drawn {
                html: format!("<pre><code>{}</code></pre>", escape(&text)),
                text,
            }
        }
    }
}

fn table(header: &[String], rows: &[Vec<String>]) -> Drawn {
    let line = |cells: &[String]| joined(cells.iter().map(|cell| one_line(cell)), " | ");
    let row = |tag: &str, cells: &[String]| {
        let cells = cells
            .iter()
            .map(|cell| format!("<{tag}>{}</{tag}>", escape(&one_line(cell))));
        format!("<tr>{}</tr>", joined(cells, ""))
    };
    let lines = std::iter::once(line(header)).chain(rows.iter().map(|cells| line(cells)));
    let body = joined(rows.iter().map(|cells| row("td", cells)), "");
    Drawn {
        text: joined(lines, "\n"),
        html: format!(
            "<table><thead>{}</thead><tbody>{body}</tbody></table>",
            row("th", header)
        ),
    }
}

fn plain(spans: &[Span]) -> String {
    joined(
        spans.iter().map(|span| match span {
            Span::Text(text) | Span::Bold(text) | Span::Italic(text) | Span::Code(text) => printable(text),
            Span::Link { label, url } if label == url => printable(url),
            Span::Link { label, url } => printable(&format!("{label} ({url})")),
        }),
        "",
    )
}

fn styled(spans: &[Span]) -> String {
    let span = |span: &Span| match span {
        Span::Text(text) => broken(text),
        Span::Bold(text) => format!("<strong>{}</strong>", broken(text)),
        Span::Italic(text) => format!("<em>{}</em>", broken(text)),
        Span::Code(text) => format!("<code>{}</code>", broken(text)),
        Span::Link { label, url } if is_linkable(url) => {
            format!("<a href=\"{}\">{}</a>", escape(&printable(url)), broken(label))
        }
        Span::Link { label, url } => broken(&format!("{label} ({url})")),
    };
    joined(spans.iter().map(span), "")
}

/// Escaped words with their line breaks.
fn broken(text: &str) -> String {
    escape(&printable(text)).replace('\n', "<br>")
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

fn is_linkable(url: &str) -> bool {
    ["https://", "http://", "mailto:"]
        .iter()
        .any(|scheme| url.starts_with(scheme))
}

fn joined(parts: impl Iterator<Item = String>, between: &str) -> String {
    parts.collect::<Vec<String>>().join(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(block: Block) -> Drawn {
        let reply = Reply {
            blocks: vec![block],
            ..Reply::default()
        };
        parts(&reply).remove(0)
    }

    #[test]
    fn blocks_become_words_and_html() {
        let spans = vec![
            Span::Text("a\nb ".into()),
            Span::Bold("<b>".into()),
            Span::Code("~/x&y".into()),
            Span::Link {
                label: "here".into(),
                url: "https://x.y/?\"".into(),
            },
            Span::Link {
                label: "no".into(),
                url: "javascript:x".into(),
            },
        ];
        let paragraph = drawn(Block::Paragraph(spans));
        assert_eq!(paragraph.text, "a\nb <b>~/x&yhere (https://x.y/?\")no (javascript:x)");
        assert_eq!(
            paragraph.html,
            "<p>a<br>b <strong>&lt;b&gt;</strong><code>~/x&amp;y</code>\
             <a href=\"https://x.y/?&quot;\">here</a>no (javascript:x)</p>"
        );
        let list = drawn(Block::List(vec![vec![Span::Text("x".into())]]));
        assert_eq!((list.text.as_str(), list.html.as_str()), ("• x", "<ul><li>x</li></ul>"));
        let table = drawn(Block::Table {
            header: vec!["a".into(), "b".into()],
            rows: vec![vec!["1".into(), "<2>".into()]],
        });
        assert_eq!(table.text, "a | b\n1 | <2>");
        assert_eq!(
            table.html,
            "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>&lt;2&gt;</td></tr></tbody></table>"
        );
        let verbatim = drawn(Block::Verbatim("x <\n y".into()));
        assert_eq!(verbatim.html, "<pre><code>x &lt;\n y</code></pre>");
    }

    #[test]
    fn a_reply_is_one_message_while_it_fits() {
        let reply = Reply {
            blocks: vec![Block::text("a"), Block::text("b")],
            ..Reply::default()
        };
        let expected = Drawn {
            text: "a\nb".into(),
            html: "<p>a</p><p>b</p>".into(),
        };
        assert_eq!(parts(&reply), [expected]);
        assert!(parts(&Reply::default()).is_empty());
    }

    #[test]
    fn long_blocks_are_cut_and_nothing_is_lost() {
        let lines: String = (0..9_000).map(|number| format!("<{number}> & on\n")).collect();
        let items = (0..4_000)
            .map(|number| vec![Span::Text(format!("item {number}"))])
            .collect();
        let long_line = "x&".repeat(60_000);
        for block in [
            Block::Verbatim(lines),
            Block::List(items),
            Block::List(vec![vec![Span::Text(long_line.clone())]]),
            Block::text(long_line),
        ] {
            let visible = |text: &str| {
                text.chars()
                    .filter(|c| !c.is_whitespace() && *c != '•')
                    .collect::<String>()
            };
            let whole = visible(&draw(&block).text);
            let reply = Reply {
                blocks: vec![block],
                ..Reply::default()
            };
            let all = parts(&reply);
            assert!(all.len() > 1);
            assert!(all.iter().all(|part| part.bytes() <= PART_BYTES_MAX));
            assert_eq!(
                visible(&all.iter().map(|part| part.text.as_str()).collect::<String>()),
                whole
            );
        }
    }
}
