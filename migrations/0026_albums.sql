-- Files that are sent together are one message to their sender: what they came with, and the words that came with one of
-- them, and the message whose turn answers for all of them. `caption` is sealed.
ALTER TABLE inbox ADD COLUMN album TEXT;
ALTER TABLE received_files ADD COLUMN album TEXT;
ALTER TABLE received_files ADD COLUMN caption TEXT NOT NULL DEFAULT '';
ALTER TABLE received_files ADD COLUMN answered_with INTEGER;
