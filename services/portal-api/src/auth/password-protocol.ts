/** What crosses to the threads that hash passwords. */

/** OWASP's recommendation for argon2id: 19 MiB, 2 passes, 1 lane. `Algorithm.Argon2id` is 2. */
export const PARAMETERS = {
  algorithm: 2,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
  outputLen: 32,
}

/**
 * A ninth of the weight of the event loop, where both want a processor. Beside 20 hashes a second
 * on two busy processors the loop's p99 went from 8 to 28 ms late with hashes on libuv's threads to
 * 5 to 8 ms, and the hashes' p50 stayed at 30 to 50 ms.
 */
export const LOW_PRIORITY = 10

export type PasswordTask =
  | { kind: 'hash'; password: string }
  | { kind: 'verify'; stored: string; password: string }
