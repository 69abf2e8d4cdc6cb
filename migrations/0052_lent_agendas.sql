-- Calendars and address books of the host that somebody else of the house sees as well, and may change where that is said.
CREATE TABLE lent_agendas (
    -- To whom.
    actor     TEXT NOT NULL REFERENCES actors (id),
    -- Whose they are, and the home in which the folders of that person lie.
    owner     TEXT NOT NULL REFERENCES actors (id),
    home      TEXT NOT NULL,
    -- What they hold: "events" or "contacts".
    holds     TEXT NOT NULL,
    -- One collection on a server by its id; empty for everything of that kind.
    place     TEXT NOT NULL,
    may_write INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (actor, owner, holds, place)
) STRICT;
