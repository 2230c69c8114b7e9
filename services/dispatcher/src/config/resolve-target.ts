/**
 * A target as an attempt needs it: where it is, how it is signed and retried, and what limits it.
 * Secrets are opened when they are first used: one that can not be opened is its own endpoint's
 * trouble, and most are never used in this process.
 */
import { createHash } from 'node:crypto'
import { lazily } from '@posthorn/async/lazily'
import {
  ENDPOINT_DEFAULTS,
  type EndpointConfig,
  type EndpointStatus,
} from '@posthorn/contracts/endpoints'
import { type BackoffPolicy, DEFAULT_BACKOFF } from '@posthorn/domain/backoff'
import type { DeliveryHeaderNames } from '@posthorn/domain/brand'
import type { CircuitPolicy } from '@posthorn/domain/circuit'
import { directTargetId } from '@posthorn/domain/target'
import { type Seal, sealedAt, type SealedPlace } from '@posthorn/store/seal'
import { baseHeaders, type Headers, type Secrets } from '../send/attempt-headers.ts'
import { type ResolvedStorage, resolveStorage, storeOf } from '../storage/resolve-storage.ts'

/** How the deliveries of one target go out. */
export interface ResolvedTarget {
  targetId: string
  /** null: direct. */
  endpointId: string | null
  endpointVersion: number | null
  url: string
  /** Tenant and origin: targets that would hang together share a limit. */
  originKey: string
  timeoutMs: number
  maxRetries: number
  backoff: BackoffPolicy
  headers: Headers
  allowedCidrs: readonly string[] | undefined
  blockedCidrs: readonly string[] | undefined
  /** null: the payload goes as it came. */
  transformation: Transformation | null
  /** null: it is sent to `url`. */
  storage: ResolvedStorage | null
  /** null: it has no circuit breaker. */
  circuit: CircuitPolicy | null
  /** 0: no limit. */
  rateLimitPerSec: number
  /** Throws when they were sealed under a master key that is not given. */
  secrets(): Secrets
  /** The client certificate to present; throws as `secrets` does. null: none. */
  mtls: (() => Mtls) | null
}

/** As egress takes it: connections that were made with another certificate are not used. */
export interface Mtls {
  tls: { cert: string; key: string }
  connectionKey: string
}

/** The transformation of an endpoint as it was read; the script is loaded when it is used. */
export interface Transformation {
  tenantId: string
  endpointId: string
  endpointVersion: number
}

/** `polled`: its consumer fetches, whether it is paused or not, and nothing is sent to it. */
export type TargetStatus = EndpointStatus | 'polled' | 'deleted'

export interface EndpointEntry {
  readonly status: TargetStatus
  /**
   * Made when it is first asked for: a tenant may have 10,000 endpoints, of which few are in use.
   * null: the endpoint is deleted.
   */
  readonly target: ResolvedTarget | null
}

/** An endpoint's configuration without what is large and not needed here. */
export type SlimConfig = Omit<EndpointConfig, 'transformation' | 'filter'>

/** An endpoint as `read-tenant.ts` reads it. */
export interface EndpointRow {
  id: string | null
  project_id: string
  status: TargetStatus
  endpoint_version: number
  config: SlimConfig
  transforms: boolean
  bytes: number
  secret: string | null
  previous: string | null
  until: number | null
  mtls_cert: string | null
  mtls_key: string | null
  storage_credentials: string | null
}

/** The entry of an endpoint that is known to be gone. */
export const DELETED: EndpointEntry = { status: 'deleted', target: null }

const DIRECT_TIMEOUT_MS = 30_000
const DIRECT_MAX_ATTEMPTS = 5
/** Hashing and parsing a URL cost 5 us; a tenant's direct events mostly have a few destinations. */
const MAX_DIRECT_TARGETS = 256

export function endpointEntry(
  tenantId: string,
  row: EndpointRow,
  seal: Pick<Seal, 'open'>,
  names: DeliveryHeaderNames,
  globalSecrets: () => Secrets,
): EndpointEntry {
  return new EndpointOfRow(row.status, () =>
    endpointTarget(tenantId, row, seal, names, globalSecrets),
  )
}

/**
 * What the target was made from is let go with the making: of 10,000 tenants with two endpoints
 * each the rows took more memory than the targets.
 */
class EndpointOfRow implements EndpointEntry {
  readonly status: TargetStatus
  #target: ResolvedTarget | null = null
  #make: (() => ResolvedTarget) | null

  constructor(status: TargetStatus, make: () => ResolvedTarget) {
    this.status = status
    this.#make = make
  }

  get target(): ResolvedTarget | null {
    if (this.#make !== null) {
      this.#target = this.#make()
      this.#make = null
    }
    return this.#target
  }
}

