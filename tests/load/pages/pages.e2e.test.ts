/**
 * The measurement of the pages in its small form: every step is done and shows what it looks for.
 * How long each takes is measured over millions of events, by `main.ts`.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openPool, type Pool } from '@posthorn/store/pool'
import { type Browser, joinBrowser } from '../../e2e/products/join-browser.ts'
import { joinProduct, type SharedProduct } from '../../e2e/products/join-product.ts'
import { openVisitors } from './measure-steps.ts'
import { type CallApi, makeStage } from './page-stage.ts'
import { stepsOf } from './page-steps.ts'
import { tableOf } from './step-table.ts'

const SMALL = { events: 4_000, customerEvents: 1_000, changes: 500, days: 2 }

let posthorn: SharedProduct
let browser: Browser
let database: Pool

beforeAll(async () => {
  posthorn = await joinProduct('standalone')
  browser = await joinBrowser()
  const { databaseUrl } = posthorn
  database = openPool({ url: databaseUrl, max: 2, name: 'test', onError: () => {} })
}, 450_000)

afterAll(async () => {
  await database?.end()
  await browser?.close()
  await posthorn?.leave()
}, 60_000)

test('each step over a filled workspace shows what it looks for', async () => {
  const { url, apiKey, tenantId } = posthorn
  const call: CallApi = async (...given) => {
    const answer = await posthorn.call(...given)
    if (answer.status >= 400) throw new Error(answer.text)
    return answer.body
  }
  const stage = await makeStage(SMALL, { call, database, tenantId, say: () => {} })
  const steps = stepsOf(stage)
  const visitors = await openVisitors({ browser, url, apiKey, call, customerId: stage.customerId })
  const times = await visitors.measure(steps)
  await visitors.leave()
  expect(times).toHaveLength(steps.length)
  for (const { step, ms, shown } of times) {
    expect([step.page, step.what, shown > 0]).toEqual([step.page, step.what, true])
    expect(ms).toBeGreaterThan(0)
  }
  const { lines, slow } = tableOf({ cold: times, warm: times }, 0)
  expect(lines).toHaveLength(steps.length + 2)
  expect(slow).toHaveLength(2 * steps.length)
}, 300_000)
