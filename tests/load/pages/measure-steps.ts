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

/** Many times what a page may take: what is slow is to be measured, and not to fail here. */
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
  // Starting a process of the browser is not opening a page: it has shown something of this origin.
  for (const page of Object.values(pages)) await page.goto('/ready')
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
  if (filter === undefined) {
    // A page that is left first must not count as the one that is opened.
    await page.goto('about:blank')
    const startedAt = performance.now()
    await page.goto(address, { waitUntil: 'commit' })
    const shown = await page.evaluate<number>(untilShown(step.ready))
    return { step, ms: performance.now() - startedAt, shown }
  }
  await page.goto(address)
  await page.evaluate(untilShown('.grid-body > .grid-row'))
  await filter.prepare?.(page)
  const asked = page.waitForRequest((request) => request.url().includes(filter.asks))
  const startedAt = performance.now()
  await filter.act(page)
  await asked
  const shown = await page.evaluate<number>(untilShown(step.ready))
  return { step, ms: performance.now() - startedAt, shown }
}

/**
 * Looks at each frame that the page draws. A locator of the browser's driver looks ever less often,
 * at last every half second. Answers how many elements there are.
 */
function untilShown(selector: string): string {
  return `new Promise((done, failed) => {
    const look = () => {
      const all = [...document.querySelectorAll(${JSON.stringify(selector)})]
      const shown = all.filter((one) => one.getClientRects().length > 0)
      if (shown.length > 0) done(shown.length)
      else if (performance.now() > ${PATIENCE_MS}) failed(new Error('nothing is shown'))
      else requestAnimationFrame(look)
    }
    look()
  })`
}
