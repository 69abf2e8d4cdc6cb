-- When somebody is not to be spoken to unasked, such as `22:00-07:00`; empty for never. And what waits for its end: it
-- holds up nothing that comes after it.
ALTER TABLE actors ADD COLUMN quiet TEXT NOT NULL DEFAULT '';
ALTER TABLE outbox ADD COLUMN held_until INTEGER NOT NULL DEFAULT 0;
