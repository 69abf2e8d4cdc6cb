-- How often a person is told in the morning: daily, weekly, or off.
ALTER TABLE digests ADD COLUMN rhythm TEXT NOT NULL DEFAULT 'daily';
