/** A browser on the pages of a product: somebody who is signed in, or a stranger. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import type { startChromium } from '@posthorn/testing/chromium'
import { type PageWatch, watchPages } from '@posthorn/testing/page-watch'
import { smallPng } from '@posthorn/testing/small-png'

export type Browser = Awaited<ReturnType<typeof startChromium>>
type Context = Awaited<ReturnType<Browser['newContext']>>
export type Page = Awaited<ReturnType<Context['newPage']>>

const SCREENS = join(import.meta.dirname, '../../docs/screens')
const PATIENCE_MS = 45_000

export interface Opened {
  context: Context
  page: Page
  watch: PageWatch
}

interface OpenOptions {
  url: string
  /** null: a stranger. */
  apiKey: string | null
  dark?: boolean
  narrow?: boolean
  locale?: string
}

export async function openBrowser(
  browser: Browser,
  { url, apiKey, dark = false, narrow = false, locale = 'en-US' }: OpenOptions,
): Promise<Opened> {
  const context = await browser.newContext({
    baseURL: url,
    colorScheme: dark ? 'dark' : 'light',
    viewport: narrow ? { width: 320, height: 640 } : { width: 1280, height: 800 },
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
  return { context, page: await context.newPage(), watch }
}

/** With WRITE_SCREENS=1 the screen is kept in docs/screens. */
export async function keepScreen(page: Page, name: string): Promise<void> {
  if (process.env['WRITE_SCREENS'] !== '1') return
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
