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

/** The ids of connectors; null: there is none for the event. */
export type FindConnectors = (projectId: string, eventType: string) => readonly string[] | null

/** At 100 connectors of 100 patterns each a look takes some 10 ms, so what was found is kept. */
const MAX_MEMOIZED = 10_000

export function indexConnectors(all: readonly ConnectorSubscription[]): FindConnectors {
  if (all.length === 0) return () => null
  const found = new Map<string, readonly string[] | null>()
  return (projectId, eventType) => {
    const key = `${projectId} ${eventType}`
    const known = found.get(key)
    if (known !== undefined) return known
    const ids = all.flatMap((one) => {
      const isOfProject = one.projectId === null || one.projectId === projectId
      return isOfProject && matchesAny(one.eventTypes, eventType) ? [one.connectorId] : []
    })
    if (found.size >= MAX_MEMOIZED) found.clear()
    found.set(key, ids.length === 0 ? null : ids)
    return ids.length === 0 ? null : ids
  }
}
