//! What answers mean. Pure; every function takes the bytes as they came.

use thiserror::Error;

use super::{
    Holds,
    xml::{self, Node, Space},
};

/// Why an answer says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Garbled {
    /// No XML, or XML that ends in the middle.
    #[error("no answer of a calendar server")]
    NoXml,
    /// More than anybody reads.
    #[error("a larger answer than anybody reads")]
    TooMuch,
}

/// One collection of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collection {
    /// Its address.
    pub href: String,
    /// What it is called; empty where nobody said it.
    pub name: String,
    /// Its colour, as the server wrote it.
    pub color: Option<String>,
    /// What is in it.
    pub holds: Holds,
    /// Nothing may be written into it.
    pub is_read_only: bool,
    /// It tells what changed since a token.
    pub has_tokens: bool,
}

/// One resource of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its address.
    pub href: String,
    /// The version it is in; `None` where the server did not say.
    pub etag: Option<String>,
    /// Its text, where it was asked for and is there.
    pub text: Option<String>,
}

/// What became different in a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// New, or in another version.
    pub changed: Vec<Item>,
    /// Addresses that are gone.
    pub gone: Vec<String>,
    /// The token to ask with next.
    pub token: Option<String>,
    /// There is more, to be asked for with the new token.
    pub is_cut: bool,
}

/// One `response`, with the properties that were found.
struct Found<'a> {
    href: String,
    status: Option<u16>,
    props: Vec<&'a Node>,
}

