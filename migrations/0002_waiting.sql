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

-- A turn waits for an approval, for a location, or for answers. The revision grows with every step of it, so that of
-- two answers given at once only one counts.
ALTER TABLE dialogs ADD COLUMN kind TEXT NOT NULL DEFAULT 'approval' CHECK (kind IN ('approval', 'location', 'form'));
ALTER TABLE dialogs ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;

-- Secrets people gave when they were asked. Plans and results carry the id, never the secret.
CREATE TABLE secrets (
    id          TEXT PRIMARY KEY,
    actor       TEXT NOT NULL REFERENCES actors (id),
    name        TEXT NOT NULL,
    sealed      TEXT NOT NULL,
    created_at  INTEGER NOT NULL
) STRICT;
