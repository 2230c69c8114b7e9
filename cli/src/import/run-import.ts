/** Takes the records of an import one by one: plans each, shows the plan, and carries it out. */
import { type Posthorn, PosthornApiError } from '../../../sdks/node/src/posthorn-node.ts'
import { runStep } from '../apply/apply.ts'
import type { ConfigDocument, Fields } from '../apply/document.ts'
import type { Existing } from '../apply/kinds.ts'
import { makePlan, type PlanStep } from '../apply/make-plan.ts'
import type { AccountPlan, Accounts } from './accounts.ts'
import { IMPORT_KINDS, importedOf, itemOf, readImported } from './import-kinds.ts'
import type { ImportBatch, ImportedAccount, ImportedEndpoint } from './records.ts'
import { type ImportReport, shownAccount, type ShownStep, shownStep } from './report.ts'

export interface ImportRun {
  posthorn: Posthorn
  accounts: Accounts
  report: ImportReport
  doesApply: boolean
  hasSchemas: boolean
  /** Those that are there, once they were read. */
  eventTypes?: Map<string, Existing>
}

export async function takeBatch(run: ImportRun, batch: ImportBatch): Promise<void> {
  const { report } = run
  if (batch.eventTypes.length > 0) await takeEventTypes(run, batch.eventTypes)
  const account = batch.account === null ? null : await takeAccount(run, batch.account)
  const name = batch.account?.externalIds[0] ?? null
  for (const one of batch.skipped) report.skip(one, name)
  if (account !== undefined) return await takeEndpoints(run, batch.endpoints, account)
  const reason = 'its sub-account is not there'
  for (const { id } of batch.endpoints) report.skip({ kind: 'endpoint', key: id, reason }, name)
}

async function takeEventTypes(run: ImportRun, items: readonly Fields[]): Promise<void> {
  run.eventTypes ??= await readImported(run.posthorn, 'eventTypes')
  for (const item of items) {
    const { schema: _, schemaVersion: _version, ...rest } = item
    const found = run.eventTypes.get(String(item['name']))
    const step = planOf('eventTypes', run.hasSchemas ? item : rest, found)
    const shown = shownStep(step, step.key)
    run.report.show(shown, null, [])
    await attempt(run, shown, async () => {
      await runStep(run.posthorn, step, new Map(), IMPORT_KINDS)
    })
  }
}

/** @returns undefined: what belongs to it cannot be imported */
async function takeAccount(
  run: ImportRun,
  account: ImportedAccount,
): Promise<AccountPlan | undefined> {
  const { accounts, report } = run
  const [key] = account.externalIds
  const plan = await accounts.plan(account)
  if (typeof plan === 'string') {
    report.skip({ kind: 'sub-account', key, reason: plan }, null)
    return undefined
  }
  if (plan.isRepeated) return plan
  const shown = shownAccount(plan)
  report.show(shown, null, account.notes)
  if (!(await attempt(run, shown, async () => await accounts.write(plan)))) return undefined
  accounts.remember(key, plan)
  return plan
}

async function takeEndpoints(
  run: ImportRun,
  endpoints: readonly ImportedEndpoint[],
  account: AccountPlan | null,
): Promise<void> {
  if (endpoints.length === 0) return
  const target = await run.accounts.open(account)
  for (const endpoint of endpoints) {
    const item = itemOf(endpoint)
    const key = IMPORT_KINDS.endpoints.keyOf(item)
    const step = planOf('endpoints', item, target.endpoints.get(key))
    const shown = shownStep(step, endpoint.id)
    run.report.show(shown, account?.externalId ?? null, endpoint.notes)
    const isDone = await attempt(run, shown, async () => {
      await runStep(target.posthorn, step, new Map(), IMPORT_KINDS)
    })
    // A page that moved while it was read may bring it twice.
    if (isDone) target.endpoints.set(key, existingOf(step, key))
  }
}

/** Answers that concern one record alone. The others end the import. */
const REFUSALS = [400, 404, 409, 413, 422]

/** Counts what was done, or would be. @returns false: it was refused */
async function attempt(
  { doesApply, report }: ImportRun,
  step: ShownStep,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    if (doesApply && step.action !== 'keep') await work()
    report.done(step)
    return true
  } catch (error) {
    if (!(error instanceof PosthornApiError && REFUSALS.includes(error.status))) throw error
    report.refused(step, error)
    return false
  }
}

function planOf(
  kind: 'eventTypes' | 'endpoints',
  item: Fields,
  found: Existing | undefined,
): PlanStep {
  const document = { version: 1, [kind]: [item] } as ConfigDocument
  const existing = { [kind]: found === undefined ? [] : [found] }
  const [step] = makePlan(document, existing, IMPORT_KINDS, false)
  if (step === undefined) throw new Error('a plan has a step for each of its items')
  return step
}

function existingOf(step: PlanStep, key: string): Existing {
  if (step.action !== 'create') return step.existing
  const { signingSecret = '', ...settings } = importedOf(step.item).fields
  const hint = Array.from(signingSecret.slice(-8)).slice(-4).join('')
  return { id: '', key, fields: { ...settings, signingSecretHint: hint } }
}
