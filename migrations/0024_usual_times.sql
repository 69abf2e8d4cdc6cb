-- How long turns with a plan of this shape took lately, while nobody had to write it. Made anew every night.
CREATE TABLE usual_times (
    actor       TEXT NOT NULL,
    plan_hash   TEXT NOT NULL,
    p50_ms      INTEGER NOT NULL,
    p95_ms      INTEGER NOT NULL,
    runs        INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    PRIMARY KEY (actor, plan_hash)
) STRICT;
