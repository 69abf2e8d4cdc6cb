-- What happens at a time of its own: timers, alarms, reminders, requests that repeat, watchers, and the jobs of the
-- house, whose `actor` is NULL. Words are sealed, and gone when the task is over.
CREATE TABLE tasks (
    id            TEXT PRIMARY KEY,
    actor         TEXT REFERENCES actors (id),
    kind          TEXT NOT NULL,
    name          TEXT NOT NULL,
    words         TEXT NOT NULL,
    trigger       TEXT NOT NULL,
    weekdays      TEXT NOT NULL,
    zone          TEXT NOT NULL,
    -- The computed instant; NULL while it waits for nothing.
    due_at        INTEGER,
    state         TEXT NOT NULL,
    times_left    INTEGER,
    expires_at    INTEGER,
    grace_minutes INTEGER,
    channel       TEXT,
    conversation  TEXT,
    remaining_ms  INTEGER,
    length_ms     INTEGER,
    memory        TEXT NOT NULL,
    fired         INTEGER NOT NULL,
    failures      INTEGER NOT NULL,
    last_slot_at  INTEGER,
    created_at    INTEGER NOT NULL,
    changed_at    INTEGER NOT NULL,
    -- Grows with every change: of two at once, one counts.
    revision      INTEGER NOT NULL,
    CHECK ((kind = 'job') = (actor IS NULL))
) STRICT;
CREATE INDEX tasks_due ON tasks (due_at) WHERE due_at IS NOT NULL AND state IN ('active', 'snoozed');
CREATE INDEX tasks_by_actor ON tasks (actor, due_at);

-- Every firing. Its id is the task and the slot, so that no slot fires twice.
CREATE TABLE task_runs (
    id            TEXT PRIMARY KEY,
    task          TEXT NOT NULL,
    actor         TEXT,
    kind          TEXT NOT NULL,
    name          TEXT NOT NULL,
    slot_at       INTEGER NOT NULL,
    started_at    INTEGER NOT NULL,
    ended_at      INTEGER,
    state         TEXT NOT NULL,
    outcome       TEXT,
    -- The message a request was queued as, and the turn it became.
    inbox         INTEGER,
    turn          TEXT,
    -- What its owner said to it: the first tap counts.
    answer        TEXT
) STRICT;
CREATE INDEX task_runs_by_task ON task_runs (task, started_at);
CREATE INDEX task_runs_by_actor ON task_runs (actor, started_at);
CREATE INDEX task_runs_open ON task_runs (task) WHERE state = 'running';
