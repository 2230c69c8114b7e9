/**
 * Which of an event's candidates accept its payload. One step evaluates one filter, because a
 * tenant may have thousands of expensive ones: the caller decides how many steps run in a row.
 *
 * Fails open: an endpoint whose filter can't be evaluated gets the event. A customer can ignore an
 * extra delivery, but nobody notices one that was never made. Filters are checked when they are
 * saved, so a failure here is our own fault and is logged.
 */
import type { Candidates, Filter } from './match-endpoints.ts'

export type OnFilterFault = (fault: { endpointId: string; error: unknown }) => void

/** @param payload returns the parsed payload; called only when a candidate has a filter */
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
