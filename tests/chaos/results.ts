/** The table of a run, and the page that keeps the last one. */
import { availableParallelism, totalmem } from 'node:os'
import type { RoundResult } from './evaluate-round.ts'

const HEAD = [
  'round',
  'fault',
  'accepted',
  'posts refused',
  'lost',
  'repeated',
  'out of order',
  'longest gap accepting / arriving, s',
  'slowest answer during the fault, s',
  'healed in, s',
  'most memory, MB',
  'holds',
]

export function renderTable(results: readonly RoundResult[]): string {
  const rows = results.map((result) => [
    `${result.number}`,
    `${result.faults}${result.detail === '' ? '' : ` (${result.detail})`}`,
    `${result.accepted}`,
    `${result.refused}`,
    `${result.lost}`,
    `${result.repeated}`,
    `${result.outOfOrder}`,
    `${seconds(result.acceptGapMs)} / ${seconds(result.arrivalGapMs)}`,
    seconds(result.slowestAnswerMs),
    seconds(result.healMs),
    `${result.memoryMb}`,
    result.problems.length === 0 ? 'yes' : `**no**: ${result.problems.join('; ')}`,
  ])
  return `${[HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}

export function renderResults(results: readonly RoundResult[]): string {
  const sum = (of: (result: RoundResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0)
  const accepted = sum(({ accepted: one }) => one)
  const repeated = sum(({ repeated: one }) => one)
  const heals = results.map(({ healMs }) => healMs).sort((a, b) => a - b)
  const machine = `${availableParallelism()} processors, ${Math.round(totalmem() / 2 ** 30)} GiB`
  const groups = [...Map.groupBy(results, nameOf)]
  const totals = [
    results.length,
    accepted,
    sum(({ lost }) => lost),
    `${repeated} (${((100 * repeated) / Math.max(1, accepted)).toFixed(3)} %)`,
    sum(({ outOfOrder }) => outOfOrder),
    `${seconds(heals[heals.length >> 1] ?? 0)} / ${seconds(heals.at(-1) ?? 0)}`,
    Math.max(...results.map(({ memoryMb }) => memoryMb)),
    results.filter(({ problems }) => problems.length > 0).length,
  ]
  const lines = [
    '# Chaos: the last figures',
    '',
    `Written by \`npm run chaos\`, ${new Date().toISOString().slice(0, 10)}. Machine: ${machine}, which carried`,
    'the services, the stores, the endpoints and the load. `docs/reliability.md` says how a round is',
    'run and what must hold.',
    '',
    '| rounds | accepted | lost | repeated | out of order | healed in, s: median / most | ' +
      'most memory of a process, MB | rounds that did not hold |',
    `|---|---|---|---|---|---|---|---|`,
    `| ${totals.join(' | ')} |`,
    '',
    '- Posts refused were answered 503 or not at all, and were posted again with the same key.',
    '- Gaps are the longest times without a 201, and without an arrival at an endpoint that always',
    '  answers, while load was on.',
    '- Healed: from the end of the fault until no accepted event had been waiting for more than 2 s.',
    '- Rounds with a fault of the network (`net-…`) have a proxy in every connection, the others none.',
  ]
  for (const [name, group] of groups)
    lines.push(
      '',
      `## ${name}`,
      '',
      renderTable(group.map((result, at) => ({ ...result, number: at + 1 }))).trimEnd(),
    )
  return `${lines.join('\n')}\n`
}

function nameOf({ mode, form, perSecond }: RoundResult): string {
  return perSecond === 0
    ? `A backlog, ${mode}`
    : `${mode}, ${form} form, ${perSecond} events/s over 50 endpoints and 4 bare URLs`
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1)
}
