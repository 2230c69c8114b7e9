/** An endpoint as the API shows it, and the endpoints that a caller can see. */
import type { VersionConfig } from '@posthorn/contracts/endpoint-versions'
import {
  ENDPOINT_DEFAULTS,
  type Endpoint,
  type EndpointConfig,
} from '@posthorn/contracts/endpoints'
import type { Caller } from '@posthorn/http/handlers'
import { changesOf, secretHintOf, urlHintOf } from '@posthorn/store/audit/changes-of'
import type { AuditChange } from '@posthorn/contracts/audit'
import type { Endpoint as Row } from '@posthorn/store/generated/client'
import type { Transaction } from '@posthorn/store/prisma'

/** The endpoints that the caller can see. */
export function endpointsOf(caller: Caller): {
  tenantId: string
  projectId?: string
  deletedAt: null
} {
  const { tenantId, projectId } = caller
  return { tenantId, deletedAt: null, ...(projectId === null ? {} : { projectId }) }
}

/** Locks an endpoint for a change; null when the caller can see none with that id. */
export async function lockEndpoint(
  transaction: Transaction,
  caller: Caller,
  id: string,
): Promise<Row | null> {
  await transaction.$queryRaw`SELECT FROM endpoints WHERE tenant_id = ${caller.tenantId}::uuid
    AND id = ${id}::uuid FOR UPDATE`
  return await transaction.endpoint.findFirst({ where: { ...endpointsOf(caller), id } })
}

/** A row that was written before a field existed has the field's default. */
export function configOf(row: { config: unknown }): EndpointConfig {
  return { ...ENDPOINT_DEFAULTS, ...(row.config as EndpointConfig) }
}

/** The part of a configuration that may be shown: everything but credentials. */
export function shownConfig(config: EndpointConfig): VersionConfig {
  return {
    url: config.url,
    eventTypes: config.eventTypes,
    description: config.description,
    filter: config.filter,
    transformation: config.transformation,
    fifo: config.fifo,
    fifoPartitionKey: config.fifoPartitionKey,
    maxRetries: config.maxRetries,
    retryBackoffMs: config.retryBackoffMs,
    retryBackoffMax: config.retryBackoffMax,
    retryBackoffMult: config.retryBackoffMult,
    timeoutMs: config.timeoutMs,
    rateLimitPerSec: config.rateLimitPerSec,
    circuitThreshold: config.circuitThreshold,
    circuitResetMs: config.circuitResetMs,
    customHeaders: config.customHeaders,
    allowedCidrs: config.allowedCidrs,
    blockedCidrs: config.blockedCidrs,
    deliveryMode: config.deliveryMode,
    storageConfig: config.storageConfig,
  }
}

export function toEndpoint(row: Row): Endpoint {
  const config = configOf(row)
  return {
    id: row.id,
    projectId: row.projectId,
    status: row.status as Endpoint['status'],
    circuitState: 'closed',
    version: row.version,
    ...shownConfig(config),
    storageKeyHint: row.storageKeyHint,
    hasMtls: row.mtlsCert !== null,
    mtlsCert: row.mtlsCert,
    signingSecretHint: row.signingSecretHint,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/**
 * What an audit row tells of a change. Customers put credentials into headers of their own and into
 * URLs.
 *
 * @param before null: the endpoint was just made
 */
export function endpointChanges(before: Row | null, after: Row): AuditChange[] {
  const hints = { url: urlHintOf, customHeaders: headerHints }
  return changesOf(before === null ? null : toEndpoint(before), toEndpoint(after), hints)
}

function headerHints(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null) return headers
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHintOf(value)]),
  )
}
