/**
 * What a try needs of its tenant: the ways to its endpoints, and the global secret for the rest. Deleted endpoints are not
 * in it; nor is one that is newer than it. Whoever finds, by reading again, that an endpoint is gone may note it here.
 */
import { createHash } from 'node:crypto'
import type { EndpointConfig, EndpointStatus } from '@posthorn/contracts/endpoints'
import { type BackoffPolicy, DEFAULT_BACKOFF } from '@posthorn/domain/backoff'
import type { DeliveryHeaderNames } from '@posthorn/domain/brand'
import type { CircuitPolicy } from '@posthorn/domain/circuit'
import { operationalEventPatterns } from '@posthorn/domain/operational-events'
import { signingKeys } from '@posthorn/domain/signature'
import { directTargetId } from '@posthorn/domain/target'
import type { Pool } from '@posthorn/store/pool'
import { type Seal, sealedAt, type SealedPlace } from '@posthorn/store/seal'
import { baseHeaders, type Headers, type Secrets } from '../send/attempt-headers.ts'
import type { ResolvedStorage } from '../storage/write-object.ts'
import { resolveStorage, storeOf } from '../storage/resolve-storage.ts'

/** How deliveries of one target go out. */
export interface ResolvedTarget {
  targetId: string
  /** null: direct. */
  endpointId: string | null
  endpointVersion: number | null
  url: string
  /** Tenant and origin: what hangs together shares a limit. */
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
  /** null: it has no breaker. */
  circuit: CircuitPolicy | null
  /** 0: no limit. */
  rateLimitPerSec: number
  /** Throws when it was sealed under a master key that is not given. */
  secrets(): Secrets
  /** The client certificate to present; throws as `secrets`. null: none. */
  mtls: (() => Mtls) | null
}

/** As egress takes it: connections that were made with another certificate are not used. */
export interface Mtls {
  tls: { cert: string; key: string }
  connectionKey: string
}

/** Of an endpoint as it was read; its script is loaded when it is used. */
export interface Transformation {
  tenantId: string
  endpointId: string
  endpointVersion: number
}

/** `polled`: its consumer fetches, whether it is paused or not, and nothing is sent to it. */
export type TargetStatus = EndpointStatus | 'polled' | 'deleted'

export interface EndpointEntry {
  readonly status: TargetStatus
  /** Made when it is first asked for: a tenant may have 10,000, of which few are in use. null: deleted. */
  readonly target: ResolvedTarget | null
}

export interface TenantConfig {
  endpoints: Map<string, EndpointEntry>
  /** How many of them are noted as deleted. */
  notedDeleted: number
  direct(destination: string): ResolvedTarget
  /** What endpoints subscribe to of our notices, by project; those without are not in it. */
  operationalEventPatterns: ReadonlyMap<string, readonly string[]>
}

/** Without what is large and not needed here. */
type SlimConfig = Omit<EndpointConfig, 'transformation' | 'filter'>

