/**
 * Which of an event's candidates take its payload. Step by step, a filter a step, for a tenant may have thousands of them
 * and dear ones: whoever asks for the steps decides how many may follow each other.
 *
 * Fails open: an endpoint whose filter can't be evaluated gets the event. A delivery too many can be ignored; one that was
 * never made is found by nobody. A filter is checked when it is saved, so this is our own fault and is logged.
 */
import type { Candidates, Filter } from './match-endpoints.ts'

export type OnFilterFault = (fault: { endpointId: string; error: unknown }) => void

/** @param payload the parsed payload, asked for only when a candidate has a filter */
export function* applyFilters(
  { endpointIds, filters }: Pick<Candidates, 'endpointIds' | 'filters'>,
  payload: () => unknown,
  onFault: OnFilterFault,
): Generator<void, readonly string[]> {
  if (filters === null) return endpointIds
  const taking: string[] = []
  for (const [index, endpointId] of endpointIds.entries()) {
    const filter = filters[index] ?? null
    if (filter === null || takes(filter, endpointId)) taking.push(endpointId)
    if (filter !== null) yield
  }
  return taking

  function takes(filter: Filter, endpointId: string): boolean {
    try {
      const compiled = filter()
      if (compiled.outcome === 'ok') return compiled.evaluate(payload()).matches
      onFault({ endpointId, error: compiled.problems })
    } catch (error) {
      onFault({ endpointId, error })
    }
    return true
  }
}
