/** A connector as the API shows it, and its settings as they are stored. */
import type { Connector, ConnectorTemplate } from '@posthorn/contracts/connectors'
import type { ConnectorRow } from '@posthorn/store/alerting/connectors'
import { type Seal, sealedAt, type SealedPlace } from '@posthorn/store/seal'
import { maskSecrets } from './masked-secrets.ts'

type ConnectorKey = Pick<ConnectorRow, 'tenantId' | 'id'>
export type ConnectorConfig = Record<string, unknown>

export function configAt({ tenantId, id }: ConnectorKey): SealedPlace {
  return sealedAt('connectors.config', tenantId, id)
}

export function openConfig(
  seal: Pick<Seal, 'open'>,
  row: Pick<ConnectorRow, 'tenantId' | 'id' | 'config'>,
): ConnectorConfig {
  return JSON.parse(seal.open(row.config, configAt(row))) as ConnectorConfig
}

export function toConnector(row: ConnectorRow, seal: Pick<Seal, 'open'>): Connector {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    config: maskSecrets(openConfig(seal, row)),
    template: row.template === null ? null : shown(row.template),
    eventTypes: row.eventTypes,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function shown({ title, text, color }: ConnectorTemplate): Connector['template'] {
  return { title: title ?? null, text: text ?? null, color: color ?? null }
}
