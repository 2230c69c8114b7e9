-- FIFO lanes: of a lane's deliveries its head alone waits in `due` or `parked`, as a delivery without a lane does. The
-- others wait quietly behind it until its end is recorded.

-- Fixed at fan-out; null: no FIFO endpoint.
ALTER TABLE deliveries ADD COLUMN lane text;

-- One row a lane that is not empty. Whoever takes from a lane locks its row in a statement before the one that reads it.
CREATE TABLE lanes (
  tenant_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  lane text NOT NULL,
  -- The delivery that may go. null only within a transaction.
  head uuid,
  -- The last place that was given out.
  tail bigint NOT NULL,
  -- Grows with each lock: nothing here may use FOR UPDATE, which Citus refuses over tenants.
  locks bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, endpoint_id, lane)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE lane_waiting (
  tenant_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  lane text NOT NULL,
  position bigint NOT NULL,
  delivery_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, endpoint_id, lane, position)
) WITH (autovacuum_vacuum_scale_factor = 0.02);

-- Of an event that waits to be fanned out its place in the order of acceptance: a tenant's next in that order are found
-- without looking at the rest of what it has in `due`. Rows of other kinds have no entry.
ALTER TABLE due ADD COLUMN seq bigint;
UPDATE due SET seq = e.seq FROM events e WHERE due.kind = 0 AND e.tenant_id = due.tenant_id AND e.id = due.id;
CREATE INDEX due_events ON due (tenant_id, seq) WHERE kind = 0 AND leased;
