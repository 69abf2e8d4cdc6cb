-- Memory looks after itself: what was removed and why, who is used how often, and runs that failed.

-- A run that ended well or failed through its plan's own fault, and how long its turn took.
ALTER TABLE observations ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE observations ADD COLUMN latency_ms INTEGER;

-- What memory let go, as it was: it can be taken back for some days.
CREATE TABLE removals (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    actor       TEXT NOT NULL,
    layer       TEXT NOT NULL CHECK (layer IN ('fastpath', 'autopath')),
    -- The request, or the kind of request, it answered.
    name        TEXT NOT NULL,
    -- What tells it from others of its layer and person.
    identity    TEXT NOT NULL,
    reason      TEXT NOT NULL,
    -- The executor that took over its uses.
    heir        TEXT,
    -- The row as JSON, and its vector.
    kept        TEXT NOT NULL,
    embedding   BLOB,
    at          INTEGER NOT NULL,
    taken_back_at INTEGER
) STRICT;
CREATE INDEX removals_by_actor ON removals (actor, at);

-- How often each person used each executor; uses of a plan that an executor took over count for it, too.
CREATE TABLE executor_uses (
    actor       TEXT NOT NULL,
    executor    TEXT NOT NULL,
    uses        INTEGER NOT NULL DEFAULT 0,
    failures    INTEGER NOT NULL DEFAULT 0,
    inherited   INTEGER NOT NULL DEFAULT 0,
    last_used   INTEGER NOT NULL,
    PRIMARY KEY (actor, executor)
) STRICT;

-- Since when each executor is in the catalog: a plan that is older may be covered by it. 0: before anybody looked.
CREATE TABLE executors_known (
    name        TEXT PRIMARY KEY,
    since       INTEGER NOT NULL
) STRICT;
