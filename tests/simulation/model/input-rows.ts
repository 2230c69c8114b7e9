/**
 * The rows that a statement is given: as one JSON value, or, for one row by itself, as a value for
 * each column.
 *
 * @param columns in the order of the values
 */
export function inputRows<Row>(values: readonly unknown[], columns: string): Row[] {
  if (values.length === 1) return JSON.parse(values[0] as string) as Row[]
  const names = columns.split(' ')
  return [Object.fromEntries(names.map((name, at) => [name, values[at]])) as Row]
}
