/**
 * Who calls: the API key of a request, looked up by its SHA-256 and remembered for a second, so
 * that a revocation or an expiry is in force everywhere within two. Fails closed: where the store
 * is down, nobody is let in.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '@posthorn/contracts/errors'
import { apiKeyDigest, type Environment, hasApiKeyForm } from '@posthorn/domain/api-key'
import { isUuid } from '@posthorn/domain/ids'
import type { Caller } from './handlers.ts'
import { createKeyLookups } from './key-lookups.ts'

export interface FoundKey {
  tenantId: string
  keyId: string
  scopes: string[]
  /** Requests a second; null: none. */
  rateLimit: number | null
  /** Epoch ms; null: never. */
  expiresAt: number | null
  revoked: boolean
  keyProjectId: string | null
  /** All of the tenant's, the default one first. */
  projects: { id: string; environment: Environment }[]
}

export interface AuthenticateDeps {
  /** By SHA-256 in hex; those that nobody has are left out. */
  findKeys(digests: readonly string[]): Promise<Map<string, FoundKey>>
  /** Epoch ms, for expiry. */
  now(): number
  /** Ages what is remembered: monotonic. */
  monotonicMs?(): number
}

/** A key that is in force. */
export interface Authenticated {
  keyId: string
  /** The key's own; null: none. */
  rateLimit: number | null
  /**
   * Who calls, in the project that the request names. It may ask the store for a project that was just made, so it is
   * called only once the key's rate allows the request.
   */
  caller(): Promise<Caller>
}

export interface Authenticate {
  (headers: IncomingHttpHeaders): Promise<Authenticated>
  /** Forgets what is remembered of a tenant's keys and projects. */
  invalidateTenant(tenantId: string): void
}

/** 2 s is the promise; a second leaves as much for a slow look-up. */
const REMEMBER_MS = 1_000
/** Some 500 bytes each: 5 MB. The longest unread go first. */
const MAX_KNOWN = 10_000
/** Keys that nobody has are remembered apart, so that a flood of them drives out no other: 150 bytes each. */
const MAX_UNKNOWN = 10_000
/** Ours have 57 characters; BOOTSTRAP_API_KEY may be any up to here. */
const MAX_KEY_CHARACTERS = 255

interface Known {
  key: FoundKey
  readAt: number
}

export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const now = deps.monotonicMs ?? (() => performance.now())
  const known = new Map<string, Known>()
  /** When each was last found to be nobody's. */
  const unknown = new Map<string, number>()
  const lookups = createKeyLookups<FoundKey>({
    findKeys: deps.findKeys,
    onFound: remember,
    monotonicMs: now,
  })

  function remember(digest: string, key: FoundKey | null, readAt: number): void {
    known.delete(digest)
    unknown.delete(digest)
    if (key === null) unknown.set(digest, readAt)
    else known.set(digest, { key, readAt })
    if (unknown.size > MAX_UNKNOWN) forgetOldest(unknown)
    if (known.size > MAX_KNOWN) forgetOldest(known)
  }

  function isRecent(readAt: number | undefined): boolean {
    return readAt !== undefined && now() - readAt < REMEMBER_MS
  }

  function find(presented: string, digest: string): FoundKey | null | Promise<FoundKey | null> {
    const entry = known.get(digest)
    if (entry !== undefined && isRecent(entry.readAt)) return entry.key
    if (isRecent(unknown.get(digest))) return null
    if (entry !== undefined) return lookups.ask(digest, 'known', false)
    return lookups.ask(digest, hasApiKeyForm(presented) ? 'plausible' : 'odd', false)
  }

  /** One answer for all of these: what a key once was is nobody's business. */
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
      for (const [digest, { key }] of known) if (key.tenantId === tenantId) known.delete(digest)
    },
  })
}

function forgetOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
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
