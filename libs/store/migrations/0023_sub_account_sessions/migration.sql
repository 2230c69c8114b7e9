-- Sessions of sub-accounts in the portal: each is minted as a link that opens once.
-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';

CREATE TABLE sub_account_sessions (
  -- The sub-account.
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  scopes text[] NOT NULL,
  -- As it was when the session was minted.
  return_url text NOT NULL,
  -- Who minted it: a user or an API key of the parent.
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  -- Use moves `expires_at` forward, but not beyond this.
  max_expires_at timestamptz NOT NULL,
  consumed_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  use_count bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id)
) WITH (fillfactor = 80);
-- Those that a deactivation or a revocation of all ends, and that count against the limit.
CREATE INDEX sub_account_sessions_live ON sub_account_sessions (tenant_id, max_expires_at)
  WHERE revoked_at IS NULL;
-- Those that are removed.
CREATE INDEX sub_account_sessions_over ON sub_account_sessions (max_expires_at);
