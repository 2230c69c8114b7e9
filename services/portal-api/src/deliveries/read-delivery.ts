/** One attempt, with the headers that it was sent with. */
import { parseHeaders } from '@posthorn/contracts/due-delivery'
import { type Brand, deliveryHeaderNames } from '@posthorn/domain/brand'
import { standardSignature } from '@posthorn/domain/signature'
import type { Handlers } from '@posthorn/http/handlers'
import type { Pool } from '@posthorn/store/pool'
import { type Seal, sealedAt } from '@posthorn/store/seal'
import { notFound } from '../refusals.ts'
import { ATTEMPT_COLUMNS, type AttemptRow, toAttempt } from './attempt-record.ts'
import { rebuildRequestHeaders } from './request-headers.ts'

export interface ReadDeliveryConfig {
  brand: Brand
  /** The version of this installation, as in `Posthorn/<version>`. */
  version: string
}

export interface ReadDeliveryDeps {
  pool: Pool
  seal: Pick<Seal, 'open'>
}

const AS_OBJECT = { 'Content-Type': 'application/json' }

interface DetailRow extends AttemptRow {
  /** JSON text. */
  event_headers: string | null
  trace_id: string | null
  custom_headers: Record<string, string> | null
  /** The endpoint's sealed secret; null: the tenant's secret signs. */
  endpoint_secret: string | null
  tenant_secret: string
}

// Retention may have removed the event before its attempts. A version outlives its endpoint.
const DETAIL = `SELECT ${ATTEMPT_COLUMNS}, e.headers AS event_headers, e.trace_id,
    v.config -> 'customHeaders' AS custom_headers, n.signing_secret AS endpoint_secret,
    t.signing_secret AS tenant_secret
  FROM attempts a
  JOIN tenants t ON t.id = a.tenant_id
  LEFT JOIN events e ON e.tenant_id = a.tenant_id AND e.id = a.event_id
  LEFT JOIN endpoints n ON n.tenant_id = a.tenant_id AND n.id = a.endpoint_id
  LEFT JOIN endpoint_versions v ON v.tenant_id = a.tenant_id AND v.endpoint_id = a.endpoint_id
    AND v.version = a.endpoint_version
  WHERE a.tenant_id = $1 AND a.id = $2 AND ($3::uuid IS NULL OR a.project_id = $3)`

export function createReadDelivery(
  config: ReadDeliveryConfig,
  { pool, seal }: ReadDeliveryDeps,
): Handlers<'portal-api'>['getDelivery'] {
  const names = deliveryHeaderNames(config.brand)
  const userAgent = `Posthorn/${config.version}`

  /**
   * A secret that can't be opened, because its master key is lost, must not keep anybody from
   * reading the attempt.
   */
  function isStandard(tenantId: string, row: DetailRow): boolean {
    const { endpoint_secret: own, tenant_secret: global, endpoint_id: id } = row
    try {
      const secret =
        own === null || id === null
          ? seal.open(global, sealedAt('tenants.signing_secret', tenantId))
          : seal.open(own, sealedAt('endpoints.signing_secret', tenantId, id))
      return standardSignature(secret, '', 0, '') !== null
    } catch {
      return false
    }
  }

  return async ({ caller, params }) => {
    const values = [caller.tenantId, params['deliveryId'] ?? '', caller.projectId]
    const { rows } = await pool.query<DetailRow>({ name: 'one-attempt', text: DETAIL, values })
    const row = rows[0]
    if (row === undefined) throw notFound('delivery')
    // An object in a storage sink carries none of the event's headers.
    if (row.url.startsWith('storage://')) return { ...toAttempt(row), requestHeaders: AS_OBJECT }
    const requestHeaders = rebuildRequestHeaders({
      names,
      userAgent,
      attemptId: row.id,
      eventId: row.event_id,
      deliveryId: row.delivery_id,
      attemptNumber: row.attempt_number,
      eventType: row.event_type,
      traceId: row.trace_id,
      customHeaders: row.custom_headers,
      eventHeaders: parseHeaders(row.event_headers),
      hasStandardSignature: isStandard(caller.tenantId, row),
    })
    return { ...toAttempt(row), requestHeaders }
  }
}
