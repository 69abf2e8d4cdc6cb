-- Accounts of persons with services outside: mail, calendars, address books. They belong to one person each.
CREATE TABLE person_accounts (
    id       TEXT PRIMARY KEY,
    actor    TEXT NOT NULL REFERENCES actors (id),
    service  TEXT NOT NULL,
    -- What its person calls it, such as the address.
    name     TEXT NOT NULL,
    -- Servers and user names as JSON, sealed.
    settings TEXT NOT NULL,
    -- The password, sealed; empty where none is needed.
    secret   TEXT NOT NULL,
    -- How it fared when it was last used: untried, good, refused.
    state    TEXT NOT NULL DEFAULT 'untried',
    at       INTEGER NOT NULL,
    UNIQUE (actor, service, name)
) STRICT;

-- Mail that was given to a server, or is about to be: written before it goes out, so that it goes out once.
CREATE TABLE sent_mail (
    -- Our own name for it, which it carries.
    message_id TEXT PRIMARY KEY,
    actor      TEXT NOT NULL REFERENCES actors (id),
    account    TEXT NOT NULL,
    -- The turn and the step it belongs to: the same step never sends twice.
    turn       TEXT NOT NULL,
    step       INTEGER NOT NULL,
    place      INTEGER NOT NULL,
    -- written, sent, failed, unknown.
    state      TEXT NOT NULL,
    at         INTEGER NOT NULL
) STRICT;
CREATE INDEX sent_mail_by_step ON sent_mail (turn, step);
