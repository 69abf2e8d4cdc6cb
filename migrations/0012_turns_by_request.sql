-- Whether the last answer to these very words was marked wrong is asked before every plan.
CREATE INDEX turns_by_request ON turns (actor, canonical_hash);

-- Whether the words were typed to us; of what was answered before nobody knows, and it counts as passed on.
ALTER TABLE turns ADD COLUMN is_typed INTEGER NOT NULL DEFAULT 0;

-- What was said last in a conversation is asked with every message there.
CREATE INDEX turns_by_conversation ON turns (channel, conversation);
