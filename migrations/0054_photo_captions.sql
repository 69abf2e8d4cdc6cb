-- What a model saw in photos, so that questions find them by it. It may be made again from the files at any time.
CREATE TABLE photo_captions (
    id        INTEGER PRIMARY KEY,
    actor     TEXT NOT NULL REFERENCES actors (id),
    -- Written with `~/`, with the size and the time of the file that was looked at.
    path      TEXT NOT NULL,
    size      INTEGER NOT NULL,
    changed   INTEGER NOT NULL,
    -- Who wrote it, in which language: another model is asked again.
    model     TEXT NOT NULL,
    lang      TEXT NOT NULL,
    -- Empty where the model had nothing to say.
    caption   TEXT NOT NULL,
    -- What it is found by: stems with a space before and behind each.
    words     TEXT NOT NULL,
    UNIQUE (actor, path)
) STRICT;
