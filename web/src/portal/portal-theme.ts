/**
 * The look that the host gives the portal: nine colours for each of light and dark, and a font. A
 * host that frames the portal may send colours too; whatever is not one of the nine is left alone.
 */
import type { PortalSession } from './portal-session.ts'

const NAMES = [
  '--bg-000',
  '--bg-100',
  '--bg-200',
  '--accent-main-100',
  '--accent-main-900',
  '--chart-delivered',
  '--chart-failed',
  '--chart-dead',
  '--warning-100',
]
const COLOUR = /^#[0-9a-f]{6}$/i
const FONTS: Readonly<Record<string, string>> = {
  inter: 'Inter, system-ui, sans-serif',
  system: 'system-ui, sans-serif',
  serif: 'Georgia, "Times New Roman", serif',
  monospace: '"JetBrains Mono", ui-monospace, monospace',
}

export function applyTheme(theme: PortalSession['theme']): void {
  if (theme === null) return
  const { style } = document.documentElement
  for (const appearance of ['light', 'dark'] as const) {
    const colours = theme[appearance]
    if (colours !== null) setColours(colours, (name) => `--${appearance}${name.slice(1)}`)
  }
  style.setProperty('--font', FONTS[theme.font] ?? null)
}

function setColours(
  colours: Readonly<Record<string, unknown>>,
  nameOf: (name: string) => string,
): void {
  for (const name of NAMES) {
    const colour = colours[name]
    if (typeof colour === 'string' && COLOUR.test(colour)) {
      document.documentElement.style.setProperty(nameOf(name), colour)
    }
  }
}

/** Tells the host how high the page is, and takes colours from it. Only its own host is heard. */
export function talkToHost(): void {
  if (window.parent === window) return
  const origin = location.ancestorOrigins?.[0]
  if (origin === undefined) return
  const tell = (): void =>
    window.parent.postMessage(
      { type: 'posthorn:height', height: document.documentElement.scrollHeight },
      origin,
    )
  new ResizeObserver(tell).observe(document.body)
  window.addEventListener('message', ({ source, origin: from, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || from !== origin) return
    const { type, colors } = (data ?? {}) as { type?: unknown; colors?: unknown }
    if (type !== 'posthorn:theme' || typeof colors !== 'object' || colors === null) return
    setColours(colors as Record<string, unknown>, (name) => name)
  })
}
