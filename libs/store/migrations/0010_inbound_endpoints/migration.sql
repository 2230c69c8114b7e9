-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';
-- Receivers of platforms' webhooks. One row each and few of them: kept whole, and found by path over all tenants.
CREATE TABLE inbound_endpoints (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  path_suffix text NOT NULL,
  name text NOT NULL,
  description text,
  source text NOT NULL,
  -- The whole of sourceConfig in JSON, sealed: which of its keys are secret depends on the preset.
  credentials text NOT NULL,
  -- None: the event goes to whoever subscribes to its type.
  destination_ids uuid[] NOT NULL DEFAULT '{}',
  event_type_mapping text,
  transformation text,
  status text NOT NULL CHECK (status IN ('active', 'inactive')),
  received_count bigint NOT NULL DEFAULT 0,
  rejected_count bigint NOT NULL DEFAULT 0,
  last_received_at timestamptz,
  last_rejected_at timestamptz,
  last_rejection_reason text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id)
-- The counts change every second while a platform sends: in place, without touching the indexes.
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX inbound_endpoints_path ON inbound_endpoints (path_suffix);

-- An event for these endpoints alone, whatever they subscribe to.
ALTER TABLE events ADD COLUMN endpoint_ids uuid[];
