-- What asking an online provider costs. A row is written before the provider is asked, with the most it may cost, and
-- says what it did cost afterwards; whatever happens in between, the money counts as spent.
CREATE TABLE spending (
    id             INTEGER PRIMARY KEY,
    actor          TEXT NOT NULL,
    turn           TEXT NOT NULL,
    provider       TEXT NOT NULL,
    model          TEXT NOT NULL,
    at             INTEGER NOT NULL,
    cost_micro_usd INTEGER NOT NULL CHECK (cost_micro_usd >= 0),
    -- NULL until the provider said so.
    tokens_in      INTEGER,
    tokens_out     INTEGER
) STRICT;
CREATE INDEX spending_by_time ON spending (at);
