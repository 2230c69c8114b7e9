/**
 * The sub-accounts that an import goes to: each is found by the id that it has in the other
 * service, and what it has is read once. Only so many are kept in memory.
 */
import type { Posthorn } from '../../../sdks/node/src/posthorn-node.ts'
import { type Change, changesBetween } from '../apply/compare.ts'
import type { Fields } from '../apply/document.ts'
import type { Existing } from '../apply/kinds.ts'
import { readImported } from './import-kinds.ts'
import type { ImportedAccount } from './records.ts'

type FoundAccount = Awaited<ReturnType<Posthorn['subAccounts']['get']>>

export interface AccountTarget {
  posthorn: Posthorn
  /** Those that were imported, by their keys. */
  endpoints: Map<string, Existing>
}

export interface AccountPlan {
  action: 'create' | 'update' | 'keep'
  externalId: string
  existing: FoundAccount | undefined
  body: { name: string | null; metadata: Fields }
  changes: Change[]
  /** Another record has brought it already. */
  isRepeated: boolean
}

export interface Accounts {
  /** @returns a text where nothing can go there: why */
  plan(account: ImportedAccount): Promise<AccountPlan | string>
  /** Makes or changes it. */
  write(plan: AccountPlan): Promise<void>
  /** Once it was written, or would have been. */
  remember(key: string, plan: AccountPlan): void
  /** @param plan null: the workspace itself. Endpoints are none where it is not there yet. */
  open(plan: AccountPlan | null): Promise<AccountTarget>
}

/** Plans without bodies that are kept: 300 bytes each. */
const MAX_PLANNED = 10_000

export function createAccounts(root: Posthorn, clientOf: (id: string) => Posthorn): Accounts {
  /** By external id, the one that was used last at the end. */
  const targets = new Map<string, AccountTarget>()
  let own: AccountTarget | undefined
  const planned = new Map<string, AccountPlan>()
  return {
    async plan(account) {
      const known = planned.get(account.externalIds[0])
      return known === undefined ? await planAccount(root, account) : { ...known, isRepeated: true }
    },
    async write(plan) {
      const { action, externalId, existing, body } = plan
      if (action === 'create')
        plan.existing = await root.subAccounts.create({ externalId, ...body })
      else if (action === 'update' && existing !== undefined)
        plan.existing = await root.subAccounts.update(existing.id, body)
    },
    remember(key, plan) {
      const [oldest] = planned.size >= MAX_PLANNED ? planned.keys() : []
      if (oldest !== undefined) planned.delete(oldest)
      planned.set(key, { ...plan, body: { name: null, metadata: {} }, changes: [] })
    },
    async open(plan) {
      if (plan === null) {
        own ??= { posthorn: root, endpoints: await readImported(root, 'endpoints') }
        return own
      }
      const { action, existing, externalId, isRepeated } = plan
      if (existing === undefined) return { posthorn: root, endpoints: new Map() }
      let target = targets.get(externalId)
      if (target === undefined) {
        const posthorn = clientOf(existing.id)
        const isNew = action === 'create' && !isRepeated
        const endpoints = isNew ? new Map() : await readImported(posthorn, 'endpoints')
        target = { posthorn, endpoints }
      }
      targets.delete(externalId)
      targets.set(externalId, target)
      forgetOldest(targets)
      return target
    },
  }
}

const MAX_EXTERNAL_ID = 255

async function planAccount(
  root: Posthorn,
  account: ImportedAccount,
): Promise<AccountPlan | string> {
  const { externalIds, name, metadata } = account
  if (externalIds.some((one) => Array.from(one).length > MAX_EXTERNAL_ID))
    return `its id has more than ${MAX_EXTERNAL_ID} characters`
  const existing = await findAccount(root, externalIds)
  const isRepeated = false
  if (existing === undefined) {
    const [externalId] = externalIds
    const body = { name, metadata }
    return { action: 'create', externalId, existing, body, changes: [], isRepeated }
  }
  const { externalId, status } = existing
  if (status !== 'active') return 'it is deactivated here: activate it first'
  // What was added here stays.
  const body = { name: name ?? existing.name, metadata: { ...existing.metadata, ...metadata } }
  const changes = changesBetween({ name: existing.name, metadata: existing.metadata }, body)
  const action = changes.length === 0 ? 'keep' : 'update'
  return { action, externalId, existing, body, changes, isRepeated }
}

async function findAccount(
  root: Posthorn,
  externalIds: readonly string[],
): Promise<FoundAccount | undefined> {
  for (const externalId of externalIds) {
    const { data } = await root.subAccounts.list({ externalId, limit: 1 }).page()
    if (data[0] !== undefined) return data[0]
  }
  return undefined
}

/** Endpoints of all sub-accounts together that are kept in memory: 2 KB each. */
const MAX_KEPT = 20_000

function forgetOldest(targets: Map<string, AccountTarget>): void {
  let kept = [...targets.values()].reduce((sum, { endpoints }) => sum + endpoints.size + 1, 0)
  for (const [externalId, { endpoints }] of targets) {
    if (kept <= MAX_KEPT || targets.size === 1) return
    targets.delete(externalId)
    kept -= endpoints.size + 1
  }
}
