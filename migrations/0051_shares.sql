-- Files of the host that somebody else of the house may use as well: each lies for them as a link in their own folder.
CREATE TABLE shares (
    -- With whom.
    actor     TEXT NOT NULL REFERENCES actors (id),
    -- The file, every link followed.
    path      TEXT NOT NULL,
    -- The link to it.
    link      TEXT NOT NULL,
    -- Whether they may change what is in it.
    may_write INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (actor, path)
) STRICT;
