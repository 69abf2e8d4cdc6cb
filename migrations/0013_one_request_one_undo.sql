-- The turn in which the request of an effect began: what waited for an answer goes on in a turn of its own, and is taken
-- back with what was done before it.
ALTER TABLE effects ADD COLUMN begun_in TEXT;
UPDATE effects SET begun_in = turn;
