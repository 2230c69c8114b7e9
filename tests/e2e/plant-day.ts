/**
 * A day of counts for a workspace of tests, as if its attempts had happened: charts and previews of
 * rules look back, and a test can't wait for yesterday. They go through the outbox that the product
 * folds.
 */
import { expect } from '@jest/globals'
import { ENTRY_KIND, type EntryKind, writeOutboxSql } from '@posthorn/store/rollups/entries'
import { cellOf } from '@posthorn/store/rollups/latency-cells'
import { openPool } from '@posthorn/store/pool'
import { eventually } from '@posthorn/testing/eventually'
import { type Browsing, PATIENCE_MS } from './browsing.ts'

interface PlantedDay {
  databaseUrl: string
  tenantId: string
  /** null: a sub-account counts to no project. */
  projectId: string | null
  endpointId: string
}

interface Planted {
  kind: EntryKind
  /** Seconds since 1970. */
  second: number
  times: number
  ms: number
}

const STEP_SECONDS = 600
const DAY_SECONDS = 86_400
/** So long ago the endpoint answered 503 to every third request, for an hour and a half. */
const TROUBLE_SECONDS = { from: 10 * 3_600, to: 8.5 * 3_600 }

/**
 * A workspace with an endpoint that has run for a day, with an hour and a half of trouble.
 * @returns the endpoint's id, once everything is counted
 */
export async function openShopOfADay({ posthorn, receiver, must }: Browsing): Promise<string> {
  const shop = {
    url: `${receiver.url}/orders`,
    eventTypes: ['order.*'],
    description: 'Back office',
  }
  const endpoint = await must('POST', '/api/v1/endpoints', shop)
  const projects = await must('GET', '/api/v1/projects')
  const { databaseUrl, tenantId } = posthorn
  const projectId = projects.data[0].id as string
  await plantDay({ databaseUrl, tenantId, projectId, endpointId: endpoint.id })
  await posthorn.send({ eventType: 'order.paid', payload: { orderId: 'o_1' } })
  const isCounted = async () => {
    const summary = await must('GET', '/api/v1/analytics/summary')
    expect(summary.data).toHaveLength(25)
  }
  await eventually(isCounted, { timeoutMs: PATIENCE_MS })
  return endpoint.id
}

export async function plantDay({ databaseUrl, ...ids }: PlantedDay): Promise<void> {
  const now = Math.floor(Date.now() / 1_000)
  const entries = Array.from({ length: DAY_SECONDS / STEP_SECONDS }, (_, step) =>
    stepOf(now, DAY_SECONDS - step * STEP_SECONDS),
  )
  const rows = entries.flat().map(({ kind, second, times, ms }) => ({
    tenant_id: ids.tenantId,
    project_id: kind === 'made' ? null : ids.projectId,
    endpoint_id: kind === 'accepted' ? null : ids.endpointId,
    code: String(codeOf(kind, second, times, ms)),
  }))
  const pool = openPool({ url: databaseUrl, max: 1, name: 'test', onError: () => {} })
  const given = `SELECT * FROM json_to_recordset($1::json)
    AS i (tenant_id uuid, project_id uuid, endpoint_id uuid, code bigint)`
  await pool.query(`WITH ${writeOutboxSql('planted', given)} SELECT 1`, [JSON.stringify(rows)])
  await pool.end()
}

/** @param ago seconds; what a step of ten minutes counts follows from it alone */
function stepOf(now: number, ago: number): Planted[] {
  const second = now - ago
  const wave = Math.sin((2 * Math.PI * ago) / DAY_SECONDS)
  const sent = Math.round(40 + 25 * wave + (ago % 7))
  const isTrouble = ago <= TROUBLE_SECONDS.from && ago > TROUBLE_SECONDS.to
  const failed = isTrouble ? Math.round(sent / 3) : ago % 3_600 === 0 ? 1 : 0
  const slow = isTrouble ? 900 : 0
  const all: Planted[] = [
    { kind: 'accepted', second, times: sent, ms: 0 },
    { kind: 'made', second, times: sent, ms: 0 },
    { kind: 'succeeded', second, times: Math.round(sent * 0.8), ms: 60 + (ago % 31) + slow },
    { kind: 'succeeded', second, times: Math.ceil(sent * 0.15), ms: 180 + (ago % 53) + slow },
    { kind: 'succeeded', second, times: 1, ms: 420 + slow },
    { kind: 'http_5xx', second, times: failed, ms: 35 },
    { kind: 'timeout', second, times: Math.floor(failed / 4), ms: 30_000 },
  ]
  return all.filter(({ times }) => times > 0)
}

/** Exact in a double while `times` is below 512. */
function codeOf(kind: EntryKind, second: number, times: number, ms: number): number {
  return (times - 1) * 2 ** 44 + second * 2 ** 12 + ENTRY_KIND[kind] * 2 ** 7 + cellOf(ms)
}
