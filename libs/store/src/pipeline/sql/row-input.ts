/**
 * What a statement is given, as the part `input` of its WITH: many rows as one JSON value, or one
 * row by itself with a parameter for each column. The one row is put in where it is used, so that
 * the planner sees the parameters, and makes no joins and no sorts.
 */
export interface RowInput {
  many: string
  one: string
  /** The parameters of `one`; what the row does not have is null. */
  valuesOf(row: object): unknown[]
}

/**
 * @param columns `name type, …` of a row
 * @param condition on the rows of many, whose alias is `i`
 */
export function rowInput(columns: string, condition = 'true'): RowInput {
  const all = columns.split(',').map((column) => column.trim().split(' ') as [string, string])
  const parameters = all.map(([name, type], at) => `$${at + 1}::${type} AS ${name}`)
  return {
    many: `input AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS i (${columns}) WHERE ${condition}
)`,
    one: `input AS NOT MATERIALIZED (SELECT ${parameters.join(', ')})`,
    valuesOf: (row) => all.map(([name]) => (row as Record<string, unknown>)[name] ?? null),
  }
}
