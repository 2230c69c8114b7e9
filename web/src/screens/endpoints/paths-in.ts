/** The JSONPaths of what payloads hold, for choosing a field instead of typing it. */
const MAX_PATHS = 60
const MAX_DEPTH = 5
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

export function pathsIn(payloads: readonly unknown[]): string[] {
  const paths = new Set<string>()
  for (const payload of payloads) collect(payload, '$', 0, paths)
  return [...paths]
}

function collect(value: unknown, path: string, depth: number, paths: Set<string>): void {
  if (paths.size >= MAX_PATHS || depth > MAX_DEPTH) return
  if (Array.isArray(value)) {
    collect(value[0], `${path}[*]`, depth + 1, paths)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const step = PLAIN_NAME.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
      collect(member, path + step, depth + 1, paths)
    }
  } else if (path !== '$' && value !== undefined) {
    paths.add(path)
  }
}
