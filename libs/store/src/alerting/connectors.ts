/** Connectors: what is read and written of them. */
import type { ConnectorTemplate, ConnectorType } from '@posthorn/contracts/connectors'
import { planOf } from '../caller-tenant.ts'
import type { TransactionClient } from '../transaction.ts'
import type { RuleScope } from './rules.ts'

export interface ConnectorRow {
  tenantId: string
  id: string
  /** null: the whole workspace's. */
  projectId: string | null
  name: string
  type: ConnectorType
  /** Sealed. */
  config: string
  template: ConnectorTemplate | null
  eventTypes: string[]
  createdAt: Date
  updatedAt: Date
}

export interface PlannedConnectorRow extends ConnectorRow {
  /** The plan of the workspace's subscription in force; null: there is none. */
  plan: string | null
}

const COLUMNS = `c.tenant_id AS "tenantId", c.id, c.project_id AS "projectId", c.name, c.type,
  c.config, c.template, c.event_types AS "eventTypes", c.created_at AS "createdAt",
  c.updated_at AS "updatedAt"`
const IN_SCOPE = 'c.tenant_id = $1 AND ($2::uuid IS NULL OR c.project_id = $2)'

/** @param lock until the end of the transaction nobody else changes or deletes it */
export async function findConnector(
  client: TransactionClient,
  { tenantId, projectId }: RuleScope,
  name: string,
  lock: 'FOR UPDATE' | 'FOR SHARE' | '' = '',
): Promise<ConnectorRow | null> {
  const { rows } = await client.query<ConnectorRow>({
    name: `find-connector ${lock}`,
    text: `SELECT ${COLUMNS} FROM connectors c WHERE ${IN_SCOPE} AND c.name = $3 ${lock}`,
    values: [tenantId, projectId, name],
  })
  return rows[0] ?? null
}

export async function findConnectorById(
  client: TransactionClient,
  tenantId: string,
  id: string,
): Promise<PlannedConnectorRow | null> {
  const { rows } = await client.query<PlannedConnectorRow>({
    name: 'find-connector-by-id',
    text: `SELECT ${COLUMNS}, ${planOf('c.tenant_id')} AS plan FROM connectors c
      WHERE c.tenant_id = $1 AND c.id = $2`,
    values: [tenantId, id],
  })
  return rows[0] ?? null
}

/** Newest first. */
export async function listConnectors(
  client: TransactionClient,
  { tenantId, projectId }: RuleScope,
  after: string | null,
  limit: number,
): Promise<ConnectorRow[]> {
  const { rows } = await client.query<ConnectorRow>({
    name: 'list-connectors',
    text: `SELECT ${COLUMNS} FROM connectors c
      WHERE ${IN_SCOPE} AND ($3::uuid IS NULL OR c.id < $3) ORDER BY c.id DESC LIMIT $4`,
    values: [tenantId, projectId, after, limit],
  })
  return rows
}

export type NewConnector = Omit<ConnectorRow, 'createdAt' | 'updatedAt'>

/** @returns null: the name is taken */
export async function insertConnector(
  client: TransactionClient,
  { tenantId, id, projectId, name, type, config, template, eventTypes }: NewConnector,
): Promise<ConnectorRow | null> {
  const { rows } = await client.query<ConnectorRow>({
    name: 'insert-connector',
    text: `INSERT INTO connectors AS c (tenant_id, id, project_id, name, type, config, template,
        event_types)
      VALUES ($1, $2, $3, $4, $5, $6, $7::json, $8)
      ON CONFLICT (tenant_id, name) DO NOTHING RETURNING ${COLUMNS}`,
    values: [tenantId, id, projectId, name, type, config, jsonOrNull(template), eventTypes],
  })
  return rows[0] ?? null
}

export async function rewriteConnector(
  client: TransactionClient,
  { tenantId, id, config, template, eventTypes }: NewConnector,
): Promise<ConnectorRow> {
  const { rows } = await client.query<ConnectorRow>({
    name: 'rewrite-connector',
    text: `UPDATE connectors c SET config = $3, template = $4::json, event_types = $5,
        updated_at = now()
      WHERE c.tenant_id = $1 AND c.id = $2 RETURNING ${COLUMNS}`,
    values: [tenantId, id, config, jsonOrNull(template), eventTypes],
  })
  return rows[0] as ConnectorRow
}

/** What waits for it goes with it. */
export async function deleteConnector(
  client: TransactionClient,
  { tenantId, id }: Pick<ConnectorRow, 'tenantId' | 'id'>,
): Promise<void> {
  await client.query({
    name: 'delete-connector',
    text: `WITH waiting AS (
        DELETE FROM alert_notifications WHERE tenant_id = $1 AND target = $2
      )
      DELETE FROM connectors WHERE tenant_id = $1 AND id = $2`,
    values: [tenantId, id],
  })
}

/** The names of some rules that notify by a connector. */
export async function rulesNaming(
  client: TransactionClient,
  tenantId: string,
  connectorName: string,
): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>({
    name: 'rules-naming-connector',
    text: `SELECT name FROM alert_rules WHERE tenant_id = $1 AND connector_name = $2
      ORDER BY name LIMIT 20`,
    values: [tenantId, connectorName],
  })
  return rows.map(({ name }) => name)
}

/** As `countRules`. */
export async function countConnectors(
  client: TransactionClient,
  tenantId: string,
): Promise<number> {
  await client.query({
    name: 'lock-tenant',
    text: 'SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE',
    values: [tenantId],
  })
  const { rows } = await client.query<{ n: number }>({
    name: 'count-connectors',
    text: 'SELECT count(*)::int AS n FROM connectors WHERE tenant_id = $1',
    values: [tenantId],
  })
  return rows[0]?.n ?? 0
}

/** Fan-out reads which connectors subscribe to what with the version of the configuration. */
export async function markConfigChanged(
  client: TransactionClient,
  tenantId: string,
): Promise<void> {
  await client.query({
    name: 'mark-config-changed',
    text: 'UPDATE tenants SET config_version = config_version + 1 WHERE id = $1',
    values: [tenantId],
  })
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}
