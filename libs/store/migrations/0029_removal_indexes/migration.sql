-- What a workspace has of mails and of one-time tokens is found by its id. The removal of each
-- row of `tenants` asks for it, and read all of everybody's.
-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';

CREATE INDEX mails_tenant ON mails (tenant_id) WHERE tenant_id IS NOT NULL;
CREATE INDEX one_time_tokens_tenant ON one_time_tokens (tenant_id) WHERE tenant_id IS NOT NULL;
