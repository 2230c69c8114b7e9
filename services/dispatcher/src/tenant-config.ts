/**
 * What a try needs of its tenant: the ways to its endpoints, and the global secret for the rest. Deleted endpoints stay
 * in it, so that their deliveries can be ended without asking again; one that is not in it at all may just be newer
 * than it.
 */
import { createHash } from 'node:crypto'
import type { EndpointConfig, EndpointStatus } from '@posthorn/contracts/endpoints'
import { type BackoffPolicy, DEFAULT_BACKOFF } from '@posthorn/domain/backoff'
import type { DeliveryHeaderNames } from '@posthorn/domain/brand'
import type { CircuitPolicy } from '@posthorn/domain/circuit'
import { noticePatterns } from '@posthorn/domain/notices'
import { signingKeys } from '@posthorn/domain/signature'
import { directTargetId } from '@posthorn/domain/target'
import type { Pool } from '@posthorn/store/pool'
import type { Seal } from '@posthorn/store/seal'
import { baseHeaders, type Headers, type Secrets } from './delivery-headers.ts'
import type { StorageWay } from './storage/sink.ts'
import { storageWay, storeOf } from './storage/storage-way.ts'

/** How deliveries of one target go out. */
export interface Way {
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
  storage: StorageWay | null
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

export interface Transformation {
  /** Of one version of one endpoint. */
  key: string
  script: string
}

/** `polled`: its consumer fetches, whether it is paused or not, and nothing is sent to it. */
export type TargetStatus = EndpointStatus | 'polled' | 'deleted'

export interface EndpointEntry {
  status: TargetStatus
  /** null: deleted. */
  way: Way | null
}

export interface TenantConfig {
  endpoints: Map<string, EndpointEntry>
  direct(destination: string): Way
  /** What endpoints subscribe to of our notices, by project; those without are not in it. */
  noticePatterns: ReadonlyMap<string, readonly string[]>
}

interface Row {
  version: number
  global_secret: string
  global_previous: string | null
  global_until: number | null
  id: string | null
  project_id: string
  status: TargetStatus
  endpoint_version: number
  config: EndpointConfig | null
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

const STATUS = `CASE WHEN e.deleted_at IS NOT NULL THEN 'deleted' WHEN e.delivery_mode = 'poll' THEN 'polled'
  ELSE e.status END`
const READ = `SELECT t.config_version::float8 AS version, t.signing_secret AS global_secret,
    t.previous_signing_secret AS global_previous, micros(t.previous_valid_until) / 1000 AS global_until,
    e.id, e.project_id, ${STATUS} AS status, e.version AS endpoint_version,
    CASE WHEN e.deleted_at IS NULL THEN e.config END AS config, e.signing_secret AS secret,
    e.previous_signing_secret AS previous, micros(e.previous_valid_until) / 1000 AS until, e.mtls_cert, e.mtls_key,
    e.storage_credentials
  FROM tenants t LEFT JOIN endpoints e ON e.tenant_id = t.id WHERE t.id = $1`

export interface ReadTenantDeps {
  pool: Pool
  seal: Pick<Seal, 'open'>
  names: DeliveryHeaderNames
}

/** null: there is no such tenant. */
export async function readTenantConfig(
  { pool, seal, names }: ReadTenantDeps,
  tenantId: string,
): Promise<{ version: number; value: TenantConfig | null }> {
  const { rows } = await pool.query<Row>({
    name: 'read-tenant-config',
    text: READ,
    values: [tenantId],
  })
  const [first] = rows
  if (first === undefined) return { version: 0, value: null }
  const globalSecrets = openedOnce(
    seal,
    first.global_secret,
    first.global_previous,
    first.global_until,
  )
  const endpoints = new Map<string, EndpointEntry>()
  const patterns = new Map<string, string[]>()
  for (const row of rows) {
    if (row.id === null) continue
    const asked = noticePatterns(row.config?.eventTypes ?? [])
    if (asked.length > 0) {
      patterns.set(row.project_id, [...(patterns.get(row.project_id) ?? []), ...asked])
    }
    const way =
      row.config === null
        ? null
        : endpointWay(tenantId, row, row.config, seal, names, globalSecrets)
    endpoints.set(row.id, { status: row.status, way })
  }
  return {
    version: first.version,
    value: {
      endpoints,
      direct: directWays(tenantId, names, globalSecrets),
      noticePatterns: patterns,
    },
  }
}

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
  config: EndpointConfig,
  seal: Pick<Seal, 'open'>,
  names: DeliveryHeaderNames,
  globalSecrets: () => Secrets,
): Way {
  const storage = storageWay(row, config, seal)
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
    transformation: transformationOf(row, config),
    storage,
    circuit: circuitOf(config),
    rateLimitPerSec: config.rateLimitPerSec,
    secrets:
      row.secret === null ? globalSecrets : openedOnce(seal, row.secret, row.previous, row.until),
    mtls: mtlsOf(row, seal),
  }
}

/** The key is the certificate's, so the certificate alone tells whom a connection speaks for. */
function mtlsOf(
  { id, mtls_cert: cert, mtls_key: sealed }: Row,
  seal: Pick<Seal, 'open'>,
): Way['mtls'] {
  if (cert === null || sealed === null) return null
  let opened: Mtls | undefined
  return () => {
    opened ??= {
      tls: { cert, key: seal.open(sealed) },
      connectionKey: `${id}:${createHash('sha256').update(cert).digest('base64')}`,
    }
    return opened
  }
}

function circuitOf({
  circuitThreshold: threshold,
  circuitResetMs: resetMs,
}: EndpointConfig): CircuitPolicy | null {
  return threshold > 0 ? { threshold, resetMs } : null
}

function transformationOf(
  row: Row,
  { transformation: script }: EndpointConfig,
): Transformation | null {
  return script === null ? null : { key: `${row.id}:${row.endpoint_version}`, script }
}

function directWays(
  tenantId: string,
  names: DeliveryHeaderNames,
  secrets: () => Secrets,
): (destination: string) => Way {
  const ways = new Map<string, Way>()
  const headers = baseHeaders(null, names)
  return (destination) => {
    const known = ways.get(destination)
    if (known !== undefined) return known
    if (ways.size >= MAX_DIRECT_WAYS) ways.clear()
    const way: Way = {
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
  current: string,
  previous: string | null,
  until: number | null,
): () => Secrets {
  let opened: Secrets | undefined
  return () => {
    opened ??= {
      current: signingKeys(seal.open(current)),
      previous: previous === null ? null : signingKeys(seal.open(previous)),
      previousUntil: until ?? 0,
    }
    return opened
  }
}
