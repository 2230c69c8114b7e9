/**
 * Checks payloads of events by type against the schema of their type, where it has one. A change
 * takes effect within 2 seconds.
 *
 * Fails open for a stored schema that does not compile: it compiled when it was saved, so our
 * limits must have changed since, and the tenant's events must not suffer from that.
 */
import type { FieldProblem } from '@posthorn/contracts/errors'
import { createFairCache } from '@posthorn/async/fair-cache'
import { parseJson } from '@posthorn/domain/parse-json'
import type { Caller } from '@posthorn/http/handlers'
import { refusal } from '@posthorn/http/refusal'
import { type CompiledSchema, compileSchema } from '@posthorn/json-schema/compile-schema'
import type { Pool } from '@posthorn/store/pool'
import { createTenantCache } from '@posthorn/store/tenant-cache'

export interface CheckPayload {
  /** Throws VALIDATION_ERROR with the failing paths. */
  (type: TypeInProject, payload: unknown): Promise<void>
  invalidateTenant(tenantId: string): void
  refresh(): Promise<void>
}

/** An event type as its project knows it. */
interface TypeInProject {
  tenantId: string
  projectId: string
  eventType: string
}

/** The type that an event's payload must match. A sub-account has those of its parent. */
export function schemaOf(
  { tenantId, parent }: Pick<Caller, 'tenantId' | 'parent'>,
  projectId: string,
  eventType: string,
): TypeInProject {
  if (parent === null) return { tenantId, projectId, eventType }
  return { tenantId: parent.tenantId, projectId: parent.homeProjectId, eventType }
}

export interface CheckPayloadDeps {
  pool: Pool
  log: { error(name: string, fields: Record<string, unknown>): void }
}

/** A schema of 2,500 parts takes some 2 MB; most take 20 KB. */
const MAX_COMPILED_BYTES = 64 * 1024 * 1024
const UNUSABLE_BYTES = 200

/** The memory of an entry for an event type: its name and the version of its schema. */
const ENTRY_BYTES = 512

type PayloadCheck = (payload: unknown) => FieldProblem[]
/** The schema of an event type. Its text is read when an event needs it. */
interface SchemaOfType {
  id: string
  version: string
}

export function createCheckPayload({ pool, log }: CheckPayloadDeps): CheckPayload {
  const types = createTenantCache(pool, { load: (tenantId) => readTypes(pool, tenantId) })
  const compiled = createFairCache<PayloadCheck>(MAX_COMPILED_BYTES)
  /** Events that arrive together read and compile a schema once. */
  const compiling = new Map<string, Promise<PayloadCheck>>()

  async function load(tenantId: string, { id }: SchemaOfType, key: string): Promise<PayloadCheck> {
    const text = await readSchema(pool, tenantId, id)
    const result: CompiledSchema | null =
      text === null ? null : compileSchema(parseJson(text) as Record<string, unknown>)
    const check = toCheck(result)
    const bytes = result?.outcome === 'ok' ? result.bytes : UNUSABLE_BYTES
    compiled.set(tenantId, key, check, bytes)
    return check
  }

  function checkOf(tenantId: string, type: SchemaOfType): PayloadCheck | Promise<PayloadCheck> {
    const key = `${type.id} ${type.version}`
    const known = compiled.get(tenantId, key)
    if (known !== undefined) return known
    const running = compiling.get(key)
    if (running !== undefined) return running
    const promise = load(tenantId, type, key).finally(() => compiling.delete(key))
    compiling.set(key, promise)
    return promise
  }

  function toCheck(result: CompiledSchema | null): PayloadCheck {
    if (result?.outcome === 'ok') return result.validate
    // The event type was deleted meanwhile, or its schema was saved under other limits.
    if (result !== null) {
      log.error('event-type.schema-not-usable', { problems: result.problems.slice(0, 5) })
    }
    return () => []
  }

  async function check(type: TypeInProject, payload: unknown): Promise<void> {
    const { tenantId } = type
    const own = types.peek(tenantId) ?? (await types.get(tenantId))
    const schema = own.get(`${type.projectId} ${type.eventType}`)
    if (schema === undefined) return
    const found = checkOf(tenantId, schema)
    const problems = (found instanceof Promise ? await found : found)(payload)
    if (problems.length > 0) throw refusal('VALIDATION_ERROR', 'payload', problems)
  }

  return Object.assign(check, {
    invalidateTenant: (tenantId: string) => types.invalidate(tenantId),
    refresh: () => types.refresh(),
  })
}

async function readSchema(pool: Pool, tenantId: string, id: string): Promise<string | null> {
  const { rows } = await pool.query<{ schema: string | null }>({
    name: 'read-event-type-schema',
    text: 'SELECT schema FROM event_types WHERE tenant_id = $1 AND id = $2',
    values: [tenantId, id],
  })
  return rows[0]?.schema ?? null
}

/**
 * The schemas by project and event type. Postgres knows the length of a text without reading it.
 */
async function readTypes(
  pool: Pool,
  tenantId: string,
): Promise<{ version: number; value: Map<string, SchemaOfType>; bytes: number }> {
  const { rows } = await pool.query<{
    version: number
    project: string | null
    name: string
    id: string
    changed: string
  }>({
    name: 'read-event-types-with-schema',
    text: `SELECT t.config_version::float8 AS version, e.project_id AS project, e.name, e.id,
        e.updated_at::text || ' ' || octet_length(e.schema) AS changed
      FROM tenants t LEFT JOIN event_types e ON e.tenant_id = t.id AND e.schema IS NOT NULL
      WHERE t.id = $1`,
    values: [tenantId],
  })
  const value = new Map<string, SchemaOfType>()
  for (const { project, name, id, changed } of rows)
    if (project !== null) value.set(`${project} ${name}`, { id, version: changed })
  const bytes = ENTRY_BYTES * (1 + value.size)
  return { version: rows[0]?.version ?? 0, value, bytes }
}
