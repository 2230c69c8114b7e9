/** What `standalone` was started with: as `npm start -- …` or as `posthorn standalone …`. */
import { parseArgs } from 'node:util'
import type { Settings } from '@posthorn/runtime/config'

export interface StandaloneArguments {
  /** Wait for the database while another instance owns it, and take over when that one is gone. */
  standby: boolean
}

export function readArguments(argv: readonly string[]): StandaloneArguments {
  const args = argv[0] === 'standalone' ? argv.slice(1) : [...argv]
  const { values } = parseArgs({ args, options: { standby: { type: 'boolean' } }, strict: true })
  return { standby: values.standby === true }
}

/** @returns why these settings do not allow to stand by; null: they do */
export function refuseStandby(
  settings: Pick<Settings, 'DATABASE_URL' | 'MASTER_KEY' | 'BOOTSTRAP_API_KEY'>,
): string | null {
  if (settings.DATABASE_URL === undefined)
    return (
      '--standby needs DATABASE_URL: the embedded Postgres belongs to one instance and stops ' +
      'with it, so nobody could take over. Give both instances the URL of one Postgres.'
    )
  const missing = (['MASTER_KEY', 'BOOTSTRAP_API_KEY'] as const).filter(
    (name) => settings[name] === undefined,
  )
  if (missing.length === 0) return null
  return `--standby needs ${missing.join(' and ')}, the same for both instances: neither knows what the other has made.`
}
