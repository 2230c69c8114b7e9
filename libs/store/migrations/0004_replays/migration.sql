-- Bulk replays: jobs that are worked off in batches by whoever holds `lease_until`.
CREATE TABLE replays (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  -- Deliveries in these states, of events with ids after `after_event_id` and before `until_event_id`.
  states smallint[] NOT NULL,
  after_event_id uuid NOT NULL,
  until_event_id uuid NOT NULL,
  -- Estimated when the job is made, exact when it has ended.
  total integer NOT NULL,
  done integer NOT NULL DEFAULT 0,
  -- What may be taken over by another process from then on. null: it has ended.
  lease_until timestamptz DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX replays_lease ON replays (lease_until) WHERE lease_until IS NOT NULL;
