/**
 * Tells who calls: the API key of a request, looked up by its SHA-256 and kept for a second, so
 * that a revocation or an expiry is in force everywhere within two. Fails closed: where the store
 * is down, nobody is let in.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { createLookupCache } from '@posthorn/async/lookup-cache'
import { ApiError } from '@posthorn/contracts/errors'
import { apiKeyDigest, type Environment, hasApiKeyForm } from '@posthorn/domain/api-key'
import { isUuid } from '@posthorn/domain/ids'
import type { Caller } from './handlers.ts'
import { createKeyLookups } from './key-lookups.ts'

export interface FoundKey {
  tenantId: string
  keyId: string
  scopes: string[]
  /** Requests a second; null: no limit. */
  rateLimit: number | null
  /** Epoch ms; null: never. */
  expiresAt: number | null
  revoked: boolean
  keyProjectId: string | null
  /** All projects of the tenant, the default one first. */
  projects: { id: string; environment: Environment }[]
}

export interface AuthenticateDeps {
  /** By SHA-256 in hex; digests that nobody has are left out. */
  findKeys(digests: readonly string[]): Promise<Map<string, FoundKey>>
  /** Epoch ms, for expiry. */
  now(): number
  /** Monotonic: the age of what is kept. */
  monotonicMs?(): number
}

/** A key that is in force. */
export interface Authenticated {
  keyId: string
  /** The key's own limit, in requests a second; null: none. */
  rateLimit: number | null
  /**
   * Who calls, in the project that the request names. It may ask the store for a project that was
   * just made, so it is called only once the key's rate allows the request.
   */
  caller(): Promise<Caller>
}

export interface Authenticate {
  (headers: IncomingHttpHeaders): Promise<Authenticated>
  /** Forgets what is kept about a tenant's keys and projects. */
  invalidateTenant(tenantId: string): void
}

/** 2 s is the promise; a second leaves as much for a slow look-up. */
const FRESH_MS = 1_000
/** Some 500 bytes each: 5 MB. Those that were read longest ago go first. */
const MAX_FOUND = 10_000
/** 150 bytes each. */
const MAX_MISSING = 10_000
/** Our keys have 57 characters; BOOTSTRAP_API_KEY may have any number up to this one. */
const MAX_KEY_CHARACTERS = 255

export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const cache = createLookupCache<FoundKey>(
    { freshMs: FRESH_MS, maxFound: MAX_FOUND, maxMissing: MAX_MISSING },
    deps.monotonicMs ?? (() => performance.now()),
  )
  const lookups = createKeyLookups<FoundKey>({ findKeys: deps.findKeys, begin: cache.begin })

  function find(presented: string, digest: string): FoundKey | null | Promise<FoundKey | null> {
    const known = cache.peek(digest)
    if (known !== undefined) return known
    if (cache.wasFound(digest)) return lookups.ask(digest, 'known', false)
    return lookups.ask(digest, hasApiKeyForm(presented) ? 'plausible' : 'unusual', false)
  }

  /** One answer for all of these: nobody is told what a key once was. */
  function inForce(key: FoundKey | null): FoundKey {
    if (key === null || key.revoked || (key.expiresAt !== null && key.expiresAt <= deps.now())) {
      throw new ApiError('UNAUTHORIZED', 'the API key is unknown, revoked or expired')
    }
    return key
  }

  async function authenticate(headers: IncomingHttpHeaders): Promise<Authenticated> {
    const presented = headers['x-api-key']
    if (typeof presented !== 'string' || presented === '') {
      throw new ApiError('UNAUTHORIZED', 'the API key is missing: send it in X-API-Key')
    }
    const digest = apiKeyDigest(presented)
    const isTooLong = presented.length > MAX_KEY_CHARACTERS
    const key = inForce(isTooLong ? null : await find(presented, digest))
    const project = headers['x-project-id']
    return {
      keyId: key.keyId,
      rateLimit: key.rateLimit,
      async caller() {
        if (!isMissing(key, project)) return toCaller(key, project)
        // A project that was made a moment ago must be there for whoever was told so.
        return toCaller(inForce(await lookups.ask(digest, 'known', true)), project)
      },
    }
  }

  return Object.assign(authenticate, {
    invalidateTenant(tenantId: string) {
      lookups.forget()
      cache.invalidate((key) => key.tenantId === tenantId)
    },
  })
}

function isMissing(key: FoundKey, asked: unknown): boolean {
  if (typeof asked !== 'string' || !isUuid(asked)) return false
  return !key.projects.some(({ id }) => id === asked.toLowerCase())
}

function toCaller(key: FoundKey, asked: string | string[] | undefined): Caller {
  const projectId = projectOf(key, asked)
  const home = key.projects.find(({ id }) => id === (projectId ?? key.projects[0]?.id))
  if (home === undefined) throw new Error(`tenant ${key.tenantId} has no default project`)
  return {
    tenantId: key.tenantId,
    keyId: key.keyId,
    scopes: key.scopes,
    projectId,
    homeProjectId: home.id,
    keyProjectId: key.keyProjectId,
    environment: home.environment,
  }
}

function projectOf(key: FoundKey, asked: string | string[] | undefined): string | null {
  if (asked === undefined) return key.keyProjectId
  const id = String(asked).toLowerCase()
  if (!isUuid(id) || !key.projects.some((project) => project.id === id)) {
    throw new ApiError('NOT_FOUND', 'X-Project-ID names no project of this workspace')
  }
  if (key.keyProjectId !== null && key.keyProjectId !== id) {
    throw new ApiError(
      'FORBIDDEN',
      'the API key is bound to another project than X-Project-ID names',
    )
  }
  return id
}
