/**
 * A hint for the planner, since Postgres has none of its own: a condition that always holds, and
 * that the planner takes to hold for one row in 200.
 *
 * The planner expects 100 rows of any JSON and 10 of any array, and sums the cost of an index probe
 * over all partitions, because it can't know that all but one are pruned at run time. So it prefers
 * to read whole partitions while they are below some 10,000 pages, and such a plan is cached while
 * the partitions are small and kept while they grow. Expecting one row, it always probes the index.
 *
 * @param column must never be null
 */
export function selectivityHint(column: string): string {
  return `${column} = coalesce(${column}, ${column})`
}
