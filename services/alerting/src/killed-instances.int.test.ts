/**
 * Three instances of alerting on one database, one of which is killed each second: rules fire and
 * resolve once, and everybody is told.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { alerting, MASTER_KEY, setCounts, tenant, useAlerting } from './alerting.fixture.ts'

useAlerting()

const RULES = 40
const INSTANCES = 3
const KILLS_A_PHASE = 5

interface SentLine {
  id: string
  status: string
  dedupKey: string
}

const instances = new Set<ChildProcess>()
afterEach(() => {
  for (const instance of instances) instance.kill('SIGKILL')
})

async function startInstance(sent: SentLine[]): Promise<void> {
  const path = fileURLToPath(new URL('alerts-process.fixture.ts', import.meta.url))
  const env = { TEST_DATABASE: alerting.databaseUrl, TEST_MASTER_KEY: MASTER_KEY }
  const instance = spawn(process.execPath, [path], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  instances.add(instance)
  const lines = createInterface({ input: instance.stdout as NodeJS.ReadableStream })
  await once(lines, 'line')
  lines.on('line', (line) => {
    // A line that was cut off by the kill was not sent.
    if (line.endsWith('}')) sent.push(JSON.parse(line))
  })
}

async function replaceOldest(sent: SentLine[]): Promise<void> {
  const [oldest] = instances
  if (oldest === undefined) throw new Error('no instance runs')
  const ended = once(oldest, 'exit')
  oldest.kill('SIGKILL')
  await ended
  instances.delete(oldest)
  // This takes the better part of a second.
  await startInstance(sent)
}

/** As when their ten seconds are over, and the leases of those who were killed. */
async function makeDue(): Promise<void> {
  await alerting.pool.query('UPDATE alert_rules SET next_eval_at = now()')
  await alerting.pool.query('UPDATE notification_targets SET blocked_until = now()')
}

async function countHistory(status: string): Promise<{ rows: number; rules: number }> {
  const { rows } = await alerting.pool.query(
    `SELECT count(*)::int AS rows, count(DISTINCT (rule_id, episode))::int AS rules
     FROM alert_history WHERE status = $1`,
    [status],
  )
  return rows[0]
}

test('three instances, of which one is killed each second, tell each rule’s episode once', async () => {
  const condition = { metric: 'failure_rate', operator: 'gt', value: 50 }
  for (let index = 0; index < RULES; index += 1) {
    const action = { type: 'webhook', webhookUrl: `https://example.com/${index}` }
    const body = { name: `rule ${index}`, condition, action }
    expect((await tenant.call('POST', '/alerting/rules', body)).status).toBe(201)
  }
  const sent: SentLine[] = []
  for (let index = 0; index < INSTANCES; index += 1) await startInstance(sent)

  for (const [status, counts] of [
    ['firing', { succeeded: 0, failed: 5 }],
    ['resolved', { succeeded: 5, failed: 0 }],
  ] as const) {
    await setCounts(tenant, counts)
    for (let kill = 0; kill < KILLS_A_PHASE; kill += 1) {
      await makeDue()
      await eventually(async () => expect((await countHistory(status)).rows).toBeGreaterThan(0))
      await replaceOldest(sent)
    }
    await eventually(
      async () => {
        await makeDue()
        expect(await countHistory(status)).toEqual({ rows: RULES, rules: RULES })
        const told = sent.filter((one) => one.status === status).map(({ dedupKey }) => dedupKey)
        expect(new Set(told).size).toBe(RULES)
      },
      { everyMs: 500, timeoutMs: 60_000 },
    )
  }
  // One that was killed between sending and recording is sent again, under the same id.
  expect(new Set(sent.map(({ id }) => id)).size).toBe(2 * RULES)
}, 180_000)
