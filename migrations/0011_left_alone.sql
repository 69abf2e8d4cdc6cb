-- What could not be taken back when it was tried last, and when: undo goes on with the others first.
ALTER TABLE effects ADD COLUMN left_at INTEGER;
