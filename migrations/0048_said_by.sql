-- Who had something told to the owner of a task: a person of the house. NULL for what its owner set.
ALTER TABLE tasks ADD COLUMN said_by TEXT REFERENCES actors (id) ON DELETE SET NULL;
