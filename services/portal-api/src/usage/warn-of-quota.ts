/**
 * Mails a workspace's admins when 80 % and when all of the month's quota is used, once a month
 * each. The warning is a row, written in the transaction of its mails: among several processes one
 * sends them.
 */
import { createTicker, type Ticker } from '@posthorn/async/ticker'
import { type PlanName, planNamed, PLANS } from '@posthorn/domain/plans'
import { monthOf, startOfMonth } from '@posthorn/domain/usage-period'
import type { Pool } from '@posthorn/store/pool'
import type { Database } from '@posthorn/store/prisma'
import { type MonthOfTenant, readActiveMonths } from '@posthorn/store/usage/find-near-quota'
import { enqueueMail } from '../mail/enqueue-mail.ts'

export interface WarnOfQuotaDeps {
  pool: Pool
  database: Pick<Database, '$transaction'>
  /** Postgres's time in ms. */
  now(): number
}

/** In percent of the quota. */
export const WARNED_AT = [80, 100] as const
const HOUR_MS = 3_600_000

/** A mail is late by no more than this and the worker's time. */
const WARN_MS = 5_000

export function createQuotaTicker(
  config: { defaultPlan: PlanName },
  {
    clock,
    log,
    ...deps
  }: Omit<WarnOfQuotaDeps, 'now'> & {
    clock: { now(): number }
    log: { warn(name: string, fields: Record<string, unknown>): void }
  },
): Ticker {
  return createTicker(
    {
      name: 'quota-warnings',
      everyMs: WARN_MS,
      onError: (error) => log.warn('portal.quota-warnings-failed', { error }),
    },
    createWarnOfQuota(config, { ...deps, now: clock.now }),
  )
}

/** A round that fails is made up for within the hour. */
export function createWarnOfQuota(
  { defaultPlan }: { defaultPlan: PlanName },
  { pool, database, now }: WarnOfQuotaDeps,
): () => Promise<void> {
  return async () => {
    const month = monthOf(now())
    for (const tenant of await readActiveMonths(pool, month, HOUR_MS)) {
      const plan = planNamed(tenant.plan, defaultPlan)
      for (const percent of percentsToWarnOf(tenant, PLANS[plan].limits.eventsPerMonth))
        await warn(database, tenant, { plan, month, percent })
    }
  }
}

/** @param limit events a month; 0: no limit */
export function percentsToWarnOf(
  { used, warned }: Pick<MonthOfTenant, 'used' | 'warned'>,
  limit: number,
): number[] {
  if (limit === 0) return []
  return WARNED_AT.filter((percent) => used * 100 >= percent * limit && !warned.includes(percent))
}

async function warn(
  database: Pick<Database, '$transaction'>,
  { tenantId, used }: MonthOfTenant,
  { plan, month, percent }: { plan: PlanName; month: number; percent: number },
): Promise<void> {
  await database.$transaction(async (transaction) => {
    const written = await transaction.$executeRaw`
      INSERT INTO quota_warnings (tenant_id, month, percent)
      VALUES (${tenantId}::uuid, ${startOfMonth(month)}::date, ${percent}) ON CONFLICT DO NOTHING`
    if (written === 0) return
    const admins = await transaction.$queryRaw<{ email: string; workspace: string }[]>`
      SELECT u.email, t.name AS workspace
      FROM memberships m JOIN users u ON u.id = m.user_id JOIN tenants t ON t.id = m.tenant_id
      WHERE m.tenant_id = ${tenantId}::uuid AND m.role = 'admin' AND m.status = 'active'`
    for (const { email, workspace } of admins) {
      const data = {
        workspace,
        plan,
        percent: String(percent),
        used: String(used),
        limit: String(PLANS[plan].limits.eventsPerMonth),
        resetsAt: startOfMonth(month + 1).toISOString(),
        link: '/dashboard/billing',
      }
      await enqueueMail(transaction, { to: email, tenantId, kind: 'quota_warning', data })
    }
  })
}
