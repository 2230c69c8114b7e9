-- Whoever comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';
-- The trace that the sender's request belongs to, as W3C's header has it; NULL: it had none. No row
-- is written anew, and the version before leaves it NULL.
ALTER TABLE events ADD COLUMN traceparent text;
