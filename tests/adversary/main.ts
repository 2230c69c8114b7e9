/**
 * `npm run adversary`: runs every attack of the corpus against a `standalone` of its own and prints
 * each finding with its figures. Ends with 1 when something was found.
 */
import { parseArgs } from 'node:util'
import { commandOptions, wholeNumber } from '@posthorn/testing/command-options'
import { openArena } from './arena.ts'
import { CORPUS } from './corpus.ts'
import { measureMachine, type AttackResult, runAttacks } from './run-attacks.ts'

const USAGE = `usage: npm run adversary -- [--only <part of a name>] [--seed N] [--rounds N] [--once] [--list]
  --rounds goes on with the next seeds; --once does not repeat what was found`

const options = commandOptions(USAGE, (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string', default: process.env['SEED'] ?? '1' },
      rounds: { type: 'string', default: '1' },
      once: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  })
  const { only, seed, rounds, once, list } = values
  const attacks = CORPUS.filter(
    ({ name }) => only.length === 0 || only.some((part) => name.includes(part)),
  )
  if (attacks.length === 0) throw new Error('--only: no attack has such a name; --list shows them')
  return {
    attacks,
    list,
    repeats: once ? 0 : 2,
    firstSeed: wholeNumber('--seed', seed),
    rounds: wholeNumber('--rounds', rounds, 1),
  }
})
const { attacks } = options

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function printResult({ name, findings, measured }: AttackResult): void {
  const { stallMs, liveMs, p99Ms, grownMiB, accepted } = measured
  const figures = `stall ${stallMs.toFixed(1)} ms, /live ${liveMs.toFixed(0)} ms, neighbour ${accepted} events p99 ${p99Ms.toFixed(0)} ms, memory ${grownMiB >= 0 ? '+' : ''}${grownMiB.toFixed(0)} MiB`
  say(`${findings.length === 0 ? 'ok   ' : 'FOUND'}  ${name}  (${figures})`)
  for (const finding of findings) say(`       ${finding}`)
}

async function run(): Promise<void> {
  const arena = await openArena()
  const { firstSeed, rounds, repeats } = options
  let found = 0
  try {
    const machine = await measureMachine(arena)
    const { factor, idle } = machine
    say(
      `idle: stall ${idle.stallMs.toFixed(1)} ms, p99 ${idle.p99Ms.toFixed(0)} ms; machine factor ${factor.toFixed(2)}`,
    )
    for (let seed = firstSeed; seed < firstSeed + rounds; seed += 1) {
      const given = { seed, repeats, slack: 1, onResult: printResult }
      const results = await runAttacks(arena, machine, attacks, given)
      found += results.filter(({ findings }) => findings.length > 0).length
      say(`seed ${seed}: ${attacks.length} attacks, ${found} found something`)
    }
  } finally {
    await arena.stop()
  }
  process.exitCode = found > 0 ? 1 : 0
}

if (options.list) for (const { name, effect } of attacks) say(`${name}: ${effect}`)
else {
  await run().catch((error: unknown) => {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error))
    process.exitCode = 1
  })
}
