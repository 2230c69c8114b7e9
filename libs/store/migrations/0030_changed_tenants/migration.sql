-- Services ask every second which tenants have changed (`changed-tenants.ts`). A transaction's
-- number tells those of the last second exactly, however long the transaction took; a time would
-- not. The trigger serves instances of the version before, too.
-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';

ALTER TABLE tenants ADD COLUMN changed_in bigint NOT NULL DEFAULT 0;

CREATE FUNCTION note_change_of_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_in := pg_current_xact_id()::text::bigint;
  RETURN NEW;
END
$$;

CREATE TRIGGER note_change BEFORE UPDATE OF config_version, status ON tenants
  FOR EACH ROW EXECUTE FUNCTION note_change_of_tenant();

CREATE INDEX tenants_changed_in ON tenants (changed_in);
