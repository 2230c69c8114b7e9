/**
 * A hint to the planner, which has none of its own: a condition that always holds, and that it takes to hold for one row
 * in 200.
 *
 * It expects 100 rows of any JSON and 10 of any array, sums an index probe's cost over all partitions (it can't know that
 * all but one are pruned at run time), and so prefers to read whole partitions while they are below some 10,000 pages: a
 * plan that is cached while they are small and kept while they grow. Expecting one row, it always probes the index.
 * `column` must never be null.
 */
export function selectivityHint(column: string): string {
  return `${column} = coalesce(${column}, ${column})`
}