impl<'a> Found<'a> {
    fn prop(&self, space: Space, name: &str) -> Option<&'a Node> {
        self.props.iter().find_map(|props| {
            let mut nodes = props.nodes.iter();
            nodes.find(|node| node.is(space, name))
        })
    }

    fn text(&self, space: Space, name: &str) -> Option<String> {
        let text = self.prop(space, name)?.text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

fn status_of(node: &Node) -> Option<u16> {
    let line = &node.child(Space::Dav, "status")?.text;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn responses(root: &Node) -> Result<Vec<Found<'_>>, Garbled> {
    if !root.is(Space::Dav, "multistatus") {
        return Err(Garbled::NoXml);
    }
    let found = root.children(Space::Dav, "response").filter_map(|response| {
        let stats = response.children(Space::Dav, "propstat");
        let good = stats.filter(|stat| status_of(stat).is_none_or(|status| (200..300).contains(&status)));
        Some(Found {
            href: response.href()?,
            status: status_of(response),
            props: good.filter_map(|stat| stat.child(Space::Dav, "prop")).collect(),
        })
    });
    Ok(found.collect())
}

/// Who is logged in, where the server says it.
pub fn principal(body: &[u8]) -> Result<Option<String>, Garbled> {
    let root = xml::read(body)?;
    let found = responses(&root)?;
    Ok(found
        .iter()
        .find_map(|one| one.prop(Space::Dav, "current-user-principal")?.href()))
}

/// Where somebody's collections of a kind lie.
pub fn homes(body: &[u8], holds: Holds) -> Result<Vec<String>, Garbled> {
    let root = xml::read(body)?;
    let (space, name) = match holds {
        Holds::Events => (Space::Caldav, "calendar-home-set"),
        Holds::Contacts => (Space::Carddav, "addressbook-home-set"),
    };
    let found = responses(&root)?;
    let sets = found.iter().filter_map(|one| one.prop(space, name));
    let hrefs = sets.flat_map(|set| set.children(Space::Dav, "href"));
    let hrefs = hrefs.map(|href| href.text.trim().to_owned());
    Ok(hrefs.filter(|href| !href.is_empty()).collect())
}

/// The collections of a kind that an answer tells of.
pub fn collections(body: &[u8], holds: Holds) -> Result<Vec<Collection>, Garbled> {
    let root = xml::read(body)?;
    let found = responses(&root)?;
    Ok(found.iter().filter_map(|one| collection(one, holds)).collect())
}

fn collection(one: &Found<'_>, holds: Holds) -> Option<Collection> {
    let kind = one.prop(Space::Dav, "resourcetype")?;
    let is_kind = match holds {
        Holds::Events => kind.child(Space::Caldav, "calendar").is_some() && has_events(one),
        Holds::Contacts => kind.child(Space::Carddav, "addressbook").is_some(),
    };
    is_kind.then(|| Collection {
        href: one.href.clone(),
        name: one.text(Space::Dav, "displayname").unwrap_or_default(),
        color: one.text(Space::Apple, "calendar-color"),
        holds,
        is_read_only: !may_write(one),
        has_tokens: one.text(Space::Dav, "sync-token").is_some() && tells_changes(one),
    })
}

/// Tasks and notes have lists of their own; a server that says nothing of it takes events.
fn has_events(one: &Found<'_>) -> bool {
    let Some(set) = one.prop(Space::Caldav, "supported-calendar-component-set") else {
        return true;
    };
    let mut kinds = set.children(Space::Caldav, "comp");
    kinds.any(|kind| {
        kind.called
            .as_deref()
            .is_some_and(|name| name.eq_ignore_ascii_case("VEVENT"))
    })
}

/// A server that says nothing of rights is asked when something is written.
fn may_write(one: &Found<'_>) -> bool {
    let Some(set) = one.prop(Space::Dav, "current-user-privilege-set") else {
        return true;
    };
    let rights = set.children(Space::Dav, "privilege").flat_map(|one| &one.nodes);
    let mut rights = rights.filter(|right| right.space == Space::Dav);
    rights.any(|right| matches!(right.name.as_str(), "all" | "write" | "write-content"))
}

fn tells_changes(one: &Found<'_>) -> bool {
    let Some(set) = one.prop(Space::Dav, "supported-report-set") else {
        return true;
    };
    let reports = set.children(Space::Dav, "supported-report");
    let mut reports = reports.filter_map(|one| one.child(Space::Dav, "report"));
    reports.any(|report| report.child(Space::Dav, "sync-collection").is_some())
}

fn item(one: &Found<'_>) -> Item {
    let data = one
        .prop(Space::Caldav, "calendar-data")
        .or_else(|| one.prop(Space::Carddav, "address-data"));
    Item {
        href: one.href.clone(),
        etag: one.text(Space::Dav, "getetag"),
        text: data.map(|data| data.text.clone()),
    }
}

/// The resources that an answer tells of, without collections and what is gone.
pub fn items(body: &[u8]) -> Result<Vec<Item>, Garbled> {
    let root = xml::read(body)?;
    let found = responses(&root)?;
    let is_there = |one: &&Found<'_>| one.status.is_none_or(|status| status < 300) && !one.props.is_empty();
    let is_item = |one: &&Found<'_>| {
        let kind = one.prop(Space::Dav, "resourcetype");
        kind.is_none_or(|kind| kind.child(Space::Dav, "collection").is_none())
    };
    Ok(found.iter().filter(is_there).filter(is_item).map(item).collect())
}

