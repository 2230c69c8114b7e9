/**
 * What an import prints and counts: steps of its plan, what is skipped and why, and what the
 * installation refused. Values of secrets, headers and URLs are in none of it.
 */
import type { PosthornApiError } from '../../../sdks/node/src/posthorn-node.ts'
import { planLines, planRecord, type PlanStep } from '../apply/make-plan.ts'
import type { Output } from '../output.ts'
import type { AccountPlan } from './accounts.ts'
import type { SkippedItem } from './records.ts'

export interface ImportCounts {
  created: number
  changed: number
  kept: number
  skipped: number
  /** The installation did not take them. */
  failed: number
}

export interface ImportReport {
  counts: ImportCounts
  /** @param account where it goes; null: to the workspace */
  show(step: ShownStep, account: string | null, notes: readonly string[]): void
  skip(item: SkippedItem, account: string | null): void
  refused(step: ShownStep, error: PosthornApiError): void
  done(step: ShownStep): void
}

/** A step as it is printed. */
export interface ShownStep {
  action: 'create' | 'update' | 'keep'
  noun: string
  key: string
  record: object
  lines: string[]
}

const COUNTED = { create: 'created', update: 'changed', keep: 'kept' } as const

/** @param isShown whether the plan is printed; what is refused is in any case */
export function createReport(isShown: boolean, out: Output): ImportReport {
  const counts: ImportCounts = { created: 0, changed: 0, kept: 0, skipped: 0, failed: 0 }
  const named = (account: string | null) => (account === null ? {} : { subAccount: account })
  const placed = (account: string | null) => (account === null ? '' : ` of ${account}`)
  return {
    counts,
    show({ action, record, lines }, account, notes) {
      if (!isShown || action === 'keep') return
      const [head = '', ...rest] = lines
      const added = notes.map((note) => `    note: ${note}`)
      const more = notes.length > 0 ? { notes } : {}
      const shown = [head + placed(account), ...rest, ...added]
      out.result({ ...record, ...named(account), ...more }, shown)
    },
    skip({ kind, key, reason }, account) {
      counts.skipped += 1
      if (!isShown) return
      const line = `! ${kind} ${key}${placed(account)}: skipped, ${reason}`
      out.result({ action: 'skip', kind, key, ...named(account), reason }, line)
    },
    refused({ noun, key }, { message, code, details }) {
      counts.failed += 1
      const why = details === undefined ? message : `${message} ${JSON.stringify(details)}`
      const record = { action: 'refused', kind: noun, key, error: message, code, details }
      out.result(record, `! ${noun} ${key}: refused, ${why} (${code})`)
    },
    done: ({ action }) => {
      counts[COUNTED[action]] += 1
    },
  }
}

const SECRET_FIELDS = ['signingSecret', 'customHeaders', 'url']

/** @param key what people know it by */
export function shownStep(step: PlanStep, key: string): ShownStep {
  const named = { ...step, key }
  return {
    action: step.action === 'create' || step.action === 'update' ? step.action : 'keep',
    noun: step.kind === 'eventTypes' ? 'event type' : 'endpoint',
    key,
    record: planRecord(named, SECRET_FIELDS),
    lines: planLines(named, SECRET_FIELDS),
  }
}

export function shownAccount({ action, externalId, body, changes }: AccountPlan): ShownStep {
  const sign = { create: '+', update: '~', keep: '=' }[action]
  const name = body.name === null ? '' : ` (${body.name})`
  return {
    action,
    noun: 'sub-account',
    key: externalId,
    record: { action, kind: 'subAccounts', key: externalId, name: body.name },
    lines: [
      `${sign} sub-account ${externalId}${name}`,
      ...changes.map(({ field }) => `    ${field}: changed`),
    ],
  }
}
