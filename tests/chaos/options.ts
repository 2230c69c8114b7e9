/** The options of `npm run chaos --`. */
import { parseArgs } from 'node:util'
import { wholeNumber } from '@posthorn/testing/command-options'
import { WORLD_MODES, type WorldMode } from './world.ts'

export interface ChaosOptions {
  mode: WorldMode
  rounds: number
  /** How many rounds at the beginning of the plan are left out, because another run did them. */
  skip: number
  seed: number
  only: string[]
  form: 'long' | 'short'
  /** A file to which rounds are added; the table is made of all that it holds. */
  journal: string | undefined
  perSecond: number
  /** Events in the backlog of the round for memory; 0: no such round. */
  backlog: number
}

export const USAGE = `usage: npm run chaos -- [--mode ${WORLD_MODES.join('|')}] [--rounds N] [--seed S]
  [--only fault[,fault]] [--short] [--rate EVENTS_PER_SECOND] [--skip N] [--journal FILE] [--backlog N]`

export function readOptions(argv: readonly string[]): ChaosOptions {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...argv],
    options: {
      mode: text,
      rounds: text,
      skip: text,
      seed: text,
      only: text,
      journal: text,
      rate: text,
      backlog: text,
      short: { type: 'boolean' } as const,
    },
    strict: true,
  })
  const number = (
    name: 'rounds' | 'skip' | 'seed' | 'rate' | 'backlog',
    otherwise: number,
    min = 0,
  ): number => wholeNumber(`--${name}`, values[name] ?? String(otherwise), min)
  const mode = values.mode ?? 'cluster'
  if (!WORLD_MODES.includes(mode as WorldMode))
    throw new Error(`--mode is one of ${WORLD_MODES.join(', ')}, not ${mode}`)
  return {
    mode: mode as WorldMode,
    rounds: number('rounds', 60),
    skip: number('skip', 0),
    seed: number('seed', 1),
    only: values.only?.split(',') ?? [],
    form: values.short === true ? 'short' : 'long',
    journal: values.journal,
    perSecond: number('rate', 400, 1),
    backlog: number('backlog', 0),
  }
}
