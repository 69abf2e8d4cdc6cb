-- The foundation: people, messages, turns, effects and plan memory.
-- Times are milliseconds since 1970 UTC. Every row that belongs to a person carries `actor`.

CREATE TABLE actors (
    id          TEXT PRIMARY KEY,
    role        TEXT NOT NULL CHECK (role IN ('host', 'guest')),
    name        TEXT NOT NULL,
    lang        TEXT NOT NULL,
    timezone    TEXT NOT NULL,
    autonomy    TEXT NOT NULL,
    created_at  INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX actors_one_host ON actors (role) WHERE role = 'host';

CREATE TABLE identities (
    channel     TEXT NOT NULL,
    sender      TEXT NOT NULL,
    actor       TEXT NOT NULL REFERENCES actors (id),
    paired_at   INTEGER NOT NULL,
    PRIMARY KEY (channel, sender)
) STRICT;

CREATE TABLE pairing_codes (
    code_hash   TEXT PRIMARY KEY,
    expires_at  INTEGER NOT NULL,
    used_at     INTEGER
) STRICT;

-- Senders nobody paired: told once, and slowed down when they guess codes.
CREATE TABLE strangers (
    channel     TEXT NOT NULL,
    sender      TEXT NOT NULL,
    told_at     INTEGER NOT NULL,
    tries       INTEGER NOT NULL DEFAULT 0,
    last_try_at INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (channel, sender)
) STRICT;

CREATE TABLE inbox (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    channel     TEXT NOT NULL,
    conversation TEXT NOT NULL,
    message     TEXT NOT NULL,
    inbound     TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    state       TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done')),
    attempts    INTEGER NOT NULL DEFAULT 0,
    turn        TEXT,
    UNIQUE (channel, conversation, message)
) STRICT;
CREATE INDEX inbox_open ON inbox (id) WHERE state <> 'done';

CREATE TABLE turns (
    id          TEXT PRIMARY KEY,
    actor       TEXT NOT NULL REFERENCES actors (id),
    channel     TEXT NOT NULL,
    conversation TEXT NOT NULL,
    request     TEXT NOT NULL,
    canonical_hash TEXT NOT NULL,
    started_at  INTEGER NOT NULL,
    ended_at    INTEGER NOT NULL,
    answered_by TEXT NOT NULL,
    final_kind  TEXT NOT NULL,
    intent_hash TEXT,
    plan_hash   TEXT,
    plan_shape  TEXT,
    model_calls INTEGER NOT NULL,
    -- The fastpath that served the turn by cosine, and how similar it was: raised when the person says it was wrong.
    fastpath    INTEGER,
    similarity  REAL,
    feedback    TEXT
) STRICT;
CREATE INDEX turns_by_actor ON turns (actor, started_at);

CREATE TABLE effects (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    turn        TEXT NOT NULL,
    step        INTEGER NOT NULL,
    actor       TEXT NOT NULL,
    tool        TEXT NOT NULL,
    operation   TEXT NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('begun', 'done', 'failed', 'unknown', 'undone')),
    reversals   TEXT NOT NULL DEFAULT '[]',
    begun_at    INTEGER NOT NULL,
    ended_at    INTEGER
) STRICT;
CREATE INDEX effects_by_turn ON effects (turn);
CREATE INDEX effects_by_actor ON effects (actor, id);

CREATE TABLE outbox (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    channel     TEXT NOT NULL,
    conversation TEXT NOT NULL,
    turn        TEXT,
    reply_to    TEXT,
    parcel      TEXT NOT NULL,
    sent_parts  TEXT NOT NULL DEFAULT '[]',
    state       TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'uncertain', 'failed')),
    not_before  INTEGER NOT NULL DEFAULT 0,
    attempts    INTEGER NOT NULL DEFAULT 0,
    created_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX outbox_waiting ON outbox (channel, id) WHERE state = 'waiting';
CREATE INDEX outbox_by_turn ON outbox (turn);

