/**
 * Checks the statements that a test file has run against the plans that they get while the queues
 * are empty: such a plan is kept while they fill, so it must look rows up. See `sql/by-key.ts`.
 */
import pg from 'pg'
import type { Pool } from './pool.ts'

/** Tables that may be empty now and hold 100,000 rows in a minute. */
const QUEUES = [
  'due',
  'parked',
  'backlogs',
  'lanes',
  'lane_waiting',
  'rollup_outbox',
  'operational_events',
]

/**
 * @returns the texts of the statements with a name, whose plans are kept, as they come. What looks
 * at whole tables once a minute has none.
 */
export function watchStatements(pool: Pool): ReadonlySet<string> {
  const texts = new Set<string>()
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const { name, text } = (args[0] ?? {}) as { name?: string; text?: string }
      if (name !== undefined && text !== undefined) texts.add(text)
      return query(...args)
    }) as typeof client.query
  })
  return texts
}

/** Empties the queues, and throws when one of the statements would read the whole of one. */
export async function requireLookUps(url: string, texts: ReadonlySet<string>): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c enable_seqscan=off' })
  await client.connect()
  try {
    for (const queue of QUEUES) await client.query(`DELETE FROM ${queue}`)
    await client.query(`VACUUM ANALYZE ${QUEUES.join(', ')}`)
    for (const text of texts) {
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
        `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
      )
      const scanned = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => scans(Plan)))
      if (scanned.length > 0) throw new Error(`reads all of ${scanned.join(', ')}:\n${text}`)
    }
  } finally {
    await client.end()
  }
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  Plans?: PlanNode[]
}

const WHOLE_SCANS = ['Seq Scan', 'Index Scan', 'Index Only Scan']

function scans(node: PlanNode): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Cond': condition } = node
  const isWhole = WHOLE_SCANS.includes(type) && condition === undefined && QUEUES.includes(table)
  return [...(isWhole ? [table] : []), ...(node.Plans ?? []).flatMap(scans)]
}
