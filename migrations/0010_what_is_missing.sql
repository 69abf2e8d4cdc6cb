-- What keeps a step from being done, and who can end that.

-- Accounts of the household with services outside: the key its host gave, sealed; empty when they said they have none.
CREATE TABLE accounts (
    name   TEXT PRIMARY KEY,
    actor  TEXT NOT NULL REFERENCES actors (id),
    sealed TEXT NOT NULL,
    at     INTEGER NOT NULL
) STRICT;

-- Who may answer instead of the person it is for: the host, when a guest's level does not allow a step. NULL: that
-- person.
ALTER TABLE dialogs ADD COLUMN decider TEXT;
