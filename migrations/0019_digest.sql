-- What is told in the morning: a plan of L1 that its person looked at and keeps, and when each person was told last.
ALTER TABLE autopaths ADD COLUMN kept_at INTEGER;

CREATE TABLE digests (
    actor       TEXT PRIMARY KEY,
    told_at     INTEGER NOT NULL
) STRICT;
