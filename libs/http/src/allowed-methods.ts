/**
 * Tells which methods a path knows, over the whole catalog: a service answers 405 for another
 * service's path as well, for a gateway sends it everything below a prefix.
 */
export interface KnownRoute {
  readonly method: string
  /** Express's spelling: `:name` stands for one segment. */
  readonly path: string
}

const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

interface KnownPath {
  segments: readonly string[]
  literals: number
  methods: Set<string>
}

/**
 * @returns the methods of the most literal path that fits, in a fixed order; none: the path is
 * unknown
 */
export function createAllowedMethods(routes: readonly KnownRoute[]): (path: string) => string[] {
  const paths = new Map<string, KnownPath>()
  for (const { method, path } of routes) {
    const segments = segmentsOf(path)
    const literals = segments.filter((segment) => !segment.startsWith(':')).length
    const known = paths.get(path) ?? { segments, literals, methods: new Set(['OPTIONS']) }
    known.methods.add(method)
    if (method === 'GET') known.methods.add('HEAD')
    paths.set(path, known)
  }
  const byLiterals = [...paths.values()].sort((a, b) => b.literals - a.literals)
  return (path) => {
    const asked = segmentsOf(path)
    const fits = byLiterals.find(({ segments }) => matches(segments, asked))
    return fits === undefined ? [] : ORDER.filter((method) => fits.methods.has(method))
  }
}

function segmentsOf(path: string): string[] {
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path
  return trimmed.split('/').slice(1)
}

function matches(segments: readonly string[], asked: readonly string[]): boolean {
  if (segments.length !== asked.length) return false
  return segments.every((segment, n) =>
    segment.startsWith(':') ? asked[n] !== '' : segment === asked[n],
  )
}
