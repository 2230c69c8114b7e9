/**
 * Sign-ins that are under way at an identity provider. The state that travels with the browser is
 * only the key of a row; a cookie binds the row to the browser that began, and the row is gone with
 * its first use. So nobody can end in their own browser what another began, nor a second time.
 */
import { hashSecretToken, hasSecretTokenForm, newSecretToken } from '@posthorn/domain/secret-token'
import type { Database } from '@posthorn/store/prisma'

export const FLOW_MS = 10 * 60_000

export interface BegunFlow {
  /** OAuth's `state`, SAML's `RelayState`. */
  state: string
  /** The value of the cookie. */
  browser: string
}

export function newFlow(): BegunFlow {
  return { state: newSecretToken(), browser: newSecretToken() }
}

/** @param now epoch ms */
export async function keepFlow(
  database: Pick<Database, '$executeRaw'>,
  flow: BegunFlow & { connection: string; data: Record<string, string> },
  now: number,
): Promise<void> {
  await database.$executeRaw`
    INSERT INTO sso_flows (state_hash, connection, browser_hash, data, expires_at)
    VALUES (${hashSecretToken(flow.state)}, ${flow.connection}, ${hashSecretToken(flow.browser)},
      ${JSON.stringify(flow.data)}::jsonb, ${new Date(now + FLOW_MS)})`
}

/** @returns null: unknown, used, too old, another browser's or another connection's */
export async function takeFlow(
  database: Pick<Database, '$queryRaw'>,
  { state, browser, connection }: Partial<BegunFlow> & { connection: string },
): Promise<Record<string, string> | null> {
  if (state === undefined || browser === undefined) return null
  if (!hasSecretTokenForm(state) || !hasSecretTokenForm(browser)) return null
  const rows = await database.$queryRaw<{ data: Record<string, string> }[]>`
    DELETE FROM sso_flows WHERE state_hash = ${hashSecretToken(state)}
      AND browser_hash = ${hashSecretToken(browser)} AND connection = ${connection}
      AND expires_at > now()
    RETURNING data`
  return rows[0]?.data ?? null
}
