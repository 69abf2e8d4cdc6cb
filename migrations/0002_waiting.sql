-- Where people said they are: the last point of each, and no trail of those before it.

CREATE TABLE locations (
    actor       TEXT PRIMARY KEY REFERENCES actors (id),
    channel     TEXT NOT NULL,
    latitude    REAL NOT NULL,
    longitude   REAL NOT NULL,
    accuracy_m  INTEGER,
    source      TEXT NOT NULL CHECK (source IN ('device', 'picked', 'typed')),
    label       TEXT,
    captured_at INTEGER NOT NULL
) STRICT;
