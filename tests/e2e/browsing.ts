/** A browser on the pages of a product: somebody who is signed in, or a stranger. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from '@jest/globals'
import { type PageWatch, watchPages } from '@posthorn/testing/page-watch'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { smallPng } from '@posthorn/testing/small-png'
import type { Answer } from './posthorn.ts'
import { type Browser, joinBrowser } from './products/join-browser.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

export type { Browser }
export type Context = Awaited<ReturnType<Browser['newContext']>>
export type Page = Awaited<ReturnType<Context['newPage']>>

const SCREENS = join(import.meta.dirname, '../../docs/screens')
/** Many times what the slowest step takes on a machine that does nothing else. */
export const PATIENCE_MS = 60_000
export const DESK = { width: 1280, height: 800 }
export const PHONE = { width: 320, height: 640 }

export interface Opened {
  context: Context
  page: Page
  watch: PageWatch
  /** Expects that nothing went wrong on any of its pages, and closes them. */
  leave(): Promise<void>
}

interface OpenOptions {
  url: string
  /** null: a stranger. */
  apiKey: string | null
  dark?: boolean
  narrow?: boolean
  locale?: string
}

/** A workspace of the file's own, a receiver, and whoever looks at them. */
export interface Browsing {
  posthorn: SharedProduct
  receiver: Receiver
  browser: Browser
  /** Calls the API, expects that it does as it is told, and answers what it says. */
  must(method: string, path: string, body?: object): Promise<Answer['body']>
  /** With the workspace's own key, unless told otherwise. */
  open(options?: Partial<OpenOptions>): Promise<Opened>
  end(): Promise<void>
}

/** The start of the product that files share, and of everything that it stores in. */
const START_MS = 450_000
const END_MS = 60_000

/**
 * Starts all of it before the file's tests, and ends it after them.
 * @param fill makes what the tests look at
 */
export function browseWith(fill: (browsing: Browsing) => Promise<void>): () => Browsing {
  let browsing: Browsing | undefined
  beforeAll(async () => {
    browsing = await startBrowsing()
    await fill(browsing)
  }, START_MS)
  afterAll(async () => await browsing?.end(), END_MS)
  return () => {
    if (browsing === undefined) throw new Error('nothing is there before the tests begin')
    return browsing
  }
}

async function startBrowsing(): Promise<Browsing> {
  const receiver = await startReceiver()
  const posthorn = await joinProduct('standalone')
  const browser = await joinBrowser()
  return {
    posthorn,
    receiver,
    browser,
    async must(method, path, body) {
      const answer = await posthorn.call(method, path, body)
      if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.text}`)
      return answer.body
    },
    open: async (options = {}) =>
      await openBrowser(browser, { url: posthorn.url, apiKey: posthorn.apiKey, ...options }),
    end: async () => {
      await browser.close()
      await posthorn.leave()
      await receiver.close()
    },
  }
}

export async function openBrowser(
  browser: Browser,
  { url, apiKey, dark = false, narrow = false, locale = 'en-US' }: OpenOptions,
): Promise<Opened> {
  const context = await browser.newContext({
    baseURL: url,
    colorScheme: dark ? 'dark' : 'light',
    viewport: narrow ? PHONE : DESK,
    locale,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const watch = await watchPages(context, url)
  if (apiKey !== null) {
    const answer = await context.request.post('/auth/session', { data: { apiKey } })
    expect(answer.status()).toBe(201)
  }
  const page = await context.newPage()
  return {
    context,
    page,
    watch,
    async leave() {
      expect(watch.faults).toEqual([])
      await context.close()
    },
  }
}

/** Opens a screen, until this text is there and nothing on it is still being loaded. */
export async function show(page: Page, path: string, text: string): Promise<void> {
  await page.goto(path)
  await page.getByText(text).first().waitFor()
  await settle(page)
}

/** Until nothing on the screen is still being loaded. */
export async function settle(page: Page): Promise<void> {
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.locator('.chart:not(:has(canvas))').first().waitFor({ state: 'detached' })
}

/**
 * With WRITE_SCREENS=1 the screen is kept in docs/screens; with parts of names, such as
 * `phone,portal-look`, those that have one of them are.
 */
export async function keepScreen(page: Page, name: string): Promise<void> {
  const wanted = process.env['WRITE_SCREENS'] ?? ''
  if (wanted === '') return
  if (wanted !== '1' && !wanted.split(',').some((part) => name.includes(part))) return
  await page.evaluate('document.fonts.ready')
  const png = await page.screenshot({ animations: 'disabled' })
  writeFileSync(join(SCREENS, `${name}.png`), smallPng(png))
}

/**
 * Types over what an editor has, as a person would who selects all and deletes it first: replacing
 * coloured text in one step makes the browser itself write a style, which the policy notes.
 */
export async function typeOver(page: Page, label: string, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: label })
  await editor.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.insertText(text)
}
