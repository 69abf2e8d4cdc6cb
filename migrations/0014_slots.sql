-- A plan that a model wrote serves the same words with other values: what the request is without them, and where the plan
-- holds them, as JSON.
ALTER TABLE fastpaths ADD COLUMN template_hash TEXT;
ALTER TABLE fastpaths ADD COLUMN slots TEXT;
CREATE INDEX fastpaths_by_template ON fastpaths (actor, template_hash) WHERE template_hash IS NOT NULL;
