/** RESULTS.md, made from results.json. Pure. */
import type { Figures } from './evaluate-runs.ts'
import type { Mode } from './options.ts'
import type { Results, RowResult } from './results.ts'
import { costTable, figureTable } from './table.ts'

const PEERS = `Other senders on this kind of machine, measured with the tool that this generator comes from
(best of several runs):

| | delivered/s | processor seconds per 1,000 | p99 at 200/s, ms | p99 beside a hanging endpoint, ms |
|---|---|---|---|---|
| Svix server 1.100 | 808 | 2.26 | 10 | 19,600 |
| Outpost 1.2 | 1,580 | 1.08 | 58 | 76,200 |
| Convoy 26.7 | 173 | 9.8 | 2,480 | 143,000 |`

const HOW = `How it was measured: \`npm run load\` starts each product by its own entry point with
\`EGRESS_ALLOW_CIDRS=127.0.0.0/8\`, everything else at its default, and logging on. The generator
(\`tests/load/generator\`) posts the events and also receives them. Latency is from the moment before the
post to the arrival of the whole body at the endpoint. Processor seconds are those of all the product's
processes and stores. The best of several runs counts. A run during which the host took over 5 % of the
processors (steal), or other programs over 10 %, is spoiled, and counts only when there is no other.
\`tests/load/results.json\` holds the same figures for the next run to compare with;
docs/performance.md says what follows from them.`

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
    `Machine: ${machine.processors} x ${machine.model}, ${machine.memoryGiB} GiB; ${words.join(', ')}.`,
    'The product, its stores and the load generator share the processors. The machine is shared too:',
    'ratios within one run are reliable, absolute figures vary.',
    `Measured ${days.join(', ')} at ${commits.join(', ')}.`,
    `Spoiled runs of rows: ${spoiled('standalone')}; ${spoiled('cluster')}.`,
    '',
    ...figureTable({ standalone: figures('standalone'), cluster: figures('cluster') }),
    '',
    'Figures in bold miss their aim; `docs/performance.md` says why, and what was tried.',
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
    return `${MODE_WORDS[mode]} ${bad} of ${runs}`
  }

  function costsOfRow(row: string, title: string): string[] {
    const of = costs(row)
    if (Object.keys({ ...of.standalone, ...of.cluster }).length === 0) return []
    return [`${title}, row ${row}:`, '', ...costTable(of), '']
  }
}
