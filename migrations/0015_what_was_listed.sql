-- The files an answer listed, in the order the person saw them, as JSON: "the second" is one of these, whatever came or
-- went since.
ALTER TABLE turns ADD COLUMN listed TEXT;
