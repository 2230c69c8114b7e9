-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';
-- Rounds in which an event by type could not be fanned out. Without a value it takes no room in a row, and it goes with
-- the row once the event is fanned out or put aside.
ALTER TABLE due ADD COLUMN failures smallint;
