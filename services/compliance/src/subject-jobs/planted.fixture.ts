/** References to a person and near misses, planted in every place that may hold them. For tests. */
import { newId } from '@posthorn/domain/ids'
import { acceptEvents } from '@posthorn/store/pipeline/accept-events'
import type { Pool } from '@posthorn/store/pool'
import { directTargetId } from '@posthorn/domain/target'

function hex(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, '0')
}
const percent = (text: string): string => text.replaceAll(/./gs, (c) => `%${hex(c, 2)}`)
const json = (text: string): string => text.replaceAll(/./gs, (c) => `\\u${hex(c, 4)}`)
const titled = (text: string): string => text.replaceAll(/\b[a-z]/g, (c) => c.toUpperCase())

/** Texts that may stand within a JSON string. */
export const SPELLINGS: readonly ((address: string) => string)[] = [
  (address) => address,
  (address) => address.toUpperCase(),
  titled,
  (address) => address.replace('@', '%40'),
  (address) => address.replace('@', String.raw`\u0040`),
  percent,
  json,
  (address) => `Ann <${address}>, Bob`,
  (address) => `https://shop.example/?to=${encodeURIComponent(address)}&x=1`,
  (address) => JSON.stringify(JSON.stringify({ to: address })).slice(1, -1),
]

/** Other addresses that have this one as a part, or a part of it. */
export const NEAR_MISSES: readonly ((address: string) => string)[] = [
  (address) => `jo${address}`,
  (address) => `jo.${address}`,
  (address) => `jo+${address}`,
  (address) => `jo-${address}`,
  (address) => `${address}.au`,
  (address) => `${address}munity`,
  (address) => address.slice(1),
  (address) => address.slice(0, -1),
  (address) => address.replace('@', '@mail.'),
  (address) => address.replace('@', '+shop@'),
]

export type Place =
  | 'payload'
  | 'headers'
  | 'key'
  | 'response body'
  | 'response headers'
  | 'request body'
  | 'audit metadata'
  | 'audit actor'
export const PLACES: readonly Place[] = [
  'payload',
  'headers',
  'key',
  'response body',
  'response headers',
  'request body',
  'audit metadata',
  'audit actor',
]

export interface Planter {
  pool: Pool
  tenantId: string
  projectId: string
}

/** @returns the id of the row that holds the text, and the array of an export that must show it */
export async function plant(planter: Planter, place: Place, text: string): Promise<string> {
  if (place.startsWith('audit')) return await plantAudit(planter, place, text)
  const eventId = await plantEvent(planter, {
    payload: place === 'payload' ? `{"note":"${text}"}` : '{}',
    headers: place === 'headers' ? `{"x-note":"${text}"}` : null,
    key: place === 'key' ? `${text} ${newId()}` : newId(),
  })
  if (place === 'payload' || place === 'headers' || place === 'key') return eventId
  const id = newId()
  await planter.pool.query(
    `INSERT INTO attempts (tenant_id, id, project_id, event_id, delivery_id, url, attempt_number,
       status_code, error, duration_ms, overhead_us, response_body, response_headers, request_body)
     VALUES ($1, $2, $3, $4, $4, 'https://example.com/', 1, 200, '', 1, 1, $5, $6, $7)`,
    [
      planter.tenantId,
      id,
      planter.projectId,
      eventId,
      place === 'response body' ? text : '',
      place === 'response headers' ? `{"x-note":"${text}"}` : null,
      place === 'request body' ? `{"note":"${text}"}` : null,
    ],
  )
  for (const statement of [
    'UPDATE deliveries SET tries = 1 WHERE tenant_id = $1 AND id = $2',
    'UPDATE events SET attempts = 1 WHERE tenant_id = $1 AND id = $2',
  ])
    await planter.pool.query(statement, [planter.tenantId, eventId])
  return id
}

interface PlantedEvent {
  payload: string
  headers: string | null
  key: string
}

async function plantEvent(
  { pool, tenantId, projectId }: Planter,
  { payload, headers, key }: PlantedEvent,
): Promise<string> {
  const [id, destination] = [newId(), 'https://example.com/']
  const targetId = directTargetId(tenantId, destination)
  const [outcome] = await acceptEvents(pool, [
    {
      tenantId,
      projectId,
      id,
      source: 'api',
      idempotencyKey: key,
      destination,
      targetId,
      eventType: null,
      payload,
      headers,
      maxAttempts: null,
      priority: 5,
      traceId: 'trace',
      delaySeconds: 0,
    },
  ])
  if (outcome?.outcome !== 'accepted') throw new Error('a new event was not accepted')
  return id
}

async function plantAudit(
  { pool, tenantId }: Planter,
  place: Place,
  text: string,
): Promise<string> {
  const id = newId()
  const metadata = place === 'audit metadata' ? { note: unquoted(text) } : {}
  await pool.query(
    `INSERT INTO audit_logs (tenant_id, id, action, resource, actor_type, actor_name, metadata)
     VALUES ($1, $2, 'team.invite', 'team', 'user', $3, $4)`,
    [tenantId, id, place === 'audit actor' ? text : 'Somebody', JSON.stringify(metadata)],
  )
  return id
}

function unquoted(text: string): unknown {
  return JSON.parse(`"${text}"`)
}

/** Every row of every table but the partitions' parents, as text. */
export async function dump(pool: Pool): Promise<Map<string, string[]>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = (
       SELECT relnamespace FROM pg_class WHERE oid = 'tenants'::regclass)`,
  )
  const dumped = new Map<string, string[]>()
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`)
    dumped.set(
      name,
      rows.map(({ text }) => text),
    )
  }
  return dumped
}