CREATE TABLE callbacks (
    token       TEXT PRIMARY KEY,
    actor       TEXT NOT NULL,
    turn        TEXT NOT NULL,
    kind        TEXT NOT NULL,
    dialog      TEXT,
    created_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX callbacks_by_turn ON callbacks (turn);

CREATE TABLE dialogs (
    id          TEXT PRIMARY KEY,
    actor       TEXT NOT NULL,
    channel     TEXT NOT NULL,
    conversation TEXT NOT NULL,
    turn        TEXT NOT NULL,
    operation   TEXT NOT NULL,
    request     TEXT NOT NULL,
    payload     TEXT NOT NULL,
    expires_at  INTEGER NOT NULL,
    state       TEXT NOT NULL DEFAULT 'waiting'
                CHECK (state IN ('waiting', 'approved', 'refused', 'expired', 'done'))
) STRICT;
CREATE INDEX dialogs_waiting ON dialogs (actor, channel) WHERE state = 'waiting';

CREATE TABLE fastpaths (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    actor       TEXT NOT NULL,
    canonical_text TEXT NOT NULL,
    canonical_hash TEXT NOT NULL,
    embedder    TEXT,
    embedding   BLOB,
    plan        TEXT NOT NULL,
    origin      TEXT NOT NULL CHECK (origin IN ('auto', 'autopath', 'cosine')),
    intent      TEXT NOT NULL,
    query_specific INTEGER NOT NULL,
    threshold   REAL,
    tools_sig   TEXT NOT NULL,
    pool_sig    TEXT NOT NULL,
    n_uses      INTEGER NOT NULL DEFAULT 0,
    created_at  INTEGER NOT NULL,
    last_used   INTEGER,
    UNIQUE (actor, canonical_hash)
) STRICT;

CREATE TABLE observations (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    turn        TEXT NOT NULL UNIQUE,
    actor       TEXT NOT NULL,
    intent      TEXT NOT NULL,
    intent_hash TEXT NOT NULL,
    cluster     TEXT NOT NULL,
    embedder    TEXT,
    embedding   BLOB,
    plan        TEXT NOT NULL,
    plan_hash   TEXT NOT NULL,
    query_specific INTEGER NOT NULL,
    tools_sig   TEXT NOT NULL,
    pool_sig    TEXT NOT NULL,
    verdict     TEXT,
    at          INTEGER NOT NULL
) STRICT;
CREATE INDEX observations_by_plan ON observations (actor, intent_hash, plan_hash);

CREATE TABLE autopaths (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    actor       TEXT NOT NULL,
    intent      TEXT NOT NULL,
    intent_hash TEXT NOT NULL,
    cluster     TEXT NOT NULL,
    plan        TEXT NOT NULL,
    plan_hash   TEXT NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('active', 'demoted')),
    champion    INTEGER NOT NULL,
    successes   REAL NOT NULL,
    failures    REAL NOT NULL,
    confirmations INTEGER NOT NULL,
    tools_sig   TEXT NOT NULL,
    pool_sig    TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    last_used   INTEGER NOT NULL,
    UNIQUE (actor, intent_hash, cluster, plan_hash)
) STRICT;

-- A plan hash names tools and arguments, not their values: a plan with values of its request is banned for that
-- request alone. An empty canonical_hash means every request of the intent.
CREATE TABLE anti_autopaths (
    actor       TEXT NOT NULL,
    intent_hash TEXT NOT NULL,
    canonical_hash TEXT NOT NULL DEFAULT '',
    plan_hash   TEXT NOT NULL,
    rejections  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL,
    PRIMARY KEY (actor, intent_hash, canonical_hash, plan_hash)
) STRICT;

-- A pattern answered this very text and was told it was wrong: it stays silent there.
CREATE TABLE pattern_exemptions (
    actor       TEXT NOT NULL,
    canonical_hash TEXT NOT NULL,
    at          INTEGER NOT NULL,
    PRIMARY KEY (actor, canonical_hash)
) STRICT;

CREATE TABLE gaps (
    id          TEXT PRIMARY KEY,
    actor       TEXT NOT NULL,
    kind        TEXT NOT NULL,
    request     TEXT NOT NULL,
    intent      TEXT NOT NULL,
    error_class TEXT NOT NULL,
    wanted      INTEGER NOT NULL DEFAULT 0,
    n_seen      INTEGER NOT NULL,
    first_seen  INTEGER NOT NULL,
    last_seen   INTEGER NOT NULL
) STRICT;

CREATE TABLE scratchpad (
    id          TEXT PRIMARY KEY,
    actor       TEXT NOT NULL,
    turn        TEXT NOT NULL,
    step        INTEGER NOT NULL,
    tool        TEXT NOT NULL,
    content     TEXT NOT NULL,
    expires_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE cursors (
    channel     TEXT PRIMARY KEY,
    value       INTEGER NOT NULL
) STRICT;
