/**
 * What must not happen on a page, noted from its first script on: a breach of its policy, a request
 * to another origin, an error that nobody caught. And what axe finds wrong for people who read with
 * a screen reader or a keyboard.
 */
import { AxeBuilder } from '@axe-core/playwright'
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

/** @returns a line for each rule that is broken, with the first place where it is */
export async function findBarriers(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze()
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html.slice(0, 200)} (${nodes.length})`,
  )
}
