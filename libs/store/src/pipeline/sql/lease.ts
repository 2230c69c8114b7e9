/** The words of a lease in SQL: how long one lasts, and what the rows of `due` stand for. */

/** For this long an announced row is left to whoever received the announcement. */
export const LEASE_MS = 10_000
export const LEASE = `interval '${LEASE_MS} milliseconds'`

/**
 * `due.kind`. A row of the kind `poll` stands for a delivery that a consumer has fetched: its
 * `due_at` is the end of the visibility timeout. 3 is reserved for FIFO lanes.
 */
export const KIND = { event: 0, delivery: 1, backlog: 2, poll: 4 } as const
