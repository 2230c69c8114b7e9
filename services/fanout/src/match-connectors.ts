/**
 * The connectors that an event is told to: those of its project or of the whole workspace that
 * subscribe to its type. Most tenants have none, and pay a comparison for it.
 */
import { matchesAny } from '@posthorn/domain/match-type'

export interface ConnectorSubscription {
  connectorId: string
  /** null: the whole workspace's. */
  projectId: string | null
  eventTypes: readonly string[]
}

/**
 * The ids of connectors; null: there is none for the event. It runs in steps, because a tenant may
 * have very many patterns.
 */
export type FindConnectors = (
  projectId: string,
  eventType: string,
) => Generator<void, readonly string[] | null>

/** At 100 connectors of 100 patterns each a look takes up to 50 ms, so what was found is kept. */
const MAX_MEMOIZED = 10_000
/** Connectors have at most 100 patterns each, and a pattern takes up to 5 us. */
const CONNECTORS_PER_STEP = 10

/** One for all tenants without connectors. */
// oxlint-disable-next-line require-yield -- it has nothing to look for
const FIND_NONE: FindConnectors = function* findNone() {
  return null
}

export function indexConnectors(all: readonly ConnectorSubscription[]): FindConnectors {
  if (all.length === 0) return FIND_NONE
  const found = new Map<string, readonly string[] | null>()
  return function* findConnectors(projectId, eventType) {
    const key = `${projectId} ${eventType}`
    const known = found.get(key)
    if (known !== undefined) return known
    const ids: string[] = []
    for (const [place, one] of all.entries()) {
      if (place > 0 && place % CONNECTORS_PER_STEP === 0) yield
      const isOfProject = one.projectId === null || one.projectId === projectId
      if (isOfProject && matchesAny(one.eventTypes, eventType)) ids.push(one.connectorId)
    }
    if (found.size >= MAX_MEMOIZED) found.clear()
    found.set(key, ids.length === 0 ? null : ids)
    return ids.length === 0 ? null : ids
  }
}
