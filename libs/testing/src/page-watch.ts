/**
 * What must not happen on a page, noted from its first script on: a breach of its policy, a request
 * to another origin, an error that nobody caught. And what axe finds wrong for people who read with
 * a screen reader or a keyboard.
 */
import axe from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'

export interface PageWatch {
  /** Each as a line of text, in the order in which they happened. */
  faults: string[]
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** @param origin the only one that pages may speak to */
export async function watchPages(context: BrowserContext, origin: string): Promise<PageWatch> {
  const faults: string[] = []
  await context.exposeFunction('noteBreach', (breach: string) => faults.push(breach))
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    noteBreach('policy: ' + event.effectiveDirective + ' ' + event.blockedURI))`)
  context.on('request', (request) => {
    const { protocol, origin: to } = new URL(request.url())
    if (protocol !== 'data:' && to !== origin) faults.push(`request: ${request.url()}`)
  })
  context.on('weberror', (error) => faults.push(`error: ${error.error().message}`))
  return { faults }
}

/** Each frame gets the whole of axe, and lets the page around it ask for what it found. */
const AXE = `${axe.source}
axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`
const RUN = `axe.run({ runOnly: ${JSON.stringify(RULES)}, resultTypes: ['violations'] })
  .then(({ violations }) => violations.map(({ id, help, nodes }) =>
    id + ': ' + help + ': ' + nodes[0].html.slice(0, 200) + ' (' + nodes.length + ')'))`

/**
 * Runs axe in the page itself. Its own package for Playwright opens a page besides for each call,
 * and loads axe three times, which takes ten times as long as looking does.
 * @returns a line for each rule that is broken, with the first place where it is
 */
export async function findBarriers(page: Page): Promise<string[]> {
  for (const frame of page.frames()) {
    const isThere = await frame.evaluate<boolean>("'axe' in window")
    if (!isThere) await frame.evaluate(AXE)
  }
  return await page.evaluate<string[]>(RUN)
}
