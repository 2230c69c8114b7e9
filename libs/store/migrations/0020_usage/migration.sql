-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';
-- The door by which an event came in: api, batch, inbound, test, notice, replay. Null: the version
-- before wrote it.
ALTER TABLE events ADD COLUMN source text;
-- The days that were counted from the events themselves. One without events has no other trace.
CREATE TABLE usage_recounts (
  day date PRIMARY KEY,
  counted_at timestamptz NOT NULL DEFAULT now()
);
