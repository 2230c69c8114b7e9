/**
 * The outbox of mails. Whoever changes something that somebody must hear of writes the mail in the
 * transaction of the change. A row waits while it has a `due_at`; taking it moves `due_at` on by a
 * lease, so that a mail whose sender was killed becomes due again by itself.
 *
 * A mail's data can hold a link that is as good as a password. It is deleted when the mail is done.
 */
import { anyRow } from './any-row.ts'
import type { Pool } from './pool.ts'

export interface WaitingMail {
  id: string
  tenantId: string | null
  to: string
  kind: string
  data: Record<string, string>
  /** How often it was taken, this time included. */
  attempt: number
}

/** Sends one statement of the transaction that makes the change. */
type Run = (text: string, values: readonly unknown[]) => Promise<unknown>

/** Many more administrators than a workspace has; whoever has more hears of it through some. */
const MAX_ADMINS = 50

/**
 * Writes a mail to each administrator of a workspace, or, of a sub-account, of its parent. Only
 * addresses that were confirmed: any other may be a stranger's.
 *
 * @param data what the kind's text needs; the workspace's name comes from its row
 */
export async function mailAdmins(
  run: Run,
  tenantId: string,
  kind: string,
  data: Readonly<Record<string, string>>,
): Promise<void> {
  await run(MAIL_ADMINS, [tenantId, kind, JSON.stringify(data)])
}

const MAIL_ADMINS = `INSERT INTO mails (id, tenant_id, recipient, kind, data)
SELECT gen_random_uuid(), w.id, u.email, $2, $3::jsonb || jsonb_build_object('workspace', w.name)
FROM tenants t JOIN tenants w ON w.id = COALESCE(t.parent_id, t.id)
JOIN memberships m ON m.tenant_id = w.id JOIN users u ON u.id = m.user_id
WHERE t.id = $1 AND m.role = 'admin' AND m.status = 'active' AND u.email_verified_at IS NOT NULL
ORDER BY u.id LIMIT ${MAX_ADMINS}`

/** Twice what sending one mail may take. */
const LEASE = `interval '2 minutes'`
/** How long a row tells what became of its mail, and how long one may wait at all. */
const KEPT = `interval '7 days'`
const PURGED_AT_ONCE = 1_000

/** Mails that are due, those first that have waited longest. */
export async function takeMails(pool: Pool, limit: number): Promise<WaitingMail[]> {
  const isAny = await anyRow(pool, {
    name: 'any-due-mail',
    text: 'SELECT true FROM mails WHERE due_at <= now() LIMIT 1',
  })
  if (!isAny) return []
  const { rows } = await pool.query<WaitingMail>({
    name: 'take-mails',
    text: `UPDATE mails m SET due_at = now() + ${LEASE}, attempts = attempts + 1
      FROM (
        SELECT id FROM mails WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
      ) due
      WHERE m.id = due.id
      RETURNING m.id, m.tenant_id AS "tenantId", m.recipient AS "to", m.kind, m.data,
        m.attempts AS attempt`,
    values: [limit],
  })
  return rows
}

type Taken = Pick<WaitingMail, 'id' | 'attempt'>

/**
 * A mail is done, and its data gone. Only whoever still has the lease may say so, as the count of
 * attempts tells.
 *
 * @param reason why it was given up; null: it was sent
 */
export async function finishMail(
  pool: Pool,
  { id, attempt }: Taken,
  reason: string | null,
): Promise<void> {
  await pool.query({
    name: 'finish-mail',
    text: `UPDATE mails SET due_at = NULL, data = '{}', last_error = $3,
        sent_at = CASE WHEN $3::text IS NULL THEN now() END
      WHERE id = $1 AND attempts = $2 AND due_at IS NOT NULL`,
    values: [id, attempt, reason],
  })
}

export async function retryMail(
  pool: Pool,
  { id, attempt }: Taken,
  delayMs: number,
  error: string,
): Promise<void> {
  await pool.query({
    name: 'retry-mail',
    text: `UPDATE mails SET due_at = now() + $3 * interval '1 millisecond', last_error = $4
      WHERE id = $1 AND attempts = $2 AND due_at IS NOT NULL`,
    values: [id, attempt, delayMs, error],
  })
}

/** Removes rows that are old, whatever became of them. */
export async function purgeMails(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'purge-mails',
    text: `DELETE FROM mails WHERE id IN (
        SELECT id FROM mails WHERE created_at < now() - ${KEPT} LIMIT ${PURGED_AT_ONCE}
      )`,
  })
  return rowCount ?? 0
}
