/**
 * Creates, changes, enables, disables and deletes alert rules, each in one transaction. Whoever
 * changes a rule that fires ends its episode: what was told of it is told to be over, by the rule
 * as it was, and it starts anew in `ok`.
 */
import type { CreateAlertRule } from '@posthorn/contracts/alerting'
import { ApiError } from '@posthorn/contracts/errors'
import { parseCondition } from '@posthorn/domain/alert-condition'
import { resolve } from '@posthorn/domain/evaluate-rule'
import { newId } from '@posthorn/domain/ids'
import { badField } from '@posthorn/http/errors'
import type { ApiRequest, Handlers } from '@posthorn/http/handlers'
import { enqueueAlerts } from '@posthorn/store/alerting/evaluations'
import type { AlertRuleRow, RuleSettings } from '@posthorn/store/alerting/rule-row'
import {
  countRules,
  deleteRule,
  insertRule,
  lockRule,
  rewriteRule,
} from '@posthorn/store/alerting/rules'
import { changesOf } from '@posthorn/store/audit/changes-of'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Pool } from '@posthorn/store/pool'
import { withRetries } from '@posthorn/store/repeat'
import { inTransaction, type TransactionClient } from '@posthorn/store/transaction'
import { isGoneParent, notFound } from '../refusals.ts'
import { toAlertRule } from './rule-record.ts'
import {
  changedSettings,
  checkReferences,
  newSettings,
  type RuleSettingsDeps,
} from './rule-settings.ts'

export interface SaveRuleDeps extends RuleSettingsDeps {
  pool: Pool
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

type SaveHandlers = Pick<
  Handlers<'alerting'>,
  | 'createAlertRule'
  | 'createAlertRuleFromText'
  | 'updateAlertRule'
  | 'enableAlertRule'
  | 'disableAlertRule'
  | 'deleteAlertRule'
>
type Asked = Pick<ApiRequest<unknown, unknown>, 'caller' | 'params' | 'audit'>

export const MAX_RULES = 200

export function createSaveRule(deps: SaveRuleDeps): SaveHandlers {
  const { pool, seal } = deps

  async function create({ caller, audit }: Asked, body: CreateAlertRule) {
    const { tenantId, projectId } = caller
    const key = { tenantId, id: newId() }
    const settings = newSettings(deps, key, projectId, body)
    const row = await transact(pool, async (client) => {
      await checkReferences(client, caller, settings)
      const created = await insertRule(client, key, settings)
      await checkCount(client, tenantId)
      const changes = changesOf(null, toAlertRule(created, seal))
      await recordAudit(client, audit, { resourceId: created.id, changes })
      return created
    })
    return toAlertRule(row, seal)
  }

  /** @param settingsOf null: nothing is to be changed */
  async function change(
    { caller, params, audit }: Asked,
    settingsOf: (former: AlertRuleRow) => RuleSettings | null,
  ) {
    const row = await transact(pool, async (client) => {
      const former = await lockRule(client, caller, params['id'] ?? '')
      if (former === null) throw notFound('alert rule')
      const settings = settingsOf(former)
      if (settings !== null) await checkReferences(client, caller, settings)
      if (settings !== null) await closeEpisode(client, former, deps.now())
      const changed = settings === null ? former : await rewriteRule(client, former, settings)
      const changes = changesOf(toAlertRule(former, seal), toAlertRule(changed, seal))
      await recordAudit(client, audit, { resourceId: former.id, changes })
      return changed
    })
    return toAlertRule(row, seal)
  }

  return {
    createAlertRule: (request) => create(request, request.body),
    createAlertRuleFromText: (request) => {
      const parsed = parseCondition(request.body.condition)
      if (parsed.outcome === 'invalid') {
        throw badField('condition', `${parsed.message} (at column ${parsed.column})`)
      }
      return create(request, { ...request.body, condition: parsed.condition })
    },
    updateAlertRule: (request) =>
      change(request, (former) => changedSettings(deps, former, request.body)),
    enableAlertRule: (request) =>
      change(request, (former) => (former.enabled ? null : { ...former, enabled: true })),
    disableAlertRule: (request) =>
      change(request, (former) => (former.enabled ? { ...former, enabled: false } : null)),
    async deleteAlertRule({ caller, params, audit }) {
      await transact(pool, async (client) => {
        const former = await lockRule(client, caller, params['id'] ?? '')
        if (former === null) throw notFound('alert rule')
        await closeEpisode(client, former, deps.now())
        await deleteRule(client, former)
        const changes = changesOf(toAlertRule(former, seal), null)
        await recordAudit(client, audit, { resourceId: former.id, changes })
        return former
      })
      return undefined
    },
  }
}

/** Written before the rule is: it goes by the rule as it stands. */
async function closeEpisode(
  client: TransactionClient,
  rule: AlertRuleRow,
  now: number,
): Promise<void> {
  const before = { ...rule, notifiedAt: rule.notifiedAt?.getTime() ?? null }
  const { notification, episode } = resolve(before)
  if (notification === null) return
  await enqueueAlerts(client, [{ rule, ...notification, episode, value: null }], now)
}

async function checkCount(client: TransactionClient, tenantId: string): Promise<void> {
  if ((await countRules(client, tenantId)) <= MAX_RULES) return
  throw new ApiError('INVALID_STATE', `a workspace has at most ${MAX_RULES} alert rules`, {
    details: { limit: MAX_RULES },
  })
}

async function transact<Result>(
  pool: Pool,
  work: (client: TransactionClient) => Promise<Result>,
): Promise<Result> {
  try {
    return (await withRetries(() => inTransaction(pool, work))) as Result
  } catch (error) {
    throw isGoneParent(error) ? notFound('project') : error
  }
}
