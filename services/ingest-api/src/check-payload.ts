/**
 * Payloads of events by type against the schema of their type, where it has one. A change is in
 * force within 2 seconds.
 *
 * Fails open for a stored schema that does not compile: it was checked when it was saved, so it is
 * our limits that have changed, and the tenant's events must not suffer from that.
 */
import type { FieldProblem } from '@posthorn/contracts/errors'
import { refusal } from '@posthorn/http/parse-request'
import { type CompiledSchema, compileSchema } from '@posthorn/http/json-schema'
import type { Pool } from '@posthorn/store/pool'
import { createTenantCache } from '@posthorn/store/tenant-cache'

export interface CheckPayload {
  /** Throws VALIDATION_ERROR with the failing paths. */
  (
    type: { tenantId: string; projectId: string; eventType: string },
    payload: unknown,
  ): Promise<void>
  invalidateTenant(tenantId: string): void
  refresh(): Promise<void>
}

export interface CheckPayloadDeps {
  pool: Pool
  log: { error(name: string, fields: Record<string, unknown>): void }
}

/** Compiled, a schema of 64 KiB takes some 2 MB; most take 20 KB. The longest unused go first. */
const MAX_COMPILED = 500

/** Of a schema that is kept as text, beside the text. */
const ENTRY_BYTES = 256

type Check = (payload: unknown) => FieldProblem[]

export function createCheckPayload({ pool, log }: CheckPayloadDeps): CheckPayload {
  const schemas = createTenantCache(pool, (tenantId) => readSchemas(pool, tenantId))
  /**
   * By the schema's text: a new version of the tenant's configuration compiles nothing that it had.
   */
  const compiled = new Map<string, Check>()

  function checkOf(text: string): Check {
    const known = compiled.get(text)
    const check = known ?? toCheck(compileSchema(JSON.parse(text)))
    compiled.delete(text)
    compiled.set(text, check)
    if (compiled.size > MAX_COMPILED) {
      const [oldest] = compiled.keys()
      if (oldest !== undefined) compiled.delete(oldest)
    }
    return check
  }

  function toCheck(result: CompiledSchema): Check {
    if (result.outcome === 'ok') return result.validate
    log.error('event-type.schema-not-usable', { problems: result.problems })
    return () => []
  }

  async function check(
    type: { tenantId: string; projectId: string; eventType: string },
    payload: unknown,
  ): Promise<void> {
    const own = schemas.peek(type.tenantId) ?? (await schemas.get(type.tenantId))
    const text = own.get(`${type.projectId} ${type.eventType}`)
    if (text === undefined) return
    const problems = checkOf(text)(payload)
    if (problems.length > 0) throw refusal('VALIDATION_ERROR', 'payload', problems)
  }

  return Object.assign(check, {
    invalidateTenant: (tenantId: string) => schemas.invalidate(tenantId),
    refresh: () => schemas.refresh(),
  })
}

/** By project and name. */
async function readSchemas(
  pool: Pool,
  tenantId: string,
): Promise<{ version: number; value: Map<string, string>; bytes: number }> {
  const { rows } = await pool.query<{
    version: number
    project: string | null
    name: string
    schema: string
  }>({
    name: 'read-event-type-schemas',
    text: `SELECT t.config_version::float8 AS version, e.project_id AS project, e.name, e.schema
      FROM tenants t LEFT JOIN event_types e ON e.tenant_id = t.id AND e.schema IS NOT NULL WHERE t.id = $1`,
    values: [tenantId],
  })
  const value = new Map<string, string>()
  let bytes = ENTRY_BYTES
  for (const { project, name, schema } of rows) {
    if (project === null) continue
    value.set(`${project} ${name}`, schema)
    bytes += ENTRY_BYTES + schema.length
  }
  return { version: rows[0]?.version ?? 0, value, bytes }
}
