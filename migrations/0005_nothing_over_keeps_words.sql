-- What waits is sealed from now on; what is over keeps no words.
UPDATE outbox SET parcel = '' WHERE state <> 'waiting';
UPDATE dialogs SET request = '', payload = '{"plan":null,"done":[],"tool":""}' WHERE state NOT IN ('waiting', 'approved');
UPDATE effects SET reversals = '[]' WHERE state = 'undone';
