-- Whether the last answer to these very words was marked wrong is asked before every plan.
CREATE INDEX turns_by_request ON turns (actor, canonical_hash);
