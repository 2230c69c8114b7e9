-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';
-- What `GET /events` filters by, each in the order of the list, so that a page of a rare project, type, destination or
-- endpoint reads as many rows as it shows. An event has a destination or a type, never both, so it is in two of these.
-- None of their columns is changed by the way of an event that succeeds, so its updates stay HOT.
CREATE INDEX events_project ON events (tenant_id, project_id, id);
CREATE INDEX events_type ON events (tenant_id, event_type, id) WHERE event_type IS NOT NULL;
-- By its hash: a URL has up to 2,048 characters.
CREATE INDEX events_destination ON events (tenant_id, hashtextextended(destination, 0), id) WHERE destination IS NOT NULL;
CREATE INDEX deliveries_endpoint ON deliveries (tenant_id, endpoint_id, event_id) WHERE endpoint_id IS NOT NULL;
-- In the order in which they were made: the last attempt of an event is one look-up. It takes the place of `attempts_event`.
CREATE INDEX attempts_of_event ON attempts (tenant_id, event_id, id);
DROP INDEX attempts_event;
