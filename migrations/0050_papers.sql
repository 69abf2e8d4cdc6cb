-- What the documents of a home say, so that questions find them. The files are the truth: a copy may be dropped.
CREATE TABLE papers (
    id      INTEGER PRIMARY KEY,
    actor   TEXT NOT NULL REFERENCES actors (id),
    -- Written with `~/`.
    path    TEXT NOT NULL,
    -- Bytes, and nanoseconds since 1970: another size or time is another text.
    size    INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    -- Pages and sheets as JSON; empty where nothing can be read.
    parts   TEXT NOT NULL,
    UNIQUE (actor, path)
) STRICT;

-- Stems of both languages, of the name and of what it says.
CREATE VIRTUAL TABLE papers_words USING fts5 (words, content = '', contentless_delete = 1);

CREATE TRIGGER papers_gone AFTER DELETE ON papers BEGIN
    DELETE FROM papers_words WHERE rowid = old.id;
END;