interface Row {
  version: number
  global_secret: string
  global_previous: string | null
  global_until: number | null
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

const DIRECT_TIMEOUT_MS = 30_000
const DIRECT_MAX_TRIES = 5
/** Hashing and parsing a URL cost 5 us; a tenant that sends direct events mostly has a few destinations. */
const MAX_DIRECT_WAYS = 256

/** What an entry takes beside its configuration. */
const ENTRY_BYTES = 1_024

const STATUS = `CASE WHEN e.deleted_at IS NOT NULL THEN 'deleted' WHEN e.delivery_mode = 'poll' THEN 'polled'
  ELSE e.status END`
const READ = `SELECT t.config_version::float8 AS version, t.signing_secret AS global_secret,
    t.previous_signing_secret AS global_previous, micros(t.previous_valid_until) / 1000 AS global_until,
    e.id, e.project_id, ${STATUS} AS status, e.version AS endpoint_version,
    e.config - '{transformation,filter}'::text[] AS config,
    coalesce(e.config ->> 'transformation', '') <> '' AS transforms, e.config_bytes AS bytes, e.signing_secret AS secret,
    e.previous_signing_secret AS previous, micros(e.previous_valid_until) / 1000 AS until, e.mtls_cert, e.mtls_key,
    e.storage_credentials
  FROM tenants t LEFT JOIN endpoints e ON e.tenant_id = t.id AND e.deleted_at IS NULL WHERE t.id = $1`

export interface ReadTenantDeps {
  pool: Pool
  seal: Pick<Seal, 'open'>
  names: DeliveryHeaderNames
}

/** null: there is no such tenant. */
export async function readTenantConfig(
  { pool, seal, names }: ReadTenantDeps,
  tenantId: string,
): Promise<{ version: number; value: TenantConfig | null; bytes: number }> {
  const { rows } = await pool.query<Row>({
    name: 'read-tenant-config',
    text: READ,
    values: [tenantId],
  })
  const [first] = rows
  if (first === undefined) return { version: 0, value: null, bytes: ENTRY_BYTES }
  const globalSecrets = openedOnce(
    seal,
    (column) => sealedAt(`tenants.${column}`, tenantId),
    first.global_secret,
    first.global_previous,
    first.global_until,
  )
  const endpoints = new Map<string, EndpointEntry>()
  const patterns = new Map<string, string[]>()
  let bytes = ENTRY_BYTES
  for (const row of rows) {
    if (row.id === null) continue
    bytes += row.bytes + ENTRY_BYTES
    const asked = operationalEventPatterns(row.config.eventTypes)
    if (asked.length > 0) {
      patterns.set(row.project_id, [...(patterns.get(row.project_id) ?? []), ...asked])
    }
    endpoints.set(
      row.id,
      entryOf(row.status, () => endpointWay(tenantId, row, seal, names, globalSecrets)),
    )
  }
  return {
    version: first.version,
    bytes,
    value: {
      endpoints,
      notedDeleted: 0,
      direct: directWays(tenantId, names, globalSecrets),
      operationalEventPatterns: patterns,
    },
  }
}

/** Of an endpoint that is known to be gone. */
export const DELETED: EndpointEntry = { status: 'deleted', target: null }

/** Just this, past every cache: whether a backlog may go is asked rarely, and a wrong no holds it for 30 s. */
export async function readEndpointStatus(
  pool: Pool,
  tenantId: string,
  endpointId: string,
): Promise<TargetStatus> {
  const { rows } = await pool.query<{ status: TargetStatus }>({
    name: 'read-endpoint-status',
    text: `SELECT ${STATUS} AS status FROM endpoints e WHERE e.tenant_id = $1 AND e.id = $2`,
    values: [tenantId, endpointId],
  })
  return rows[0]?.status ?? 'deleted'
}

function endpointWay(
  tenantId: string,
  row: Row,
  seal: Pick<Seal, 'open'>,
  names: DeliveryHeaderNames,
  globalSecrets: () => Secrets,
): ResolvedTarget {
  const { config } = row
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
    backoff: config,
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
            (column) => sealedAt(`endpoints.${column}`, tenantId, String(row.id)),
            row.secret,
            row.previous,
            row.until,
          ),
    mtls: mtlsOf(tenantId, row, seal),
  }
}

/** The key is the certificate's, so the certificate alone tells whom a connection speaks for. */
function mtlsOf(
  tenantId: string,
  { id, mtls_cert: cert, mtls_key: sealed }: Row,
  seal: Pick<Seal, 'open'>,
): ResolvedTarget['mtls'] {
  if (cert === null || sealed === null) return null
  let opened: Mtls | undefined
  return () => {
    opened ??= {
      tls: { cert, key: seal.open(sealed, sealedAt('endpoints.mtls_key', tenantId, String(id))) },
      connectionKey: `${id}:${createHash('sha256').update(cert).digest('base64')}`,
    }
    return opened
  }
}

function circuitOf({
  circuitThreshold: threshold,
  circuitResetMs: resetMs,
}: SlimConfig): CircuitPolicy | null {
  return threshold > 0 ? { threshold, resetMs } : null
}

function transformationOf(
  tenantId: string,
  { id, endpoint_version: endpointVersion, transforms }: Row,
): Transformation | null {
  return transforms ? { tenantId, endpointId: id as string, endpointVersion } : null
}

function entryOf(status: TargetStatus, make: () => ResolvedTarget): EndpointEntry {
  let made: ResolvedTarget | undefined
  return {
    status,
    get target() {
      return (made ??= make())
    },
  }
}

function directWays(
  tenantId: string,
  names: DeliveryHeaderNames,
  secrets: () => Secrets,
): (destination: string) => ResolvedTarget {
  const ways = new Map<string, ResolvedTarget>()
  const headers = baseHeaders(null, names)
  return (destination) => {
    const known = ways.get(destination)
    if (known !== undefined) return known
    if (ways.size >= MAX_DIRECT_WAYS) ways.clear()
    const way: ResolvedTarget = {
      targetId: directTargetId(tenantId, destination),
      endpointId: null,
      endpointVersion: null,
      url: destination,
      originKey: originKey(tenantId, destination),
      timeoutMs: DIRECT_TIMEOUT_MS,
      maxRetries: DIRECT_MAX_TRIES,
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
    ways.set(destination, way)
    return way
  }
}

function originKey(tenantId: string, url: string): string {
  return `${tenantId} ${URL.parse(url)?.origin ?? url}`
}

/** Opened on first use: one that can't be opened is its own endpoint's trouble, and most are never used here. */
function openedOnce(
  seal: Pick<Seal, 'open'>,
  placeOf: (column: 'signing_secret' | 'previous_signing_secret') => SealedPlace,
  current: string,
  previous: string | null,
  until: number | null,
): () => Secrets {
  let opened: Secrets | undefined
  return () => {
    opened ??= {
      current: signingKeys(seal.open(current, placeOf('signing_secret'))),
      previous:
        previous === null
          ? null
          : signingKeys(seal.open(previous, placeOf('previous_signing_secret'))),
      previousUntil: until ?? 0,
    }
    return opened
  }
}
