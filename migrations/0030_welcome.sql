-- What a first start asks, and where a person keeps lists and notes: a folder below their home, empty where the household's
-- setting counts. `welcome` is the open question as JSON, `over` once all were answered or passed over.
ALTER TABLE actors ADD COLUMN welcome TEXT NOT NULL DEFAULT '';
ALTER TABLE actors ADD COLUMN notes_dir TEXT NOT NULL DEFAULT '';
