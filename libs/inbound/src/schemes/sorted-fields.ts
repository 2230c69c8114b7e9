/** Names and values in the order of their names, as several platforms sign them beside the URL. */

export type Field = readonly [name: string, value: string]

/** By the bytes of ASCII, which names are written in; values of one name in order, too. */
export function sortedFields(fields: Iterable<Field>): Field[] {
  return [...fields].toSorted(([a, x], [b, y]) => compare(a, b) || compare(x, y))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function glued(fields: readonly Field[]): string {
  return fields.map(([name, value]) => name + value).join('')
}
