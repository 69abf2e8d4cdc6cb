//! The requests. Pure.

use std::fmt::Write as _;

use super::{Condition, Holds, Method, Request};
use crate::limits::FETCH_MAX;

const XML: &str = "application/xml; charset=utf-8";
const HEAD: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
const SPACES: &str = "xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\" \
     xmlns:A=\"urn:ietf:params:xml:ns:carddav\" xmlns:I=\"http://apple.com/ns/ical/\"";

fn propfind(href: &str, depth: &'static str, props: &str) -> Request {
    Request {
        method: Method::Propfind,
        href: href.to_owned(),
        depth: Some(depth),
        condition: None,
        content_type: Some(XML),
        body: format!("{HEAD}<D:propfind {SPACES}><D:prop>{props}</D:prop></D:propfind>"),
    }
}

fn report(href: &str, depth: &'static str, body: String) -> Request {
    Request {
        method: Method::Report,
        href: href.to_owned(),
        depth: Some(depth),
        condition: None,
        content_type: Some(XML),
        body,
    }
}

/// Who is logged in, and whether this is a collection already.
pub fn ask_principal(href: &str) -> Request {
    propfind(href, "0", "<D:current-user-principal/><D:resourcetype/>")
}

/// Where somebody's collections lie.
pub fn ask_homes(principal: &str) -> Request {
    propfind(principal, "0", "<C:calendar-home-set/><A:addressbook-home-set/>")
}

/// The collections below a home, or one by itself.
pub fn ask_collections(href: &str, alone: bool) -> Request {
    let props = "<D:resourcetype/><D:displayname/><D:current-user-privilege-set/><D:supported-report-set/>\
         <D:sync-token/><C:supported-calendar-component-set/><I:calendar-color/>";
    propfind(href, if alone { "0" } else { "1" }, props)
}

/// What became different since a token; everything where there is none.
pub fn ask_changes(collection: &str, token: Option<&str>) -> Request {
    let body = format!(
        "{HEAD}<D:sync-collection {SPACES}><D:sync-token>{}</D:sync-token><D:sync-level>1</D:sync-level>\
         <D:prop><D:getetag/><D:getcontenttype/></D:prop></D:sync-collection>",
        escaped(token.unwrap_or_default())
    );
    report(collection, "0", body)
}

/// Everything in a collection with its ETag: what every server knows.
pub fn ask_listing(collection: &str) -> Request {
    propfind(collection, "1", "<D:getetag/><D:getcontenttype/><D:resourcetype/>")
}

/// The events of a calendar with their ETags, without its tasks and notes.
pub fn ask_events(collection: &str) -> Request {
    let body = format!(
        "{HEAD}<C:calendar-query {SPACES}><D:prop><D:getetag/><D:getcontenttype/></D:prop><C:filter>\
         <C:comp-filter name=\"VCALENDAR\"><C:comp-filter name=\"VEVENT\"/></C:comp-filter></C:filter>\
         </C:calendar-query>"
    );
    report(collection, "1", body)
}

/// The texts of resources, at most `FETCH_MAX` of them.
pub fn ask_items(collection: &str, hrefs: &[&str], holds: Holds) -> Request {
    let (report_name, data) = match holds {
        Holds::Events => ("C:calendar-multiget", "<C:calendar-data/>"),
        Holds::Contacts => ("A:addressbook-multiget", "<A:address-data/>"),
    };
    let mut body = format!("{HEAD}<{report_name} {SPACES}><D:prop><D:getetag/>{data}</D:prop>");
    for href in hrefs.iter().take(FETCH_MAX) {
        // Writing to a string does not fail.
        let _written = write!(body, "<D:href>{}</D:href>", escaped(href));
    }
    body.push_str("</");
    body.push_str(report_name);
    body.push('>');
    report(collection, "1", body)
}

/// One text.
pub fn get(href: &str) -> Request {
    bare(Method::Get, href, None)
}

/// Writes a text, in a version that is known or where nothing is.
pub fn put(href: &str, text: &str, condition: Condition, holds: Holds) -> Request {
    Request {
        content_type: Some(match holds {
            Holds::Events => "text/calendar; charset=utf-8",
            Holds::Contacts => "text/vcard; charset=utf-8",
        }),
        body: text.to_owned(),
        ..bare(Method::Put, href, Some(condition))
    }
}

/// Removes a resource that is in this version.
pub fn delete(href: &str, version: &str) -> Request {
    bare(Method::Delete, href, Some(Condition::Version(version.to_owned())))
}

fn bare(method: Method, href: &str, condition: Option<Condition>) -> Request {
    Request {
        method,
        href: href.to_owned(),
        depth: None,
        condition,
        content_type: None,
        body: String::new(),
    }
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            // Nothing else is allowed in XML at all.
            letter if letter.is_control() && !matches!(letter, '\t' | '\n' | '\r') => {}
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_a_name_stays_in_it() {
        let request = ask_items("/c/", &["/c/a&b.ics", "/c/</D:href>.ics"], Holds::Events);
        assert!(request.body.contains("/c/a&amp;b.ics") && request.body.contains("/c/&lt;/D:href&gt;.ics"));
        assert_eq!(request.body.matches("<D:href>").count(), 2);
    }

    #[test]
    fn nothing_is_written_or_removed_without_a_version() {
        let new = put("/c/a.ics", "x", Condition::New, Holds::Events);
        assert_eq!(new.condition, Some(Condition::New));
        assert_eq!(
            delete("/c/a.ics", "\"1\"").condition,
            Some(Condition::Version("\"1\"".to_owned()))
        );
    }
}
