/**
 * The table in the application's own database that events wait in. A row is written in the
 * application's transaction, so it is there exactly when the transaction was committed; the relay
 * deletes it once the API has accepted the event.
 */

export const DEFAULT_TABLE = 'posthorn_outbox'

/** Lower case needs no quotes; with a schema or without. */
const TABLE = /^[a-z_][a-z0-9_]{0,62}(\.[a-z_][a-z0-9_]{0,62})?$/

/** Throws a TypeError for a name that would have to be quoted. */
export function checkedTable(table: string): string {
  if (!TABLE.test(table))
    throw new TypeError(
      `"${table}" cannot be the outbox: lower-case letters, digits and _, with a schema or without`,
    )
  return table
}

/** Wakes the relays of a table: `NOTIFY` takes a name of 63 bytes at most. */
export function channelOf(table: string): string {
  return table.replace('.', '_').slice(-63)
}

/**
 * SQL for a migration of the application: the table and its indexes, which may exist already. The
 * table is small and changes much, so it is vacuumed by the number of dead rows, not by its size.
 */
export function createOutboxTable(table: string = DEFAULT_TABLE): string {
  const name = checkedTable(table)
  const index = channelOf(table).slice(0, 56)
  return `CREATE TABLE IF NOT EXISTS ${name} (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  idempotency_key text NOT NULL,
  ordering_key text COLLATE "C",
  scope text NOT NULL,
  event text NOT NULL,
  published_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  attempts integer NOT NULL DEFAULT 0,
  first_sent_at timestamptz,
  rejected_at timestamptz,
  rejection text
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE UNIQUE INDEX IF NOT EXISTS ${index}_key ON ${name} (idempotency_key)
  WHERE rejected_at IS NULL;
CREATE INDEX IF NOT EXISTS ${index}_due ON ${name} (due_at)
  WHERE rejected_at IS NULL AND ordering_key IS NULL;
CREATE INDEX IF NOT EXISTS ${index}_order ON ${name} (ordering_key, id)
  WHERE rejected_at IS NULL AND ordering_key IS NOT NULL;
`
}
