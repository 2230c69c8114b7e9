/** RESULTS.md, made from results.json. Pure. */
import type { Figures } from './evaluate-runs.ts'
import type { Mode } from './options.ts'
import type { Results, RowResult } from './results.ts'
import { costTable, figureTable } from './table.ts'

const PEERS = `What other senders do on this kind of machine, by the tool that this generator comes from (best of several runs): Svix server
1.100 delivers 808/s at 2.26 processor seconds per 1,000, with a p99 of 10 ms at 200/s and of 19,600 ms beside a hanging endpoint;
Outpost 1.2 1,580/s, 1.08, 58 ms and 76,200 ms; Convoy 26.7 173/s, 9.8, 2,480 ms and 143,000 ms.`

const HOW = `How it was measured: \`npm run load\` starts each product by its own entry point with \`EGRESS_ALLOW_CIDRS=127.0.0.0/8\`, everything
else at its default, logs on, and posts from a generator that is also the receiver (\`tests/load/generator\`). Latencies are from the
moment before the post to the arrival of the whole body at the receiver. Processor seconds are those of all the product's processes and
stores. Of several runs the best counts; one during which the host (steal) took over 5 % of the processors or other programs over 10 % is
spoiled, and counts only when there is no other.
\`tests/load/results.json\` holds the same for the next run to compare with; docs/performance.md says what follows from it.`

const MODE_WORDS: Record<Mode, string> = {
  standalone: '`standalone`',
  cluster: 'cluster',
}

/** Rows whose costs are worth reading besides their figures. */
const COSTS: readonly (readonly [row: string, title: string])[] = [
  ['1', 'Direct events'],
  ['3', 'By type, one subscriber'],
  ['4', 'By type, 100 subscribers'],
  ['5', 'In batches'],
  ['12', 'A backlog'],
  ['13', 'Idle'],
  ['14', 'Reads over the filled database'],
]

export function resultsPage(results: Results): string {
  const { machine, versions } = results
  const rows = (mode: Mode): RowResult[] => Object.values(results.rows[mode])
  const figures = (mode: Mode): Figures =>
    Object.assign({}, ...rows(mode).map((row) => row.figures)) as Figures
  const costs = (row: string): Record<Mode, Readonly<Record<string, number>>> => ({
    standalone: results.rows.standalone[row]?.costs ?? {},
    cluster: results.rows.cluster[row]?.costs ?? {},
  })
  const all = [...rows('standalone'), ...rows('cluster')]
  const days = [...new Set(all.map(({ at }) => at.slice(0, 10)))].sort()
  const commits = [...new Set(all.map(({ commit }) => commit))].sort()
  const words = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    '# Load: the last figures',
    '',
    'Made by `npm run load`; do not edit.',
    '',
    `Machine: ${machine.processors} x ${machine.model}, ${machine.memoryGiB} GiB; ${words.join(', ')}; sender, stores, receiver and load`,
    'generator on the same processors. The machine is shared: ratios within one run hold, absolute figures vary.',
    `Measured ${days.join(', ')} at ${commits.join(', ')}. ${spoiled('standalone')}; ${spoiled('cluster')}.`,
    '',
    ...figureTable({ standalone: figures('standalone'), cluster: figures('cluster') }),
    '',
    'In bold: not what is aimed at; why, and what was tried: `docs/performance.md`.',
    '',
    '## What an event costs',
    '',
    ...COSTS.flatMap(([row, title]) => costsOfRow(row, title)),
    '## Others',
    '',
    PEERS,
    '',
    HOW,
    '',
  ].join('\n')

  function spoiled(mode: Mode): string {
    const runs = rows(mode).reduce((sum, row) => sum + row.runs, 0)
    const bad = rows(mode).reduce((sum, row) => sum + row.spoiled, 0)
    return `${MODE_WORDS[mode]}: of ${runs} runs of rows ${bad} were spoiled`
  }

  function costsOfRow(row: string, title: string): string[] {
    const of = costs(row)
    if (Object.keys({ ...of.standalone, ...of.cluster }).length === 0) return []
    return [`${title}, row ${row}:`, '', ...costTable(of), '']
  }
}
