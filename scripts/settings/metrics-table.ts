/** The table of metrics in docs/operations.md, made from the catalog. */
import { type Metric, METRICS } from '@posthorn/contracts/metrics'

function metricsTable(): string {
  const rows = Object.entries<Metric>(METRICS).map(([name, { kind, labels, help }]) => {
    const names = labels.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${kind} | ${names} | ${help} |`
  })
  return ['| metric | kind | labels | meaning |', '|---|---|---|---|', ...rows].join('\n')
}

const TABLE = /(<!-- metrics: made by `npm run settings` -->\n)[\s\S]*?(<!-- \/metrics -->)/

/** @returns the page with its table up to date */
export function withMetricsTable(page: string): string {
  return page.replace(
    TABLE,
    (_all, before: string, after: string) => `${before}${metricsTable()}\n${after}`,
  )
}
