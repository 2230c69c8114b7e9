/** The look of the portal as its form holds it. */
import { THEME_COLORS, type ThemeColor, type ThemePalette } from '@posthorn/domain/portal-theme'
import type { Schemas } from '../../api/client.ts'
import { t } from '../../texts/t.ts'
import { readHex } from '../../ui/read-colour.ts'

export type LookTheme = NonNullable<Schemas['GetSubAccountSettingsAnswer']['theme']>
export type LookAppearance = 'light' | 'dark'

export const PLAIN_LOOK: LookTheme = {
  brandName: null,
  logo: null,
  font: 'inter',
  light: null,
  dark: null,
}

export function colourNames(): Record<ThemeColor, string> {
  return {
    '--bg-000': t('Cards'),
    '--bg-100': t('The page'),
    '--bg-200': t('Bars'),
    '--accent-main-900': t('Links and buttons'),
    '--accent-main-100': t('Marked rows'),
    '--chart-delivered': t('Delivered'),
    '--chart-failed': t('Retry due'),
    '--chart-dead': t('Dead'),
    '--warning-100': t('Warnings'),
  }
}

/** Our own colours, as styles.css has them. */
export function plainPalette(appearance: LookAppearance): ThemePalette {
  const host = document.body.appendChild(document.createElement('div'))
  host.style.colorScheme = appearance
  const entries = THEME_COLORS.map((name) => [name, readHex(host, name)])
  host.remove()
  return Object.fromEntries(entries) as ThemePalette
}
