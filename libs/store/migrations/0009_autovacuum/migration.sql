-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';
-- When autovacuum comes. By its defaults a table that is new, or small and busy, is vacuumed and analysed with every round,
-- here each 15 s: measured, 0.04 to 0.13 s of processor per 1,000 events, next to 0.10 to 0.12 of all statements together.
-- Rows of a day lose their dead versions with the next update of their page (HOT), and no plan rests on statistics.
-- Partitions made later get the same: src/partitions.ts.
DO $$
DECLARE partition regclass;
BEGIN
  FOR partition IN SELECT inhrelid::regclass FROM pg_inherits
    WHERE inhparent IN ('events'::regclass, 'deliveries'::regclass, 'attempts'::regclass)
  LOOP
    EXECUTE format('ALTER TABLE %s SET (autovacuum_vacuum_threshold = 50000, '
      'autovacuum_vacuum_insert_threshold = 100000, autovacuum_analyze_threshold = 50000)', partition);
  END LOOP;
END $$;
ALTER TABLE idempotency_keys SET (autovacuum_vacuum_insert_threshold = 100000, autovacuum_analyze_threshold = 100000);
-- Hot queues: only what was deleted counts, for that is what bloats them; what they hold at one moment says nothing of the next.
ALTER TABLE due SET (autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_threshold = 500000);
ALTER TABLE parked SET (
  autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_threshold = 100000);
ALTER TABLE lanes SET (
  autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_threshold = 100000);
ALTER TABLE lane_waiting SET (
  autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_threshold = 100000);
