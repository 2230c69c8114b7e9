/**
 * Looks up what one kind of credential stands for (API keys, sessions, SCIM tokens), by its SHA-256
 * in hex, and keeps it for a second: a revocation is in force everywhere within two. A flood of
 * made-up credentials of one kind delays none of another.
 */
import { createLookupCache, type LookupCacheConfig } from '@posthorn/async/lookup-cache'
import { createKeyLookups } from './key-lookups.ts'

export interface CredentialLookups<Found> {
  /** @param isPlausible whether it has the form of those that we make; asked where it is unknown */
  find(digest: string, isPlausible: () => boolean): Found | null | Promise<Found | null>
  /** What the store has now, whatever is kept. */
  findNow(digest: string): Promise<Found | null>
  invalidate(matches: (found: Found) => boolean): void
}

/** By SHA-256 in hex; digests that nobody has are left out. It makes one query. */
export type FindCredentials<Found> = (digests: readonly string[]) => Promise<Map<string, Found>>

/** 2 s is the promise; a second leaves as much for a slow look-up. */
export const FRESH_MS = 1_000
/** Some 500 bytes each: 5 MB. Those that were read longest ago go first. */
const MAX_FOUND = 10_000
/** 150 bytes each. */
const MAX_MISSING = 10_000

/** @param bounds where they are others than those of all credentials */
export function createCredentialLookups<Found>(
  find: FindCredentials<Found>,
  monotonicMs: () => number,
  bounds: Partial<LookupCacheConfig> = {},
): CredentialLookups<Found> {
  const cache = createLookupCache<Found>(
    { freshMs: FRESH_MS, maxFound: MAX_FOUND, maxMissing: MAX_MISSING, ...bounds },
    monotonicMs,
  )
  const lookups = createKeyLookups<Found>({ findKeys: find, begin: cache.begin })
  return {
    find(digest, isPlausible) {
      const known = cache.peek(digest)
      if (known !== undefined) return known
      if (cache.wasFound(digest)) return lookups.ask(digest, 'known', false)
      return lookups.ask(digest, isPlausible() ? 'plausible' : 'unusual', false)
    },
    findNow: (digest) => lookups.ask(digest, 'known', true),
    invalidate(matches) {
      lookups.forget()
      cache.invalidate(matches)
    },
  }
}
