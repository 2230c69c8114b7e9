/**
 * Measures how long the pages take to show their first rows over millions of events.
 * `node tests/load/pages/main.ts` starts a product of its own, fills it with 5 million events of a
 * workspace, a million of one of its customers and half a million changes, and then opens each page
 * and uses each of its filters in Chromium: cold, with nothing of the database in memory and a new
 * browser, and warm. It prints the medians, and ends with 1 when one is over a second.
 *
 * `--events`, `--customer-events` and `--changes` change the sizes, `--cold` and `--warm` how often
 * each is measured. With `--data <folder>` the filled product is kept there, and found again.
 */
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startChromium } from '@posthorn/testing/chromium'
import { settleTables } from '../fill-finished.ts'
import { disturbance, readTicks, thisMachine } from '../machine.ts'
import { type Product, startProduct } from '../product.ts'
import { openVisitors, type StepTime } from './measure-steps.ts'
import { type CallApi, makeStage, type PageStage } from './page-stage.ts'
import { stepsOf } from './page-steps.ts'
import { tableOf } from './step-table.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '5000000' },
    'customer-events': { type: 'string', default: '1000000' },
    changes: { type: 'string', default: '500000' },
    cold: { type: 'string', default: '3' },
    warm: { type: 'string', default: '5' },
    data: { type: 'string' },
  },
})
const DAYS = 6
const LIMIT_MS = 1_000
const checkout = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')

function say(line: string): void {
  process.stderr.write(`pages: ${line}\n`)
}

const dataDir = resolve(values.data ?? (await mkdtemp(join(tmpdir(), 'posthorn-pages-'))))
await mkdir(dataDir, { recursive: true })
// As root, Postgres runs as another user, which has to reach its files.
await chmod(dataDir, 0o711)
let running: Product | undefined

const start = async (): Promise<Product> =>
  (running = await startProduct({ checkout, mode: 'standalone', dataDir, args: [], settings: {} }))

const callOf =
  (product: Product): CallApi =>
  async (...given) =>
    await product.call(...given)

/** What an earlier run made in a folder that is kept. */
async function findStage(product: Product): Promise<PageStage> {
  const file = join(dataDir, 'stage.json')
  const kept = await readFile(file, 'utf8').catch(() => null)
  if (kept !== null) return JSON.parse(kept) as PageStage
  const { rows } = await product.database.query<{ id: string }>('SELECT id FROM tenants LIMIT 1')
  const plan = {
    events: Number(values.events),
    customerEvents: Number(values['customer-events']),
    changes: Number(values.changes),
    days: DAYS,
  }
  const deps = { call: callOf(product), database: product.database, say }
  const stage = await makeStage(plan, { ...deps, tenantId: rows[0]?.id ?? '' })
  await settleTables(product.database)
  await writeFile(file, JSON.stringify(stage))
  return stage
}

/** Takes the stopped product's files out of the memory in which the system keeps what was read. */
function forgetFiles(): void {
  const forget = ['dd', 'if={}', 'iflag=nocache', 'count=0', 'status=none']
  const files = [dataDir, '-type', 'f', '-size', '+0']
  const done = spawnSync('find', [...files, '-exec', ...forget, ';'], { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`the files stay in memory: ${done.stderr}`)
}

async function measure(): Promise<{ cold: StepTime[]; warm: StepTime[] }> {
  const stage = await findStage(await start())
  const browser = await startChromium()
  const times: { cold: StepTime[]; warm: StepTime[] } = { cold: [], warm: [] }
  const steps = stepsOf(stage)
  for (let round = 0; round < Number(values.cold); round += 1) {
    await running?.stop()
    forgetFiles()
    const product = await start()
    const { url, apiKey } = product
    const { customerId } = stage
    const given = { browser, url, apiKey, call: callOf(product), customerId }
    const visitors = await openVisitors(given)
    times.cold.push(...(await visitors.measure(steps)))
    say(`cold, ${round + 1}`)
    const isLast = round + 1 === Number(values.cold)
    for (let again = 0; isLast && again < Number(values.warm); again += 1) {
      times.warm.push(...(await visitors.measure(steps)))
      say(`warm, ${again + 1}`)
    }
    await visitors.leave()
  }
  await browser.close()
  return times
}

const before = readTicks()
const times = await measure().finally(async () => {
  await running?.stop()
  if (values.data === undefined) await rm(dataDir, { recursive: true, force: true })
})
const { steal } = disturbance(before, readTicks(), 0)
const { lines, slow } = tableOf(times, LIMIT_MS)
const { processors, model, memoryGiB } = thisMachine()
const machine = `${processors} x ${model}, ${memoryGiB} GiB; steal ${(steal * 100).toFixed(1)} %`
process.stdout.write(`${machine}\n\n${lines.join('\n')}\n`)
for (const one of slow) say(`over a second: ${one}`)
if (slow.length > 0) process.exitCode = 1
