-- What a person answered to a plan that was shown before it ran because it was not certain: a yes lets the same plan run
-- for the same words, a no is not offered for them again. `plan` is the SHA-256 of its JSON.
CREATE TABLE offers (
    actor       TEXT NOT NULL,
    canonical_hash TEXT NOT NULL,
    plan        TEXT NOT NULL,
    accepted    INTEGER NOT NULL,
    answered_at INTEGER NOT NULL,
    PRIMARY KEY (actor, canonical_hash, plan)
) STRICT;
