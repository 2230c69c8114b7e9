/** What holds of every screen, whatever it shows. */
import { expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { findBarriers } from '@posthorn/testing/page-watch'
import { type Browsing, DESK, keepScreen, type Page, PHONE, settle, show } from './browsing.ts'

export interface Screen {
  name: string
  path: string
  /** It is there once the screen is whole. */
  text: string
  /** Shown to strangers. */
  isPublic?: boolean
  /** Its narrow form is kept too. */
  onPhone?: boolean
}

const APPEARANCES = ['light', 'dark'] as const
/** Charts take the width of the window a moment after it. */
const RESIZE_MS = 20_000

/** Both are called once tests run, when there is something to look at. */
export function testScreens(browsing: () => Browsing, screens: () => readonly Screen[]): void {
  test('every screen keeps its policy, stays on its origin, has no barriers in light and dark, and fits a phone', async () => {
    const [member, stranger] = [await browsing().open(), await browsing().open({ apiKey: null })]
    const problems: string[] = []
    for (const { name, path, text, isPublic = false, onPhone = false } of screens()) {
      const { page } = isPublic ? stranger : member
      await show(page, path, text)
      for (const colorScheme of APPEARANCES) {
        await page.emulateMedia({ colorScheme })
        const barriers = await findBarriers(page)
        problems.push(...barriers.map((one) => `${name} (${colorScheme}): ${one}`))
        await keepScreen(page, `${name}-${colorScheme}`)
      }
      await page.setViewportSize(PHONE)
      if (!(await fits(page))) problems.push(`${name} is wider than a phone`)
      if (onPhone) await keepScreen(page, `${name}-phone`)
      await page.setViewportSize(DESK)
    }
    expect(problems).toEqual([])
    await member.leave()
    await stranger.leave()
  }, 300_000)

  test('every screen opens on a phone in German, whose words are longer', async () => {
    const { page, leave } = await browsing().open({ narrow: true, locale: 'de-DE' })
    const tooWide: string[] = []
    for (const { name, path, isPublic = false } of screens()) {
      // Whoever is signed in is led on from there.
      if (isPublic) continue
      await page.goto(path)
      await page.locator('h1').first().waitFor()
      await settle(page)
      if (!(await fits(page))) tooWide.push(name)
    }
    expect(tooWide).toEqual([])
    await leave()
  }, 240_000)
}

async function fits(page: Page): Promise<boolean> {
  const isNarrow = async () =>
    await page.evaluate<boolean>(`document.documentElement.scrollWidth <= ${PHONE.width} &&
      [...document.querySelectorAll('.grid')].every((list) => list.scrollWidth <= list.clientWidth)`)
  return await eventually(isNarrow, { timeoutMs: RESIZE_MS }).catch(() => false)
}
