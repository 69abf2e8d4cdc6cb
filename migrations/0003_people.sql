-- People: who may no longer come in, how much each may use, and whose every message is.

-- A person who was locked out: their data stays until it is erased.
ALTER TABLE actors ADD COLUMN revoked_at INTEGER;
-- NULL: what people of this role have; -1: no limit.
ALTER TABLE actors ADD COLUMN turns_per_hour INTEGER;
ALTER TABLE actors ADD COLUMN tasks INTEGER;
ALTER TABLE actors ADD COLUMN model_calls_per_day INTEGER;
-- One phone or channel that was locked out.
ALTER TABLE identities ADD COLUMN revoked_at INTEGER;

-- Whom a code lets in: NULL for a newcomer. Unsigned codes are no codes any more.
DELETE FROM pairing_codes;
ALTER TABLE pairing_codes ADD COLUMN actor TEXT;
ALTER TABLE pairing_codes ADD COLUMN signature BLOB NOT NULL DEFAULT x'';

-- Whose message and whose answer; NULL while nobody knows the sender. In a private chat the sender names it.
ALTER TABLE inbox ADD COLUMN actor TEXT;
ALTER TABLE outbox ADD COLUMN actor TEXT;
UPDATE inbox SET actor = (SELECT i.actor FROM identities i WHERE i.channel = inbox.channel AND i.sender = inbox.conversation);
UPDATE outbox SET actor = (SELECT i.actor FROM identities i WHERE i.channel = outbox.channel AND i.sender = outbox.conversation);
UPDATE inbox SET actor = 'host' WHERE channel = 'terminal';
UPDATE outbox SET actor = 'host' WHERE channel = 'terminal';
