/** For how many days a workspace keeps what: as it has set, as it holds, as its plan says. */
import type { EffectiveRetention, Retention, UpdateRetention } from '@posthorn/contracts/compliance'
import type { PlanName, PlanRetention } from '@posthorn/domain/plans'
import { type OwnRetention, planRetention, retentionDays } from '@posthorn/domain/retention'
import type { Handlers } from '@posthorn/http/handlers'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Pool } from '@posthorn/store/pool'
import { inTransaction, type TransactionClient } from '@posthorn/store/transaction'

type RetentionHandlers = Pick<Handlers<'compliance'>, 'getRetention' | 'updateRetention'>

const NOTHING: OwnRetention = { events: null, attempts: null, auditLogs: null, authAudit: null }

export function createRetentionSettings({ pool }: { pool: Pool }): RetentionHandlers {
  return {
    async getRetention({ caller: { tenantId, plan } }) {
      return toRetention(await readOwn(pool, tenantId), plan)
    },

    async updateRetention({ caller: { tenantId, plan }, body, audit }) {
      const changed = await inTransaction(pool, async (client) => {
        const before = await lockOwn(client, tenantId)
        const after = { ...before, ...toOwn(body) }
        await client.query(UPDATE, [tenantId, ...Object.values(inOrder(after))])
        const changes = FIELDS.filter(([, kind]) => before[kind] !== after[kind]).map(
          ([field, kind]) => ({ field, from: before[kind], to: after[kind] }),
        )
        await recordAudit(client, audit, { resourceId: tenantId, changes })
        return after
      })
      return toRetention(changed ?? NOTHING, plan)
    },
  }
}

/** The wire's names and ours. */
const FIELDS = [
  ['eventDays', 'events'],
  ['deliveryAttemptDays', 'attempts'],
  ['auditLogDays', 'auditLogs'],
  ['authAuditDays', 'authAudit'],
] as const

const COLUMNS = `event_retention_days AS events, delivery_attempt_retention_days AS attempts,
  audit_log_retention_days AS "auditLogs", auth_audit_retention_days AS "authAudit"`

async function readOwn(client: TransactionClient, tenantId: string): Promise<OwnRetention> {
  const { rows } = await client.query<OwnRetention>(
    `SELECT ${COLUMNS} FROM retention_settings WHERE tenant_id = $1`,
    [tenantId],
  )
  return rows[0] ?? NOTHING
}

/** Makes the row where there is none: whoever changes it at the same time waits. */
async function lockOwn(client: TransactionClient, tenantId: string): Promise<OwnRetention> {
  const { rows } = await client.query<OwnRetention>(
    `INSERT INTO retention_settings (tenant_id) VALUES ($1)
     ON CONFLICT (tenant_id) DO UPDATE SET updated_at = now() RETURNING ${COLUMNS}`,
    [tenantId],
  )
  return rows[0] ?? NOTHING
}

const UPDATE = `UPDATE retention_settings SET event_retention_days = $2,
  delivery_attempt_retention_days = $3, audit_log_retention_days = $4,
  auth_audit_retention_days = $5, updated_at = now() WHERE tenant_id = $1`

function inOrder({ events, attempts, auditLogs, authAudit }: OwnRetention): OwnRetention {
  return { events, attempts, auditLogs, authAudit }
}

/** What the body does not name stays as it is. */
function toOwn(body: UpdateRetention): Partial<OwnRetention> {
  const given = FIELDS.filter(([field]) => body[field] !== undefined)
  return Object.fromEntries(given.map(([field, kind]) => [kind, body[field]]))
}

function toRetention(own: OwnRetention, plan: PlanName): Retention {
  return {
    ...toDays(own),
    effective: toDays(retentionDays(plan, own)),
    planDefaults: toDays(planRetention(plan)),
  }
}

function toDays(own: PlanRetention): EffectiveRetention
function toDays(own: OwnRetention): Pick<Retention, keyof EffectiveRetention>
function toDays({ events, attempts, auditLogs, authAudit }: OwnRetention) {
  return {
    eventDays: events,
    deliveryAttemptDays: attempts,
    auditLogDays: auditLogs,
    authAuditDays: authAudit,
  }
}
