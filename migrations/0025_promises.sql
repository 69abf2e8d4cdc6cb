-- What is promised of a message when sending it breaks off, what it is about, and whether a send of it was begun.
-- `about` is sealed. `backs_off`: it waits by itself, and comes at once when the way is open again. `task` and `runs`:
-- what waits for the end of quiet hours is one message a task. `ours`: a change and its journal are one transaction, so
-- that what was begun and not ended did not happen.
ALTER TABLE outbox ADD COLUMN promise TEXT NOT NULL DEFAULT 'at_most_once'
    CHECK (promise IN ('at_least_once', 'at_most_once'));
ALTER TABLE outbox ADD COLUMN about TEXT NOT NULL DEFAULT '';
ALTER TABLE outbox ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN backs_off INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN task TEXT;
ALTER TABLE outbox ADD COLUMN runs INTEGER NOT NULL DEFAULT 1;
ALTER TABLE effects ADD COLUMN ours INTEGER NOT NULL DEFAULT 0;
