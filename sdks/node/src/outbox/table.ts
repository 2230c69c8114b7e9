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

/** The longest name that Postgres keeps whole. */
const MAX_NAME = 63
/** Of the names of its indexes. */
const LONGEST_ENDING = '_order'

/** Wakes the relays of a table. */
export function channelOf(table: string): string {
  return table.includes('.') ? hashed(table, MAX_NAME) : table
}

/** An index is in its table's schema, so that this need not be in its name. */
function indexNameOf(table: string): string {
  const name = table.split('.').at(-1) as string
  const fits = MAX_NAME - LONGEST_ENDING.length
  return name.length > fits ? hashed(name, fits) : name
}

/** Begins as the name does, so that it is valid too, and differs where the whole names differ. */
function hashed(name: string, maxLength: number): string {
  const ending = `_${fnv1a(name).toString(16).padStart(8, '0')}`
  return name.replace('.', '_').slice(0, maxLength - ending.length) + ending
}

/** FNV-1a in 32 bits: an application has a few outboxes, and knows their names itself. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text)
    hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193) >>> 0
  return hash
}

/**
 * SQL for a migration of the application: the table and its indexes, which may exist already. The
 * table is small and changes much, so it is vacuumed by the number of dead rows, not by its size.
 */
export function createOutboxTable(table: string = DEFAULT_TABLE): string {
  const name = checkedTable(table)
  const index = indexNameOf(table)
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