function endpointTarget(
  tenantId: string,
  row: EndpointRow,
  seal: Pick<Seal, 'open'>,
  names: DeliveryHeaderNames,
  globalSecrets: () => Secrets,
): ResolvedTarget {
  const { config } = row
  const endpointId = String(row.id)
  const storage = resolveStorage(tenantId, row, config, seal)
  return {
    targetId: row.id as string,
    endpointId: row.id,
    endpointVersion: row.endpoint_version,
    url: config.url,
    originKey:
      storage === null ? originKey(tenantId, config.url) : `${tenantId} ${storeOf(storage)}`,
    timeoutMs: config.timeoutMs,
    maxRetries: config.maxRetries,
    backoff: backoffOf(config),
    headers: baseHeaders(config.customHeaders, names),
    allowedCidrs: config.allowedCidrs ?? undefined,
    blockedCidrs: config.blockedCidrs ?? undefined,
    transformation: transformationOf(tenantId, row),
    storage,
    circuit: circuitOf(config),
    rateLimitPerSec: config.rateLimitPerSec,
    secrets:
      row.secret === null
        ? globalSecrets
        : openedOnce(
            seal,
            (column) => sealedAt(`endpoints.${column}`, tenantId, endpointId),
            row.secret,
            row.previous,
            row.until,
          ),
    mtls: mtlsOf(tenantId, row, seal),
  }
}

/** One object for all that keep to the defaults; and none that would keep the rest of `config`. */
function backoffOf({
  retryBackoffMs,
  retryBackoffMax,
  retryBackoffMult,
}: SlimConfig): BackoffPolicy {
  const isDefault =
    retryBackoffMs === DEFAULT_BACKOFF.retryBackoffMs &&
    retryBackoffMax === DEFAULT_BACKOFF.retryBackoffMax &&
    retryBackoffMult === DEFAULT_BACKOFF.retryBackoffMult
  return isDefault ? DEFAULT_BACKOFF : { retryBackoffMs, retryBackoffMax, retryBackoffMult }
}

/** The key is the certificate's, so the certificate alone tells whom a connection speaks for. */
function mtlsOf(
  tenantId: string,
  { id, mtls_cert: cert, mtls_key: sealed }: EndpointRow,
  seal: Pick<Seal, 'open'>,
): ResolvedTarget['mtls'] {
  if (cert === null || sealed === null) return null
  return lazily(() => ({
    tls: { cert, key: seal.open(sealed, sealedAt('endpoints.mtls_key', tenantId, String(id))) },
    connectionKey: `${id}:${createHash('sha256').update(cert).digest('base64')}`,
  }))
}

const DEFAULT_CIRCUIT: CircuitPolicy = {
  threshold: ENDPOINT_DEFAULTS.circuitThreshold,
  resetMs: ENDPOINT_DEFAULTS.circuitResetMs,
}

/** One object for all that keep to the defaults, as for `backoffOf`. */
function circuitOf({
  circuitThreshold: threshold,
  circuitResetMs: resetMs,
}: SlimConfig): CircuitPolicy | null {
  if (threshold <= 0) return null
  const isDefault = threshold === DEFAULT_CIRCUIT.threshold && resetMs === DEFAULT_CIRCUIT.resetMs
  return isDefault ? DEFAULT_CIRCUIT : { threshold, resetMs }
}

function transformationOf(
  tenantId: string,
  { id, endpoint_version: endpointVersion, transforms }: EndpointRow,
): Transformation | null {
  return transforms ? { tenantId, endpointId: id as string, endpointVersion } : null
}

/** The targets of a tenant's direct events, by destination. */
export function directTargets(
  tenantId: string,
  names: DeliveryHeaderNames,
  secrets: () => Secrets,
): (destination: string) => ResolvedTarget {
  const headers = baseHeaders(null, names)
  // Made with the first: most tenants have no direct events.
  let targets: Map<string, ResolvedTarget> | undefined
  return (destination) => {
    targets ??= new Map()
    const known = targets.get(destination)
    if (known !== undefined) return known
    if (targets.size >= MAX_DIRECT_TARGETS) targets.clear()
    const target: ResolvedTarget = {
      targetId: directTargetId(tenantId, destination),
      endpointId: null,
      endpointVersion: null,
      url: destination,
      originKey: originKey(tenantId, destination),
      timeoutMs: DIRECT_TIMEOUT_MS,
      maxRetries: DIRECT_MAX_ATTEMPTS,
      backoff: DEFAULT_BACKOFF,
      headers,
      allowedCidrs: undefined,
      blockedCidrs: undefined,
      transformation: null,
      storage: null,
      circuit: null,
      rateLimitPerSec: 0,
      secrets,
      mtls: null,
    }
    targets.set(destination, target)
    return target
  }
}

function originKey(tenantId: string, url: string): string {
  return `${tenantId} ${URL.parse(url)?.origin ?? url}`
}

/** Signing secrets that are opened when they are first used. */
export function openedOnce(
  seal: Pick<Seal, 'open'>,
  placeOf: (column: 'signing_secret' | 'previous_signing_secret') => SealedPlace,
  current: string,
  previous: string | null,
  until: number | null,
): () => Secrets {
  return lazily(() => ({
    current: seal.open(current, placeOf('signing_secret')),
    previous: previous === null ? null : seal.open(previous, placeOf('previous_signing_secret')),
    previousUntil: until ?? 0,
  }))
}