/// What became different since the token that was sent.
pub fn changes(body: &[u8]) -> Result<Changes, Garbled> {
    let root = xml::read(body)?;
    let mut changes = Changes {
        token: root
            .child(Space::Dav, "sync-token")
            .map(|node| node.text.trim().to_owned()),
        ..Changes::default()
    };
    for one in responses(&root)? {
        match one.status {
            Some(404 | 410) => changes.gone.push(one.href),
            // Insufficient storage: the collection itself, and that is how a server says that there is more.
            Some(507) => changes.is_cut = true,
            Some(status) if status >= 300 => {}
            // The collection itself has no version.
            Some(_) | None => changes
                .changed
                .extend(Some(item(&one)).filter(|item| item.etag.is_some())),
        }
    }
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As servers write it: other prefixes, other order, entities, properties that are not there.
    const HOME: &str = r#"<?xml version='1.0' encoding='utf-8'?>
<multistatus xmlns="DAV:" xmlns:cal="urn:ietf:params:xml:ns:caldav" xmlns:x="http://apple.com/ns/ical/">
 <response><href>/anna/</href><propstat><prop><resourcetype><collection/></resourcetype></prop>
  <status>HTTP/1.1 200 OK</status></propstat></response>
 <response><href>/anna/home/</href>
  <propstat><prop><displayname>Home &amp; family</displayname><x:calendar-color>#ff0000ff</x:calendar-color>
   <resourcetype><collection/><cal:calendar/></resourcetype><sync-token>t1</sync-token>
   <current-user-privilege-set><privilege><read/></privilege><privilege><write/></privilege>
   </current-user-privilege-set>
   <cal:supported-calendar-component-set><cal:comp name="VEVENT"/></cal:supported-calendar-component-set></prop>
   <status>HTTP/1.1 200 OK</status></propstat>
  <propstat><prop><supported-report-set/></prop><status>HTTP/1.1 404 Not Found</status></propstat></response>
 <response><href>/anna/todo/</href><propstat><prop><resourcetype><collection/><cal:calendar/></resourcetype>
   <cal:supported-calendar-component-set><cal:comp name="VTODO"/></cal:supported-calendar-component-set></prop>
   <status>HTTP/1.1 200 OK</status></propstat></response>
 <response><href>/anna/shared/</href><propstat><prop><resourcetype><collection/><cal:calendar/></resourcetype>
   <current-user-privilege-set><privilege><read/></privilege></current-user-privilege-set></prop>
   <status>HTTP/1.1 200 OK</status></propstat></response>
</multistatus>"#;

    #[test]
    fn calendars_are_told_from_lists_of_tasks_and_from_what_is_only_read() {
        let found = collections(HOME.as_bytes(), Holds::Events).unwrap();
        let seen: Vec<_> = found
            .iter()
            .map(|one| (one.href.as_str(), one.name.as_str(), one.is_read_only, one.has_tokens))
            .collect();
        assert_eq!(
            seen,
            [
                ("/anna/home/", "Home & family", false, true),
                ("/anna/shared/", "", true, false)
            ]
        );
        assert_eq!(found[0].color.as_deref(), Some("#ff0000ff"));
        assert_eq!(collections(HOME.as_bytes(), Holds::Contacts).unwrap(), []);
    }

    #[test]
    fn changes_tell_what_is_new_what_is_gone_and_that_there_is_more() {
        let body = r#"<d:multistatus xmlns:d="DAV:"><d:response><d:href>/c/a.ics</d:href><d:propstat><d:prop>
            <d:getetag>"1"</d:getetag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
            <d:response><d:href>/c/b.ics</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>
            <d:response><d:href>/c/</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status></d:response>
            <d:sync-token>t2</d:sync-token></d:multistatus>"#;
        let changes = changes(body.as_bytes()).unwrap();
        assert_eq!(changes.changed.len(), 1);
        assert_eq!(changes.changed[0].etag.as_deref(), Some("\"1\""));
        assert_eq!(changes.gone, ["/c/b.ics"]);
        assert_eq!((changes.token.as_deref(), changes.is_cut), (Some("t2"), true));
    }

    #[test]
    fn texts_keep_their_lines_and_signs() {
        let body = r#"<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response>
            <d:href>/c/a.ics</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag><c:calendar-data>A:1&#13;
B:&lt;x&gt; &amp;<![CDATA[ <y>]]></c:calendar-data></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>
            </d:response>
            <d:response><d:href>/c/gone.ics</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>
            </d:multistatus>"#;
        let items = items(body.as_bytes()).unwrap();
        assert_eq!(items.len(), 1);
        assert_eq!(items[0].text.as_deref(), Some("A:1\r\nB:<x> & <y>"));
    }

    #[test]
    fn what_is_no_answer_is_said_to_be_none() {
        let deep = format!("{}{}", "<a>".repeat(500), "</a>".repeat(500));
        let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><D:multistatus xmlns:D=\"DAV:\">\
            <D:response><D:href>&b;/x</D:href></D:response></D:multistatus>";
        for (body, expected) in [
            ("", Garbled::NoXml),
            ("<html><body>Log in</body></html>", Garbled::NoXml),
            ("<D:multistatus xmlns:D=\"DAV:\"><D:response>", Garbled::NoXml),
            (deep.as_str(), Garbled::TooMuch),
        ] {
            assert_eq!(items(body.as_bytes()), Err(expected), "{body:.40}");
        }
        assert_eq!(items(bomb.as_bytes()).unwrap(), [], "nothing is expanded");
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_break_it(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..400)) {
            assert!(items(&bytes).is_ok() || items(&bytes).is_err());
        }
    }
}
