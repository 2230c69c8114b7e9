-- A day that retention is about to take out takes no row any more, as if its partition had gone.
-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';

-- The trigger `closed` of a partition calls it (`drop-partitions.ts`). The code is the one that
-- Postgres gives where there is no partition for a row.
CREATE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'check_violation',
    MESSAGE = format('%s takes no row any more: its day is being removed', TG_TABLE_NAME);
END $$;
