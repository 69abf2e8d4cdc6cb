//! XML of an answer as a tree of a few thousand nodes: names with their namespace, text with its entities resolved.
//! Entities of the answer's own are never expanded; size, depth and number of nodes are bounded.

use quick_xml::{NsReader, events::Event, name::ResolveResult};

use super::Garbled;
use crate::limits::{ANSWER_BYTES_MAX, ANSWER_DEPTH_MAX, ANSWER_NODES_MAX};

/// The namespaces that mean something here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Dav,
    Caldav,
    Carddav,
    Apple,
    Other,
}

/// One element.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) space: Space,
    pub(super) name: String,
    /// The attribute `name`, where there is one.
    pub(super) called: Option<String>,
    pub(super) text: String,
    pub(super) nodes: Vec<Node>,
}

impl Node {
    fn new(space: Space, name: String) -> Self {
        Self {
            space,
            name,
            called: None,
            text: String::new(),
            nodes: Vec::new(),
        }
    }

    pub(super) fn is(&self, space: Space, name: &str) -> bool {
        self.space == space && self.name == name
    }

    pub(super) fn child(&self, space: Space, name: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.is(space, name))
    }

    pub(super) fn children<'a>(&'a self, space: Space, name: &'a str) -> impl Iterator<Item = &'a Node> {
        self.nodes.iter().filter(move |node| node.is(space, name))
    }

    /// The address it names, without the space around it.
    pub(super) fn href(&self) -> Option<String> {
        let href = self.child(Space::Dav, "href")?.text.trim();
        (!href.is_empty()).then(|| href.to_owned())
    }
}

/// The root element of an answer.
pub(super) fn read(bytes: &[u8]) -> Result<Node, Garbled> {
    if bytes.len() > ANSWER_BYTES_MAX {
        return Err(Garbled::TooMuch);
    }
    let text = String::from_utf8_lossy(bytes);
    let mut reader = NsReader::from_str(text.trim_start_matches('\u{feff}'));
    let config = reader.config_mut();
    config.expand_empty_elements = true;
    config.check_end_names = true;
    let mut open: Vec<Node> = Vec::new();
    let mut count = 0_usize;
    loop {
        let (space, event) = reader.read_resolved_event().map_err(|_not_xml| Garbled::NoXml)?;
        match event {
            Event::Start(start) => {
                count += 1;
                if count > ANSWER_NODES_MAX || open.len() >= ANSWER_DEPTH_MAX {
                    return Err(Garbled::TooMuch);
                }
                let mut node = Node::new(space_of(&space), start.local_name().into_inner().to_owned());
                let attribute = start.attributes().filter_map(Result::ok);
                let mut named = attribute.filter(|one| one.key.local_name().into_inner() == "name");
                node.called = named.next().and_then(|one| {
                    let value = one.normalized_value(quick_xml::XmlVersion::Implicit1_0).ok()?;
                    Some(value.into_owned())
                });
                open.push(node);
            }
            Event::End(_) => {
                let node = open.pop().ok_or(Garbled::NoXml)?;
                match open.last_mut() {
                    Some(around) => around.nodes.push(node),
                    None => return Ok(node),
                }
            }
            Event::Text(text) => push(&mut open, &text.xml10_content()),
            Event::CData(data) => push(&mut open, &data.xml10_content()),
            Event::GeneralRef(reference) => {
                let letter = reference.resolve_char_ref().map_err(|_no_letter| Garbled::NoXml)?;
                if let Some(letter) = letter {
                    push(&mut open, letter.encode_utf8(&mut [0; 4]));
                } else if let Some(text) = quick_xml::escape::resolve_predefined_entity(&reference.xml10_content()) {
                    push(&mut open, text);
                }
            }
            Event::Eof => return Err(Garbled::NoXml),
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

fn push(open: &mut [Node], text: &str) {
    if let Some(node) = open.last_mut() {
        node.text.push_str(text);
    }
}

fn space_of(found: &ResolveResult<'_>) -> Space {
    let ResolveResult::Bound(space) = found else {
        return Space::Other;
    };
    match space.into_inner() {
        "DAV:" => Space::Dav,
        "urn:ietf:params:xml:ns:caldav" => Space::Caldav,
        "urn:ietf:params:xml:ns:carddav" => Space::Carddav,
        "http://apple.com/ns/ical/" => Space::Apple,
        _ => Space::Other,
    }
}
