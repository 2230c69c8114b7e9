/**
 * Looks up the sub-accounts that requests name, and keeps them for ten minutes as long as
 * somebody asks every second which tenants have changed: a customer of thousands sends one event in
 * several seconds, which would find nothing that is kept for one. Where nobody asks, a second is
 * all, as for credentials.
 */
import {
  createCredentialLookups,
  type CredentialLookups,
  type FindCredentials,
  FRESH_MS,
} from './credential-lookups.ts'
import type { FoundSubAccount } from './sub-account-place.ts'

export interface SubAccountLookupsDeps {
  findSubAccounts: FindCredentials<FoundSubAccount>
  /** The tenants that have changed since it was last asked; 'unknown' when any may have. */
  changedTenants(): Promise<Pick<ReadonlySet<string>, 'has' | 'size'> | 'unknown'>
  monotonicMs(): number
}

export interface SubAccountLookups extends CredentialLookups<FoundSubAccount> {
  /** Drops what has changed; called every second. */
  refresh(): Promise<void>
}

/** One missed refresh is tolerated; the promise is 2 s. */
const CHECKED_MS = 1_800
/** Whoever has an event in some minutes is found, and those that are gone are forgotten at last. */
const KEPT_MS = 600_000
/** How often it asks while nothing is kept: each answer tells all changes since the last one. */
const UNUSED_ASKS_MS = 10_000
/** As many as a tenant cache keeps, at some 500 bytes. */
const MAX_FOUND = 20_000

export function createSubAccountLookups(deps: SubAccountLookupsDeps): SubAccountLookups {
  const { monotonicMs } = deps
  let checkedAt = -Infinity
  /** Until the first look-up nothing is kept: most installations name no sub-accounts. */
  let isUsed = false
  const lookups = createCredentialLookups(deps.findSubAccounts, monotonicMs, {
    freshMs: () => (monotonicMs() - checkedAt < CHECKED_MS ? KEPT_MS : FRESH_MS),
    missingFreshMs: FRESH_MS,
    maxFound: MAX_FOUND,
  })
  return {
    ...lookups,
    find(reference, isPlausible) {
      isUsed = true
      return lookups.find(reference, isPlausible)
    },
    async refresh() {
      if (!isUsed && monotonicMs() - checkedAt < UNUSED_ASKS_MS) return
      const askedAt = monotonicMs()
      const changed = await deps.changedTenants()
      if (changed === 'unknown') lookups.invalidate(() => true)
      else if (changed.size > 0)
        lookups.invalidate((found) => changed.has(found.tenantId) || changed.has(found.parentId))
      checkedAt = askedAt
    },
  }
}
