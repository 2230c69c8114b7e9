-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';

-- Operational events (`service.*`) on their way: written in the transaction of the change that they tell of, and turned
-- into events by the retry-scheduler. Rows live for a fraction of a second.
CREATE TABLE operational_events (
  tenant_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  project_id uuid NOT NULL,
  event_type text NOT NULL,
  -- Names what happened among the others of its type.
  fact text NOT NULL,
  payload text NOT NULL,
  PRIMARY KEY (tenant_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Whether anyone in a project subscribes to operational events is asked with each event that dies: without this index a
-- tenant's whole configuration would be unpacked for it.
CREATE INDEX endpoints_operational ON endpoints (tenant_id, project_id)
  WHERE deleted_at IS NULL AND jsonb_path_exists(config, '$.eventTypes[*] ? (@ starts with "service.")');

-- Grows when the event is edited. An attempt carries the edition that it sent; of an older one it is superseded.
ALTER TABLE deliveries ADD COLUMN edition integer NOT NULL DEFAULT 0;
-- What the last poll has fetched: an older one can't be acknowledged.
ALTER TABLE deliveries ADD COLUMN fetched_edition integer NOT NULL DEFAULT 0;
-- Why the last poll did not get it: its endpoint's transformation failed.
ALTER TABLE deliveries ADD COLUMN fetch_error text;

-- A delivery is held from the moment in which it first could not go, whatever its place in its lane.
ALTER TABLE lane_waiting ADD COLUMN waits_since timestamptz NOT NULL DEFAULT now();
-- Since when the lane's head waited behind others; null: it never did.
ALTER TABLE lanes ADD COLUMN head_since timestamptz;
