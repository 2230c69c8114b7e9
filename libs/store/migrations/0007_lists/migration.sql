-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';
-- What a list looks for among millions of rows that it does not want. An index is kept up with each row that it holds, so
-- each is partial. Its condition must not be on a column that the way of an event which just succeeds changes
-- (`state`, `open_count`, `ended_at`): the update of such a column is never HOT, whether the row is in the index or not.
CREATE INDEX events_dead ON events (tenant_id, id) WHERE dead_count > 0;
CREATE INDEX events_failed ON events (tenant_id, id) WHERE waiting_count > 0;
-- A dead delivery has a reason, and no other has.
CREATE INDEX deliveries_dead ON deliveries (tenant_id, endpoint_id, id) WHERE dead_reason IS NOT NULL AND endpoint_id IS NOT NULL;
CREATE INDEX attempts_failed ON attempts (tenant_id, id) WHERE error <> '';
-- Of direct events there is no entry in these two.
CREATE INDEX attempts_endpoint ON attempts (tenant_id, endpoint_id, id) WHERE endpoint_id IS NOT NULL;
CREATE INDEX attempts_type ON attempts (tenant_id, event_type, id) WHERE event_type IS NOT NULL;
