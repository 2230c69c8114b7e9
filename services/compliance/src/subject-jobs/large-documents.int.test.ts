/**
 * Documents of events with many attempts and of the largest rows: each step and each part of an
 * answer is small, so that neither memory nor the event loop is anybody's for long.
 */
import { get } from 'node:http'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { shortestOfLongestTurnsMs } from '@posthorn/testing/longest-turn'
import {
  type Json,
  startTestCompliance,
  type TestCompliance,
  type Workspace,
} from '../compliance.fixture.ts'
import { exportStep, type ExportPosition } from './export-subject.ts'
import { createSubject } from './find-references.ts'
import { plant } from './planted.fixture.ts'

const ADDRESS = 'ann@example.com'
const OTHER = 'zoe@example.com'
const STALL_MS = 25
const ATTEMPTS = 110
/** So many have the largest body: at once they would take three times the bound. */
const LARGE = 40
/** All of it has to be escaped. */
const LARGEST = '"'.repeat(256 * 1024)

let compliance: TestCompliance
let workspace: Workspace
let cookie: string
beforeAll(async () => {
  compliance = await startTestCompliance()
  workspace = await compliance.addWorkspace()
  const planter = { pool: compliance.pool, ...workspace }
  const eventId = await plant(planter, 'payload', ADDRESS)
  await compliance.pool.query(
    `INSERT INTO attempts (tenant_id, id, project_id, event_id, delivery_id, url, attempt_number,
       status_code, error, duration_ms, overhead_us, response_body, request_body)
     SELECT $1, id, $2, $3, $3, 'https://example.com/', 1, 500, '', 1, 1, '',
       CASE WHEN nth <= $6 THEN $5 END
     FROM unnest($4::uuid[]) WITH ORDINALITY AS a (id, nth)`,
    [
      workspace.tenantId,
      workspace.projectId,
      eventId,
      Array.from({ length: ATTEMPTS }, () => newId()),
      LARGEST,
      LARGE,
    ],
  )
  await plant(planter, 'audit metadata', `${ADDRESS}, ${OTHER}`)
  cookie = await workspace.sessionOf('admin')
}, 120_000)
afterAll(async () => {
  await compliance.close()
})

/** Reads an answer without keeping it. @returns how many bytes it had */
async function read(path: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  get(`${compliance.url}/api/v1${path}`, { headers: { Cookie: cookie } }, (response) => {
    let bytes = 0
    response.on('data', (chunk: Buffer) => (bytes += chunk.length))
    response.on('end', () => resolve(bytes))
    response.on('error', reject)
  }).on('error', reject)
  return await promise
}

const isShort = (ms: number): boolean => ms < STALL_MS

test('each step of an export takes some of the attempts, and none keeps others waiting', async () => {
  const subject = createSubject(ADDRESS)
  const sizes: number[] = []
  async function step(position: ExportPosition | null): Promise<ExportPosition | null> {
    const next = await exportStep(compliance.pool, workspace.tenantId, position, subject)
    sizes.push((next.pieces ?? []).length)
    return next.position
  }
  const longestMs = await shortestOfLongestTurnsMs(3, isShort, async () => {
    for (let position = await step(null); position !== null; ) position = await step(position)
  })
  expect(longestMs).toBeLessThan(STALL_MS)
  // A piece has the rows of half a mebibyte, and a step a hundred attempts: each large one is a
  // piece, and the small ones after them are one.
  expect(Math.max(...sizes)).toBe(LARGE + 1)
}, 120_000)

test('a document is sent in parts that are made one by one', async () => {
  const call = await workspace.callAs('admin')
  await call('POST', '/gdpr/data-export', { email: ADDRESS })
  await compliance.runJobs()
  const { body } = await call('GET', '/gdpr/jobs')
  const paths = [body.data[0].downloadUrl.replace('/api/v1', ''), '/gdpr/export']
  for (const path of paths) {
    let bytes = 0
    const longestMs = await shortestOfLongestTurnsMs(3, isShort, async () => {
      bytes = await read(path)
    })
    expect([path, longestMs < STALL_MS, longestMs]).toEqual([path, true, longestMs])
    expect(bytes).toBeGreaterThan(LARGE * LARGEST.length)
  }
}, 120_000)

test('an erasure finds what stands near the end of an earlier document', async () => {
  const call = await workspace.callAs('admin')
  await call('POST', '/gdpr/data-erasure', { email: OTHER })
  await compliance.runJobs()
  const { body } = await call('GET', '/gdpr/jobs')
  expect(body.data.map(({ kind, downloadUrl }: Json) => [kind, downloadUrl])).toEqual([
    ['erasure', null],
    ['export', null],
  ])
}, 60_000)
