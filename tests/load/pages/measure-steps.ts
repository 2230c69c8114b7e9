/**
 * Does the steps in a real browser and takes their times: from going to a page, or from the click
 * on a filter, until the first rows are on the screen.
 */
import type { Browser } from '../../e2e/products/join-browser.ts'
import type { CallApi } from './page-stage.ts'
import type { PageStep } from './page-steps.ts'

type Context = Awaited<ReturnType<Browser['newContext']>>
export type Page = Awaited<ReturnType<Context['newPage']>>

export interface StepTime {
  step: PageStep
  ms: number
  /** Rows on the screen, or charts. */
  shown: number
}

export interface Visitors {
  measure(steps: readonly PageStep[]): Promise<StepTime[]>
  leave(): Promise<void>
}

interface VisitDeps {
  browser: Browser
  url: string
  apiKey: string
  call: CallApi
  customerId: string
}

/** Many times what a step may take: what is slow is to be measured, not to fail here. */
const PATIENCE_MS = 30_000
const SCREEN = { width: 1280, height: 800 }

/** A member of the workspace and its customer, each with a browser that has seen nothing yet. */
export async function openVisitors(deps: VisitDeps): Promise<Visitors> {
  const { browser, url, apiKey, call, customerId } = deps
  const open = async (): Promise<Context> => {
    const context = await browser.newContext({ baseURL: url, viewport: SCREEN, locale: 'en-US' })
    context.setDefaultTimeout(PATIENCE_MS)
    return context
  }
  const member = await open()
  const signedIn = await member.request.post('/auth/session', { data: { apiKey } })
  if (!signedIn.ok()) throw new Error(`nobody is signed in: ${await signedIn.text()}`)
  const customer = await open()
  const sessions = `/api/v1/sub-accounts/${customerId}/sessions`
  const minted = await call('POST', sessions, { returnURL: `${url}/dashboard` })
  const token = minted.token as string
  const exchanged = await customer.request.post('/sub-account-api/auth/exchange', {
    data: { token },
  })
  if (!exchanged.ok()) throw new Error(`the portal did not open: ${await exchanged.text()}`)
  const pages = { member: await member.newPage(), customer: await customer.newPage() }
  return {
    async measure(steps) {
      const times: StepTime[] = []
      for (const step of steps) {
        const taken = takeTime(pages[step.who], step).catch((cause: unknown) => {
          throw new Error(`${step.page}, ${step.what}: ${String(cause)}`, { cause })
        })
        times.push(await taken)
      }
      return times
    },
    leave: async () => void (await Promise.all([member.close(), customer.close()])),
  }
}

async function takeTime(page: Page, step: PageStep): Promise<StepTime> {
  const { filter, who } = step
  const address = who === 'member' ? step.path : `/portal/-${step.path}`
  const shown = page.locator(step.ready)
  if (filter === undefined) {
    // A page that is left first must not count as the one that is opened.
    await page.goto('about:blank')
    const startedAt = performance.now()
    await page.goto(address, { waitUntil: 'commit' })
    await shown.first().waitFor()
    return { step, ms: performance.now() - startedAt, shown: await shown.count() }
  }
  await page.goto(address)
  await page.locator('.grid-body > .grid-row').first().waitFor()
  await filter.prepare?.(page)
  const asked = page.waitForRequest((request) => request.url().includes(filter.asks))
  const startedAt = performance.now()
  await filter.act(page)
  await asked
  await shown.first().waitFor()
  return { step, ms: performance.now() - startedAt, shown: await shown.count() }
}
