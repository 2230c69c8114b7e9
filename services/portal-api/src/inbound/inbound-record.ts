/** An inbound endpoint as the API shows it, and the inbound endpoints that a caller can see. */
import type { AuditChange } from '@posthorn/contracts/audit'
import { INBOUND_PATH, type InboundEndpoint, type SourceConfig } from '@posthorn/contracts/inbound'
import type { Caller } from '@posthorn/http/handlers'
import { findPreset } from '@posthorn/inbound/presets'
import { changesOf, secretHintOf } from '@posthorn/store/audit/changes-of'
import type { InboundEndpoint as Row } from '@posthorn/store/generated/client'
import { type Seal, sealedAt, type SealedPlace } from '@posthorn/store/seal'
import { maskedConfig } from './source-config.ts'

/** The inbound endpoints that the caller can see. */
export function inboundEndpointsOf(caller: Caller): { tenantId: string; projectId?: string } {
  const { tenantId, projectId } = caller
  return { tenantId, ...(projectId === null ? {} : { projectId }) }
}

export function credentialsAt({ tenantId, id }: Pick<Row, 'tenantId' | 'id'>): SealedPlace {
  return sealedAt('inbound_endpoints.credentials', tenantId, id)
}

export function openConfig(
  seal: Pick<Seal, 'open'>,
  row: Pick<Row, 'tenantId' | 'id' | 'credentials'>,
): SourceConfig {
  return JSON.parse(seal.open(row.credentials, credentialsAt(row))) as SourceConfig
}

/** @param publicUrl the installation's URL, without a slash at its end */
export function sourceUrl(publicUrl: string, { pathSuffix }: Pick<Row, 'pathSuffix'>): string {
  return `${publicUrl}${INBOUND_PATH}/${pathSuffix}`
}

export async function toInboundEndpoint(
  row: Row,
  publicUrl: string,
  seal: Pick<Seal, 'open'>,
): Promise<InboundEndpoint> {
  const { lastRejectedAt: at, lastRejectionReason: reason } = row
  return {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    pathSuffix: row.pathSuffix,
    url: sourceUrl(publicUrl, row),
    source: row.source,
    sourceConfig: maskedConfig(await findPreset(row.source), openConfig(seal, row)),
    destinationIds: row.destinationIds.length === 0 ? null : row.destinationIds,
    eventTypeMapping: row.eventTypeMapping,
    description: row.description,
    transformation: row.transformation,
    status: row.status as InboundEndpoint['status'],
    receivedCount: Number(row.receivedCount),
    rejectedCount: Number(row.rejectedCount),
    lastReceivedAt: row.lastReceivedAt?.toISOString() ?? null,
    lastRejection: at === null ? null : { at: at.toISOString(), reason: reason ?? '' },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/**
 * What an audit row tells of a change: of the platform's credentials only whether there are others.
 *
 * @param before null: it was just made
 */
export function inboundChanges(
  before: Row | null,
  after: Row,
  keepsConfig: boolean,
): AuditChange[] {
  const changes = changesOf(before === null ? null : audited(before), audited(after), {
    pathSuffix: secretHintOf,
  })
  if (keepsConfig) return changes
  return [...changes, { field: 'sourceConfig', from: null, to: 'changed' }]
}

function audited(row: Row): object {
  const { name, pathSuffix, source, destinationIds, eventTypeMapping } = row
  const { description, transformation, status } = row
  const plain = { name, pathSuffix, source, destinationIds, description, transformation, status }
  return { ...plain, eventTypeMapping }
}
