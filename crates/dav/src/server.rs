//! What is said to a server of calendars and address books (WebDAV, CalDAV, CardDAV), and what its answers mean: plain
//! requests out, plain facts in. Called by who has the sockets; nothing here opens one, and no request holds a
//! password. An answer is a stranger's: it is read within `limits`, and what it does not say is never made up.
//!
//! ```text
//! principal → homes → collections          where everything is
//! changes (by token) or listing (by ETag)  what became different
//! fetch (many at once) or get              the texts
//! put, delete                              only in the version that is known
//! ```

mod answers;
mod asked;
mod providers;
mod xml;

pub use answers::{Changes, Collection, Garbled, Item, changes, collections, homes, items, principal};
pub use asked::{
    ask_changes, ask_collections, ask_events, ask_homes, ask_items, ask_listing, ask_principal, delete, get, put,
};
pub use providers::{DavLogin, DavServers, dav_servers, well_known};

/// What a collection is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holds {
    /// Calendars: iCalendar.
    Events,
    /// Address books: vCard.
    Contacts,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Reads a resource.
    Get,
    /// Writes one.
    Put,
    /// Removes one.
    Delete,
    /// Asks for properties.
    Propfind,
    /// Asks for many resources, or what changed.
    Report,
}

impl Method {
    /// Its name in the protocol.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
            Self::Propfind => "PROPFIND",
            Self::Report => "REPORT",
        }
    }
}

/// In which version of a resource something may be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// In the version of this ETag.
    Version(String),
    /// Where nothing is yet.
    New,
}

/// One request, to be sent to the account's own server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// What is done.
    pub method: Method,
    /// To what: a path, or a whole address.
    pub href: String,
    /// The `Depth` header.
    pub depth: Option<&'static str>,
    /// The `If-Match` or `If-None-Match` header.
    pub condition: Option<Condition>,
    /// The `Content-Type` header.
    pub content_type: Option<&'static str>,
    /// What is sent; empty for nothing.
    pub body: String,
}
