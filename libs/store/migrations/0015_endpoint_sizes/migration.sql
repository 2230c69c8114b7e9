-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';
-- What every process that fans out or delivers keeps in memory of an endpoint: its configuration without its script, which
-- is loaded when it is used. An event type takes some 100 bytes of an index there, however short it is. Made by Postgres,
-- so that the version before fills it as well. The table is rewritten once: it has a row for each endpoint.
ALTER TABLE endpoints ADD COLUMN config_bytes integer NOT NULL GENERATED ALWAYS AS (
  octet_length((config - 'transformation')::text)
  + 100 * coalesce(jsonb_array_length(config -> 'eventTypes'), 0)
) STORED;
-- Those that are to be removed for good once nothing refers to them any more.
CREATE INDEX endpoints_deleted ON endpoints (deleted_at) WHERE deleted_at IS NOT NULL;
