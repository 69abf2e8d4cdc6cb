-- What the host said once for the whole household, in a chat.
CREATE TABLE settings (
    name    TEXT PRIMARY KEY,
    value   TEXT NOT NULL,
    actor   TEXT NOT NULL,
    at      INTEGER NOT NULL
) STRICT;
