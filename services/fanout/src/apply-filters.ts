/**
 * Which of an event's candidates take its payload. It is parsed once, and only when one of them has a filter.
 *
 * Fails open: an endpoint whose filter can't be judged gets the event. A delivery too many can be ignored; one that was
 * never made is found by nobody. A filter is judged when it is saved, so this is our own fault and is logged.
 */
import type { Candidates, Filter } from './match-endpoints.ts'

export interface ApplyFiltersDeps {
  /** A promise when this has held the event loop for long and others wait for it. */
  giveWay(): Promise<void> | undefined
  onFault(fault: { endpointId: string; error: unknown }): void
}

export async function applyFilters(
  { endpointIds, filters }: Pick<Candidates, 'endpointIds' | 'filters'>,
  payload: string,
  deps: ApplyFiltersDeps,
): Promise<readonly string[]> {
  if (filters === null) return endpointIds
  const parse = once(() => JSON.parse(payload) as unknown)
  const taking: string[] = []
  for (const [index, endpointId] of endpointIds.entries()) {
    const filter = filters[index] ?? null
    if (filter === null || takes(filter, endpointId)) taking.push(endpointId)
    const pause = deps.giveWay()
    if (pause !== undefined) await pause
  }
  return taking

  function takes(filter: Filter, endpointId: string): boolean {
    try {
      const compiled = filter()
      if (compiled.outcome === 'ok') return compiled.evaluate(parse()).matches
      deps.onFault({ endpointId, error: compiled.problems })
    } catch (error) {
      deps.onFault({ endpointId, error })
    }
    return true
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
