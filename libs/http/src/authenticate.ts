/**
 * Who calls: the API key of a request, looked up by its SHA-256 and remembered for a second, so
 * that a revocation or an expiry is in force everywhere within two. Fails closed: where the store
 * is down, nobody is let in.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '@posthorn/contracts/errors'
import { apiKeyDigest, type Environment } from '@posthorn/domain/api-key'
import { isUuid } from '@posthorn/domain/ids'
import { unavailable } from './errors.ts'
import type { Caller } from './handlers.ts'

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
  findKey(hash: Buffer): Promise<FoundKey | null>
  /** Epoch ms, for expiry. */
  now(): number
  /** Ages what is remembered: monotonic. */
  monotonicMs?(): number
}

export interface Authenticated {
  caller: Caller
  /** The key's own; null: none. */
  rateLimit: number | null
}

export interface Authenticate {
  (headers: IncomingHttpHeaders): Promise<Authenticated>
  /** Forgets what is remembered of a tenant's keys and projects. */
  invalidateTenant(tenantId: string): void
}

/** 2 s is the promise; a second leaves as much for a slow look-up. */
const REMEMBER_MS = 1_000
/** Some 500 bytes each: 5 MB. Unknown keys count too, and the longest unused go first. */
const MAX_REMEMBERED = 10_000
/** A flood of unknown keys must not queue up before the store: beyond this it is refused. */
const MAX_LOOKUPS = 200
/** Ours have 57 characters; BOOTSTRAP_API_KEY may be any up to here. */
const MAX_KEY_CHARACTERS = 255

interface Remembered {
  key: FoundKey | null
  readAt: number
}

export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const now = deps.monotonicMs ?? (() => performance.now())
  const remembered = new Map<string, Remembered>()
  const lookups = new Map<string, Promise<FoundKey | null>>()
  /** Grows with every invalidation: a look-up that began before one is not remembered. */
  let generation = 0

  async function find(presented: string, project: unknown): Promise<FoundKey | null> {
    const digest = apiKeyDigest(presented)
    const known = remembered.get(digest)
    if (known === undefined || now() - known.readAt >= REMEMBER_MS) {
      return await (lookups.get(digest) ?? lookUp(digest))
    }
    // A project that was made a moment ago must be there for whoever was told so.
    return isMissing(known.key, project) ? await lookUp(digest) : known.key
  }

  function lookUp(digest: string): Promise<FoundKey | null> {
    if (lookups.size >= MAX_LOOKUPS)
      throw unavailable('too many keys are being looked up; try again')
    const began = { generation, readAt: now() }
    const lookup = deps
      .findKey(Buffer.from(digest, 'hex'))
      .then((key) => {
        if (began.generation === generation) remember(digest, { key, readAt: began.readAt })
        return key
      })
      .finally(() => {
        if (lookups.get(digest) === lookup) lookups.delete(digest)
      })
    lookups.set(digest, lookup)
    return lookup
  }

  function remember(digest: string, entry: Remembered): void {
    remembered.delete(digest)
    remembered.set(digest, entry)
    if (remembered.size <= MAX_REMEMBERED) return
    const [oldest] = remembered.keys()
    if (oldest !== undefined) remembered.delete(oldest)
  }

  async function authenticate(headers: IncomingHttpHeaders): Promise<Authenticated> {
    const presented = headers['x-api-key']
    if (typeof presented !== 'string' || presented === '') {
      throw new ApiError('UNAUTHORIZED', 'the API key is missing: send it in X-API-Key')
    }
    const project = headers['x-project-id']
    const key = presented.length > MAX_KEY_CHARACTERS ? null : await find(presented, project)
    // One answer for all of these: what a key once was is nobody's business.
    if (key === null || key.revoked || (key.expiresAt !== null && key.expiresAt <= deps.now())) {
      throw new ApiError('UNAUTHORIZED', 'the API key is unknown, revoked or expired')
    }
    return { caller: toCaller(key, project), rateLimit: key.rateLimit }
  }

  return Object.assign(authenticate, {
    invalidateTenant(tenantId: string) {
      generation += 1
      lookups.clear()
      for (const [id, { key }] of remembered) if (key?.tenantId === tenantId) remembered.delete(id)
    },
  })
}

function isMissing(key: FoundKey | null, asked: unknown): boolean {
  if (key === null || typeof asked !== 'string' || !isUuid(asked)) return false
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
