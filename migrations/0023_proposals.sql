-- What memory would make of itself: tools that grow out of families of plans, ways through the passages, defaults.
CREATE TABLE proposals (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Whose memory it grew out of.
    actor       TEXT NOT NULL,
    kind        TEXT NOT NULL,
    -- What tells it from others of its kind and person, so that it is found again.
    key         TEXT NOT NULL,
    name        TEXT NOT NULL DEFAULT '',
    state       TEXT NOT NULL,
    -- The last stage it passed, and why it stopped.
    stage       TEXT NOT NULL DEFAULT '',
    reason      TEXT NOT NULL DEFAULT '',
    -- What it is made of, what was made of it, and what was thought of that, as JSON.
    payload     TEXT NOT NULL,
    verdict     TEXT NOT NULL DEFAULT '{}',
    nights      INTEGER NOT NULL DEFAULT 1,
    created_at  INTEGER NOT NULL,
    changed_at  INTEGER NOT NULL,
    grace_until INTEGER,
    UNIQUE (actor, kind, key)
) STRICT;

-- Which request of whom grew into which executor: such a plan dies in favour of that one.
CREATE TABLE promotions (
    actor       TEXT NOT NULL,
    canonical_hash TEXT NOT NULL,
    executor    TEXT NOT NULL,
    tier        INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    PRIMARY KEY (actor, canonical_hash, executor)
) STRICT;
