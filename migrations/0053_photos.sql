-- When and where the pictures and videos of a home were taken, so that questions find them. The files are the truth: a
-- copy may be dropped.
CREATE TABLE photos (
    id        INTEGER PRIMARY KEY,
    actor     TEXT NOT NULL REFERENCES actors (id),
    -- Written with `~/`.
    path      TEXT NOT NULL,
    -- Bytes, and nanoseconds since 1970: another size or time is another picture.
    size      INTEGER NOT NULL,
    changed   INTEGER NOT NULL,
    -- What it tells of itself, as JSON; empty where it tells nothing.
    told      TEXT NOT NULL,
    -- The town, as JSON; empty where that is not known.
    place     TEXT NOT NULL,
    -- What it looks like, as 64 bits; NULL until that was looked at, or where it cannot be.
    likeness  INTEGER,
    -- Whether that was looked at.
    is_seen   INTEGER NOT NULL DEFAULT 0,
    UNIQUE (actor, path)
) STRICT;

-- Every request asks which places there are.
CREATE INDEX photos_by_place ON photos (actor, place);
