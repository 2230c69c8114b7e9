-- Sub-accounts: tenants with a parent, as the parent's customers are known to it.
-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';

ALTER TABLE tenants
  -- How the parent calls the sub-account; null: the tenant has no parent.
  ADD COLUMN external_id text,
  ADD COLUMN email text,
  ADD COLUMN metadata jsonb,
  ADD COLUMN status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deactivated')),
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now();
CREATE UNIQUE INDEX tenants_external_id ON tenants (parent_id, external_id)
  WHERE parent_id IS NOT NULL;
-- The list, newest first, of one status or of both.
CREATE INDEX tenants_parent ON tenants (parent_id, id) WHERE parent_id IS NOT NULL;
-- A search by how a name or an external id begins.
CREATE INDEX tenants_parent_name ON tenants (parent_id, lower(name) text_pattern_ops)
  WHERE parent_id IS NOT NULL;
CREATE INDEX tenants_parent_external ON tenants (parent_id, lower(external_id) text_pattern_ops)
  WHERE parent_id IS NOT NULL;

CREATE TABLE sub_account_settings (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
  default_return_url text,
  -- What the portal of the sub-accounts looks like.
  theme jsonb,
  updated_at timestamptz NOT NULL DEFAULT now()
);
