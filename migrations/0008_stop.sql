-- A request its person stopped does not run again, whatever happens to the process before it has its answer.
ALTER TABLE inbox ADD COLUMN stopped INTEGER NOT NULL DEFAULT 0;

-- Messages that show what a turn is doing: what a start finds here belongs to a turn that was cut off, and goes away.
CREATE TABLE progress (
    channel     TEXT NOT NULL,
    conversation TEXT NOT NULL,
    message     TEXT NOT NULL,
    actor       TEXT NOT NULL,
    PRIMARY KEY (channel, conversation, message)
) STRICT;
