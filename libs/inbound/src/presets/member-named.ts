/** Platforms that write no type: the name of the member that holds what happened is it. It is put beside, as `kind`. */

interface Members {
  readonly [name: string]: unknown
}

/** @returns the document with the name of its first member that `isKind` */
export function withKind(
  document: unknown,
  isKind: (name: string, value: unknown) => boolean,
  at: (document: unknown) => unknown = (whole) => whole,
): unknown {
  const named = Object.entries(membersOf(at(document))).find(([name, value]) => isKind(name, value))
  return named === undefined ? document : { ...membersOf(document), kind: named[0] }
}

export function noneOf(...names: readonly string[]): (name: string) => boolean {
  return (name) => !names.includes(name)
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}
