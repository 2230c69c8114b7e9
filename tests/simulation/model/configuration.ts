/**
 * The model of what services read of tenants and endpoints, and of the few changes that a run makes
 * to them.
 */
import type { TargetStatus } from '../../../services/dispatcher/src/config/resolve-target.ts'
import type { Transaction } from './database.ts'
import type { EndpointRow } from './rows.ts'
import type { Statement } from './statements.ts'

function statusOf(row: EndpointRow): TargetStatus {
  return row.isDeleted ? 'deleted' : row.status
}

function readTenant(db: Transaction, tenantId: string): unknown[] {
  const tenant = db.tenants.get(tenantId)
  if (tenant === undefined) return []
  const common = {
    tenant: tenantId,
    version: tenant.configVersion,
    global_secret: 'whsec_c2VjcmV0',
    global_previous: null,
    global_until: null,
  }
  const empty = { secret: null, previous: null, until: null, mtls_cert: null, mtls_key: null }
  const living = ofTenant(db, tenantId).filter((row) => !row.isDeleted)
  const rows = living.map((row) => ({
    ...common,
    ...empty,
    storage_credentials: null,
    id: row.id,
    project_id: row.projectId,
    status: statusOf(row),
    endpoint_version: row.version,
    config: row.config,
    transforms: false,
    bytes: 500,
  }))
  return rows.length > 0 ? rows : [{ ...common, id: null }]
}

function ofTenant(db: Transaction, tenantId: unknown): EndpointRow[] {
  return db.endpoints.all().filter((row) => row.tenantId === tenantId)
}

function readSubscriptions(db: Transaction, tenant: string): unknown[] {
  const version = db.tenants.get(tenant)?.configVersion
  const rows = ofTenant(db, tenant).filter((row) => !row.isDeleted)
  if (rows.length === 0) return [{ tenant, version, endpointId: null }]
  return rows.map(({ id: endpointId, projectId, config }) => {
    const { eventTypes, filter, fifo, fifoPartitionKey } = config
    const found = { endpointId, projectId, eventTypes, filter, fifo, fifoPartitionKey }
    return { tenant, version, ...found, bytes: 500 }
  })
}

function bumpVersion(db: Transaction, tenantId: string): void {
  db.lock('tenants', tenantId)
  const tenant = db.tenants.get(tenantId)
  if (tenant !== undefined)
    db.tenants.put(tenantId, {
      ...tenant,
      configVersion: tenant.configVersion + 1,
      changedIn: db.now,
    })
}

function disable(db: Transaction, [tenantId, id, version]: readonly unknown[]): unknown[] {
  const row = db.endpoints.get(id as string)
  if (row?.version !== version || row?.status !== 'active' || row.isDeleted) return []
  db.endpoints.put(row.id, { ...row, status: 'disabled' })
  bumpVersion(db, tenantId as string)
  return [{ at: db.now / 1_000 }]
}

/** A change that the management plane makes, which is not simulated. */
function change(db: Transaction, [id, changes]: readonly unknown[]): unknown[] {
  const row = db.endpoints.get(id as string)
  if (row === undefined || row.isDeleted) return []
  db.endpoints.put(row.id, { ...row, ...(changes as Partial<EndpointRow>) })
  bumpVersion(db, row.tenantId)
  return [{}]
}

/** A statement that reads several tenants, of at most so many endpoints each. */
function ofEach(read: (db: Transaction, tenantId: string) => unknown[]): Statement {
  return (db, [tenantIds, maxEndpoints]) =>
    (tenantIds as string[]).flatMap((tenantId) =>
      read(db, tenantId).slice(0, (maxEndpoints as number | null) ?? Infinity),
    )
}

const DAY_MS = 86_400_000

export const CHANGE_ENDPOINT = 'change-endpoint'

export const CONFIGURATION: Record<string, Statement> = {
  'read-tenant-config': ofEach(readTenant),
  'read-subscriptions': ofEach(readSubscriptions),
  // Nobody here has connectors.
  'read-connector-subscriptions': () => [],
  'read-endpoint-status': (db, [, id]) => {
    const row = db.endpoints.get(id as string)
    return row === undefined ? [] : [{ status: statusOf(row) }]
  },
  // A transaction's time stands for its number.
  'changed-tenants': (db, [since]) => {
    const oldest = String(db.oldest())
    const changed = db.tenants.all().filter(({ changedIn }) => changedIn >= Number(since))
    if (changed.length === 0) return [{ oldest, id: null, version: null }]
    return changed.map(({ id, configVersion: version }) => ({ oldest, id, version }))
  },
  'disable-endpoint': disable,
  // All partitions are there, so that the services make none.
  partitions: (db) =>
    Array.from({ length: 20 }, (_, day) => {
      const date = new Date(db.now / 1_000 + (day - 2) * DAY_MS).toISOString().slice(0, 10)
      return ['events', 'deliveries', 'attempts'].map((table) => ({
        name: `${table}_${date.replaceAll('-', '')}`,
      }))
    }).flat(),
  [CHANGE_ENDPOINT]: change,
}
