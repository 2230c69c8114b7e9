/**
 * The presets of all platforms, by their source. Each stands in a file of its own, which is loaded
 * when it is first asked for: loading all of them takes 0.1 s of a core, which no process that
 * starts has to wait for.
 */
import { setImmediate } from 'node:timers/promises'
import { PLATFORMS } from './platforms.ts'
import type { Preset } from './preset.ts'

const loaded = new Map<string, Preset>()

/** @returns null when there is no platform of this name */
export async function findPreset(source: string): Promise<Preset | null> {
  const known = loaded.get(source)
  if (known !== undefined) return known
  if (!Object.hasOwn(PLATFORMS, source)) return null
  const { preset } = await (PLATFORMS[source] as (typeof PLATFORMS)[string])()
  loaded.set(source, preset)
  return preset
}

/** The presets in the order of their sources. */
export async function loadPresets(): Promise<readonly Preset[]> {
  for (const source of Object.keys(PLATFORMS)) {
    if (loaded.has(source)) continue
    await findPreset(source)
    // Node reads and compiles a module in one go: other requests have their turn after each.
    await setImmediate()
  }
  return Object.keys(PLATFORMS).map((source) => loaded.get(source) as Preset)
}
