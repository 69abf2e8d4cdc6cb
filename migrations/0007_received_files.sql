-- Files that people sent and that were kept: once per message, so that a message read again keeps nothing twice, and so
-- that "save it" knows what came last.

CREATE TABLE received_files (
    inbox       INTEGER PRIMARY KEY,
    actor       TEXT NOT NULL REFERENCES actors (id),
    channel     TEXT NOT NULL,
    conversation TEXT NOT NULL,
    path        TEXT NOT NULL,
    received_at INTEGER NOT NULL
) STRICT;
CREATE INDEX received_files_recent ON received_files (actor, channel, conversation, received_at);
