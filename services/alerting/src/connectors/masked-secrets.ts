/**
 * How the secrets of a connector's or an action's settings are shown: masked down to their last
 * characters. One that is sent back as it was shown keeps its value.
 */
import { SECRET_KEYS } from '@posthorn/contracts/connectors'

type Settings = Readonly<Record<string, unknown>>

const MASK = '••••'
const SHOWN_CHARACTERS = 4
/** The end of a shorter secret would tell too much of it. */
const LONG_ENOUGH = 12

export function maskSecrets<Shown extends Settings>(settings: Shown): Shown {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [key, isSecret(key) ? masked(value) : value]),
  ) as Shown
}

export type Unmasked =
  | { outcome: 'ok'; settings: Record<string, unknown> }
  | { outcome: 'masked'; key: string }

/** @param former null: there is nothing that a masked secret could stand for */
export function unmaskSecrets(given: Settings, former: Settings | null): Unmasked {
  const settings: Record<string, unknown> = { ...given }
  for (const [key, value] of Object.entries(given)) {
    if (!isSecret(key) || typeof value !== 'string' || !value.startsWith(MASK)) continue
    const before = former?.[key]
    if (before === undefined || masked(before) !== value) return { outcome: 'masked', key }
    settings[key] = before
  }
  return { outcome: 'ok', settings }
}

function isSecret(key: string): boolean {
  return SECRET_KEYS.includes(key)
}

function masked(secret: unknown): unknown {
  if (typeof secret !== 'string') return secret
  return MASK + (secret.length < LONG_ENOUGH ? '' : secret.slice(-SHOWN_CHARACTERS))
}
