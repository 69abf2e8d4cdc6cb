-- Calendars and address books on servers: what was last seen of them. The server is the truth; a copy may be dropped.
CREATE TABLE dav_collections (
    id       TEXT PRIMARY KEY,
    actor    TEXT NOT NULL REFERENCES actors (id),
    account  TEXT NOT NULL REFERENCES person_accounts (id) ON DELETE CASCADE,
    -- events or contacts.
    holds    TEXT NOT NULL,
    -- Its place among those of the account: new things go into the first that takes them.
    place    INTEGER NOT NULL,
    -- Where it is, what it is called and what may be done, as JSON, sealed.
    settings TEXT NOT NULL,
    -- What to ask for changes with; empty where the server knows no tokens.
    token    TEXT NOT NULL DEFAULT '',
    -- When the server was last heard; 0 for never.
    seen     INTEGER NOT NULL DEFAULT 0,
    -- Grows with every change of what is kept of it.
    revision INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX dav_collections_by_actor ON dav_collections (actor, holds, place);

CREATE TABLE dav_items (
    collection TEXT NOT NULL REFERENCES dav_collections (id) ON DELETE CASCADE,
    -- The last part of its address.
    name       TEXT NOT NULL,
    actor      TEXT NOT NULL REFERENCES actors (id),
    href       TEXT NOT NULL,
    -- The version it is in; empty where the server does not say.
    etag       TEXT NOT NULL,
    -- Sealed.
    text       TEXT NOT NULL,
    PRIMARY KEY (collection, name)
) STRICT;
