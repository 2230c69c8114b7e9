-- Rollups: what was accepted, attempted and ended, counted by the minute, the hour and the day.
-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';

-- What a statement of the pipeline really wrote, as a part of that statement: one row for each
-- tenant, which alerting adds to the rollups and deletes. Rows live for seconds.
CREATE TABLE rollup_outbox (
  tenant_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY (CACHE 64),
  -- Entries of 40 bytes: endpoint, project, and what happened, when, how often (`entries.ts`).
  body bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
-- Ids are nearly incompressible, and trying to compress them costs more than writing them.
ALTER TABLE rollup_outbox ALTER COLUMN body SET STORAGE EXTERNAL;

-- Two histograms as one. Cell 0 is element 0, and an array has the cells from its first used one to
-- its last, so that it is as short as what was measured is narrow; a null between them is a zero.
-- A cell stops at the largest integer instead of failing.
CREATE FUNCTION add_cells(total int[], more int[]) RETURNS int[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF more IS NULL THEN RETURN total; END IF;
  IF total IS NULL THEN RETURN more; END IF;
  FOR cell IN array_lower(more, 1) .. array_upper(more, 1) LOOP
    IF more[cell] IS NOT NULL THEN
      total[cell] := least(coalesce(total[cell], 0)::bigint + more[cell], 2147483647);
    END IF;
  END LOOP;
  RETURN total;
END $$;
CREATE AGGREGATE sum_cells(int[]) (SFUNC = add_cells, STYPE = int[], PARALLEL = SAFE);

-- One table for each grain. `scope_id` is an endpoint's, a project's or the tenant's own id.
CREATE TABLE rollup_minutes (
  tenant_id uuid NOT NULL,
  scope_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  -- Events; of an endpoint: the deliveries that were made for it.
  accepted bigint NOT NULL,
  -- Attempts that succeeded.
  succeeded bigint NOT NULL,
  -- What was delivered without an attempt: acknowledged after a poll, or without any subscriber.
  acknowledged bigint NOT NULL,
  -- What ended dead, by an attempt or without one.
  dead bigint NOT NULL,
  -- Attempts that failed.
  timeout bigint NOT NULL,
  http_4xx bigint NOT NULL,
  http_5xx bigint NOT NULL,
  dns bigint NOT NULL,
  tls bigint NOT NULL,
  refused bigint NOT NULL,
  other bigint NOT NULL,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  -- Attempts by latency (`latency-cells.ts`); null: there were none.
  latency int[],
  PRIMARY KEY (tenant_id, scope_id, bucket)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
CREATE TABLE rollup_hours (LIKE rollup_minutes INCLUDING ALL)
  WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
CREATE TABLE rollup_days (LIKE rollup_minutes INCLUDING ALL)
  WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
-- What is too old is found by these.
CREATE INDEX rollup_minutes_bucket ON rollup_minutes (bucket);
CREATE INDEX rollup_hours_bucket ON rollup_hours (bucket);
CREATE INDEX rollup_days_bucket ON rollup_days (bucket);

-- Tenants by five seconds, for live stats.
CREATE TABLE rollup_moments (
  tenant_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  accepted bigint NOT NULL,
  delivered bigint NOT NULL,
  PRIMARY KEY (tenant_id, bucket)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX rollup_moments_bucket ON rollup_moments (bucket);
