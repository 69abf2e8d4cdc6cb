-- Passages: the output of one executor fed another. A passage to a name that nothing has yet is a wish.
CREATE TABLE passages (
    actor       TEXT NOT NULL,
    source      TEXT NOT NULL,
    target      TEXT NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('active', 'decaying', 'proto')),
    -- As it was at `weighed_at`; it decays from there on.
    weight      REAL NOT NULL,
    weighed_at  INTEGER NOT NULL,
    uses        INTEGER NOT NULL,
    first_used  INTEGER NOT NULL,
    last_used   INTEGER NOT NULL,
    -- What was asked when the target was missed last.
    request     TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (actor, source, target)
) STRICT;
