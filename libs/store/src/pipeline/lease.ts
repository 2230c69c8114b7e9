/** For how long an announced row is left to whoever received the announcement. */
export const LEASE_MS = 10_000
export const LEASE = `interval '${LEASE_MS} milliseconds'`

/** `due.kind`; 3 is FIFO lanes' own. `poll`: fetched by a consumer, and `due_at` is the end of its visibility. */
export const KIND = { event: 0, delivery: 1, backlog: 2, poll: 4 } as const
