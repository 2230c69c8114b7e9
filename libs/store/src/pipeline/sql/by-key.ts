/**
 * Joins that look a row up by its key, for each row of the other side, whatever the planner
 * believes of the table.
 *
 * A queue is often empty, and a plan that is made then is kept while it fills. With `a = b` the
 * planner may as well read the whole index of the table and compare each of its rows with each of
 * the other side: both cost the same for one row, and a vacuumed table without any is taken to have
 * one. Measured on a backlog of 100,000 that came after a quiet minute: 200 results took 4 to 35 s
 * to record instead of 10 ms, until the next vacuum. With `= ANY (ARRAY[…])` the planner knows no
 * order that such a scan would be good for, and has only the look-up. It costs 0.5 µs a row.
 *
 * A statement without a name needs none of this: it is planned each time that it runs. The table
 * must have no condition of its own that an index can use, `tenant_id = $1` included: the values of
 * the whole key come from the other side.
 */

/** @param key each column of the key of `row`, and the value that it must have */
export function byKey(row: string, key: Readonly<Record<string, string>>): string {
  return Object.entries(key)
    .map(([column, value]) => `${row}.${column} = ANY (ARRAY[${value}])`)
    .join(' AND ')
}

/** The row of `due` for a row with `tenant_id` and `id`. */
export function dueBy(row: string): string {
  return byKey('due', { tenant_id: `${row}.tenant_id`, id: `${row}.id` })
}

/**
 * That a row of `due` still has a token. `+ interval '0'` keeps the planner from joining through
 * the index on `due_at`.
 */
export function hasToken(token: string): string {
  return `due.due_at + interval '0' = from_micros(${token})`
}
