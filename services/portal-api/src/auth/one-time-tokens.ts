/**
 * Tokens that are good for one use: links in mails, logins that wait for a second factor,
 * challenges. Using one deletes it in one statement, so of two at once one finds it.
 */
import { hashSecretToken, hasSecretTokenForm, newSecretToken } from '@posthorn/domain/secret-token'
import type { Database, Transaction } from '@posthorn/store/prisma'

export type TokenPurpose =
  | 'verify_email'
  | 'reset_password'
  /** A login whose password was right and whose second factor is awaited. */
  | 'mfa_login'
  /** The link that `npm start` prints. */
  | 'sign_in_link'
  | 'passkey_registration'
  | 'passkey_login'

export interface OneTimeToken {
  userId: string | null
  tenantId: string | null
  data: Record<string, unknown>
}

export interface NewToken {
  purpose: TokenPurpose
  userId?: string
  tenantId?: string
  data?: Record<string, string>
  lifetimeMs: number
}

/** @param now epoch ms. @returns the token, which is stored nowhere */
export async function issueToken(
  transaction: Pick<Transaction, 'oneTimeToken'>,
  { purpose, userId, tenantId, data = {}, lifetimeMs }: NewToken,
  now: number,
): Promise<string> {
  const token = newSecretToken()
  await transaction.oneTimeToken.create({
    data: {
      tokenHash: hashSecretToken(token),
      purpose,
      userId: userId ?? null,
      tenantId: tenantId ?? null,
      data,
      expiresAt: new Date(now + lifetimeMs),
    },
  })
  return token
}

/** @returns null: unknown, used, too old, or of another purpose */
export async function takeToken(
  transaction: Pick<Transaction, '$queryRaw'> | Pick<Database, '$queryRaw'>,
  purpose: TokenPurpose,
  token: string,
): Promise<OneTimeToken | null> {
  if (!hasSecretTokenForm(token)) return null
  const rows = await transaction.$queryRaw<OneTimeToken[]>`
    DELETE FROM one_time_tokens
    WHERE token_hash = ${hashSecretToken(token)} AND purpose = ${purpose} AND expires_at > now()
    RETURNING user_id AS "userId", tenant_id AS "tenantId", data`
  return rows[0] ?? null
}
