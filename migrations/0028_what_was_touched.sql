-- The things a turn made, changed or told of, so that the next message may say "it".
ALTER TABLE turns ADD COLUMN touched TEXT;
