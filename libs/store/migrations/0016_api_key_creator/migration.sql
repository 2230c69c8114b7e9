-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';
-- Who made the key: `api-key:<id>`, as with the versions of endpoints. Null: made before this was written down, or with
-- its workspace.
ALTER TABLE api_keys ADD COLUMN created_by text;
