-- What was changed, by whom, and from where: a row for each change, written in its transaction.
-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';

-- Partitions are made by a service's start, one a day: libs/store/src/partitions.ts.
CREATE TABLE audit_logs (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  -- `<resource>.<verb>`; `resource` is kept besides it, so that a list of one resource is a range
  -- of an index.
  action text NOT NULL,
  resource text NOT NULL,
  resource_id text,
  actor_type text NOT NULL CHECK (actor_type IN ('user', 'api_key', 'sub_account', 'system')),
  actor_id uuid,
  actor_name text,
  -- The person: themselves, or who made the API key.
  actor_user_id uuid,
  metadata jsonb NOT NULL DEFAULT '{}',
  ip text,
  user_agent text,
  request_id text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX audit_logs_resource ON audit_logs (tenant_id, resource, id);
CREATE INDEX audit_logs_action ON audit_logs (tenant_id, action, id);
CREATE INDEX audit_logs_actor ON audit_logs (tenant_id, actor_id, id);
CREATE INDEX audit_logs_actor_user ON audit_logs (tenant_id, actor_user_id, id);

-- Filters of the list of sign-ins. Partitions that exist get the indexes too.
CREATE INDEX auth_audit_logs_event ON auth_audit_logs (tenant_id, event, id);
CREATE INDEX auth_audit_logs_subject ON auth_audit_logs (tenant_id, subject, id);

-- The person behind an API key: its maker, or the one behind the key that made it.
ALTER TABLE api_keys ADD COLUMN created_by_user uuid;
UPDATE api_keys SET created_by_user = substr(created_by, 6)::uuid WHERE created_by LIKE 'user:%';
