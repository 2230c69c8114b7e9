/**
 * The look that the host gives the portal: nine colours for each of light and dark, and a font. A
 * host that frames the portal may send colours too; what is not one of the nine is left alone, and
 * so are all of them where somebody could not read the text.
 */
import { THEME_COLORS, type ThemePalette, unreadablePairs } from '@posthorn/domain/portal-theme'
import { readHex } from '../ui/read-colour.ts'
import { FONTS } from './fonts.ts'
import type { PortalSession } from './portal-session.ts'

type Appearance = 'light' | 'dark'

const COLOUR = /^#[0-9a-f]{6}$/i

export function applyTheme(theme: PortalSession['theme']): void {
  if (theme === null) return
  const { style } = document.documentElement
  for (const appearance of ['light', 'dark'] as const) {
    const colours = theme[appearance]
    if (colours !== null) setColours(colours, appearance)
  }
  style.setProperty('--font', FONTS[theme.font] ?? null)
}

function setColours(colours: Partial<ThemePalette>, appearance: Appearance): void {
  for (const name of THEME_COLORS) {
    const colour = colours[name]
    if (colour === undefined || !COLOUR.test(colour)) continue
    document.documentElement.style.setProperty(`--${appearance}${name.slice(1)}`, colour)
  }
}

/** What a host sends: any of the nine colours, for the appearance that is shown. */
function takeColours(sent: Readonly<Record<string, unknown>>): void {
  const known = THEME_COLORS.flatMap((name) => {
    const colour = sent[name]
    return typeof colour === 'string' && COLOUR.test(colour) ? [[name, colour]] : []
  })
  const colours = Object.fromEntries(known) as Partial<ThemePalette>
  const appearance = appearanceNow()
  if (unreadablePairs({ ...paletteNow(), ...colours }, appearance).length > 0) return
  setColours(colours, appearance)
}

function appearanceNow(): Appearance {
  const chosen = document.documentElement.dataset['theme']
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** The colours as they are shown. */
function paletteNow(): ThemePalette {
  const entries = THEME_COLORS.map((name) => [name, readHex(document.body, name)])
  return Object.fromEntries(entries) as ThemePalette
}

/** Browsers without `ancestorOrigins` tell where the frame was loaded from. */
function hostOrigin(): string | null {
  return location.ancestorOrigins?.[0] ?? URL.parse(document.referrer)?.origin ?? null
}

/**
 * Tells the host how high the page is, and takes its appearance and colours. Nobody else is heard.
 */
export function talkToHost(): void {
  if (window.parent === window) return
  const origin = hostOrigin()
  if (origin === null) return
  // The page is then as high as what it shows, not as its window: else it would never get lower.
  document.documentElement.dataset['framed'] = ''
  const tell = (): void => {
    const height = Math.ceil(document.body.getBoundingClientRect().height)
    window.parent.postMessage({ type: 'posthorn:height', height }, origin)
  }
  new ResizeObserver(tell).observe(document.body)
  window.parent.postMessage({ type: 'posthorn:ready' }, origin)
  window.addEventListener('message', ({ source, origin: from, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || from !== origin) return
    const { type, appearance, colors } = (data ?? {}) as Record<string, unknown>
    if (type !== 'posthorn:theme') return
    if (appearance === 'light' || appearance === 'dark') {
      document.documentElement.dataset['theme'] = appearance
    }
    if (typeof colors === 'object' && colors !== null) {
      takeColours(colors as Record<string, unknown>)
    }
  })
}
