/**
 * The texts of the pages. A text is written in English where it is used, and is the key of its
 * translation in a catalog. The language is the reader's choice, else the browser's.
 */
import { setupI18n } from '@lingui/core'
import english from './de.json?english'
import { keep, kept } from '../ui/kept.ts'

export type Language = 'en' | 'de'

const KEY = 'posthorn-language'
const i18n = setupI18n()

export function chosenLanguage(): Language {
  const wanted = kept(KEY) ?? navigator.language
  return wanted.startsWith('de') ? 'de' : 'en'
}

/** How dates and numbers are written: in the browser's way where it is of the chosen language. */
export function localeOf(): string {
  const language = chosenLanguage()
  return navigator.languages.find((one) => one.startsWith(language)) ?? language
}

export async function loadTexts(): Promise<void> {
  const language = chosenLanguage()
  const messages = language === 'de' ? (await import('./de.json')).default : english
  i18n.loadAndActivate({ locale: language, messages: messages as Record<string, string> })
  document.documentElement.lang = language
}

export function chooseLanguage(language: Language): void {
  keep(KEY, language)
  location.reload()
}

/** @param values for the names in braces */
export function t(text: string, values: Record<string, string | number> = {}): string {
  if (text in i18n.messages) return i18n._(text, values)
  // English that says nothing of anybody has no need of a catalog.
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}
