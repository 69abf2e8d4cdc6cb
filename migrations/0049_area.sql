-- The room somebody usually speaks from; empty for none.
ALTER TABLE actors ADD COLUMN area TEXT NOT NULL DEFAULT '';
