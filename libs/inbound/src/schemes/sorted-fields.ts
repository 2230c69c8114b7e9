/** Names and values sorted by name, as several platforms sign them beside the URL. */

export type Field = readonly [name: string, value: string]

/** Sorted by the bytes of their names, which are ASCII; the values of one name are sorted, too. */
export function sortedFields(fields: Iterable<Field>): Field[] {
  return [...fields].toSorted(([a, x], [b, y]) => compare(a, b) || compare(x, y))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function glued(fields: readonly Field[]): string {
  return fields.map(([name, value]) => name + value).join('')
}
