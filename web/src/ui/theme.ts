/** Light or dark: the reader's choice, else the system's. */
import { keep, kept } from './kept.ts'

export type Appearance = 'light' | 'dark' | 'system'

let key = 'posthorn-theme'

/** @param storageKey where the choice is kept */
export function startTheme(storageKey: string): void {
  key = storageKey
  show(chosenAppearance())
}

export function chosenAppearance(): Appearance {
  const chosen = kept(key)
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

export function chooseAppearance(appearance: Appearance): void {
  keep(key, appearance === 'system' ? null : appearance)
  show(appearance)
}

function show(appearance: Appearance): void {
  const { dataset } = document.documentElement
  if (appearance === 'system') delete dataset['theme']
  else dataset['theme'] = appearance
}
