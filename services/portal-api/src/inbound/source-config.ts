/**
 * The credentials of a source: checked against its preset's keys, stored sealed, and shown with
 * their secrets masked.
 */
import type { FieldProblem } from '@posthorn/contracts/errors'
import type { SourceConfig } from '@posthorn/contracts/inbound'
import type { Preset } from '@posthorn/inbound/preset'
import { isCheckable } from '@posthorn/inbound/verify'

/** How a masked secret begins. A secret that is sent back masked keeps its value. */
const MASK = '••••'
const SHOWN_CHARACTERS = 4
/** The end of a shorter secret would reveal too much of it. */
const LONG_ENOUGH = 12

/** The credentials as they are shown: secret values are masked down to their last characters. */
export function maskedConfig(preset: Preset | null, config: SourceConfig): SourceConfig {
  const open = new Set(preset?.configKeys.flatMap(({ name, secret }) => (secret ? [] : name)))
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      if (open.has(name)) return [name, value]
      return [name, typeof value === 'string' ? masked(value) : value.map(masked)]
    }),
  )
}

function masked(secret: string): string {
  return MASK + (secret.length < LONG_ENOUGH ? '' : secret.slice(-SHOWN_CHARACTERS))
}

/**
 * The credentials after a change: values that are sent back masked keep their former value, all
 * others are new.
 */
export function unmaskedConfig(
  preset: Preset,
  given: SourceConfig,
  former: SourceConfig,
): SourceConfig {
  const shown = maskedConfig(preset, former)
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const isFormer = JSON.stringify(value) === JSON.stringify(shown[name])
      return [name, isFormer ? (former[name] ?? value) : value]
    }),
  )
}

export function sourceConfigProblems(preset: Preset, config: SourceConfig): FieldProblem[] {
  const known = new Map(preset.configKeys.map((key) => [key.name, key]))
  const unknown = Object.keys(config).filter((name) => !known.has(name))
  const names = [...known.keys()].join(', ') || 'none'
  const problems = unknown.map((name) => ({
    path: `sourceConfig.${name}`,
    message: `is no key of ${preset.source}; its keys are ${names}`,
  }))
  for (const { name, required, meaning, values } of known.values()) {
    const value = config[name]
    const path = `sourceConfig.${name}`
    if (value === undefined && required) problems.push({ path, message: `is missing: ${meaning}` })
    if (values !== undefined && value !== undefined && !values.includes(String(value))) {
      problems.push({ path, message: `must be one of ${values.join(', ')}` })
    }
  }
  if (problems.length === 0 && !isCheckable(preset.verify, config)) {
    const message = `must have what ${preset.source} is verified by: some of ${names}`
    problems.push({ path: 'sourceConfig', message })
  }
  return problems
}
