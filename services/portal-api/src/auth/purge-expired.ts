/**
 * Removes what has expired: sessions, those of sub-accounts a week later, tokens, sign-ins that
 * nobody finished, assertions that can't be sent again. Nothing expired is ever taken, so this only
 * saves space; every instance does it.
 */
import { createTicker, type Ticker } from '@posthorn/async/ticker'
import type { Log } from '@posthorn/runtime/log'
import type { Pool } from '@posthorn/store/pool'

const TABLES = {
  user_sessions: 'token_hash',
  one_time_tokens: 'token_hash',
  sso_flows: 'state_hash',
  saml_assertions: '(connection_id, assertion_id)',
  sub_account_sessions: '(tenant_id, id)',
} as const

/** When a row is of no use any more. The sessions of sub-accounts are listed for a week. */
const OVER: Partial<Record<keyof typeof TABLES, { column: string; since: string }>> = {
  sub_account_sessions: { column: 'max_expires_at', since: "now() - interval '7 days'" },
}

/** Some 50 ms of the store's work at once. */
const MAX_AT_ONCE = 5_000
const ROUND_MS = 10 * 60_000

/** @returns true: there is more to remove */
export async function purgeExpired(pool: Pool): Promise<boolean> {
  let isMore = false
  for (const [table, key] of Object.entries(TABLES)) {
    const { column, since } = OVER[table as keyof typeof TABLES] ?? {
      column: 'expires_at',
      since: 'now()',
    }
    const { rowCount } = await pool.query(
      `DELETE FROM ${table} WHERE ${key} IN (
        SELECT ${key.replaceAll(/[()]/g, '')} FROM ${table} WHERE ${column} < ${since}
        ORDER BY ${column} LIMIT ${MAX_AT_ONCE}
      )`,
    )
    isMore ||= rowCount === MAX_AT_ONCE
  }
  return isMore
}

export function createPurgeTicker({ pool, log }: { pool: Pool; log: Pick<Log, 'warn'> }): Ticker {
  const onError = (error: unknown): void => log.warn('expired.not-purged', { error })
  return createTicker({ name: 'expired', everyMs: ROUND_MS, onError }, () => purgeExpired(pool))
}
