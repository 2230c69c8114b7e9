/**
 * Operational events: what customers are told about their own endpoints and events, sent as events
 * of the service in the project concerned. The idempotency key is made from the fact that is told,
 * so telling it again makes no second event.
 */
import { matchesAny, SERVICE_PREFIX } from './match-type.ts'

export type OperationalEventType =
  | 'service.endpoint.disabled'
  | 'service.endpoint.circuit_opened'
  | 'service.endpoint.circuit_closed'
  | 'service.endpoint.updated'
  | 'service.event.dead'

export interface OperationalEvent {
  tenantId: string
  projectId: string
  type: OperationalEventType
  /** Identifies the fact among those of its type. */
  fact: string
  data: Record<string, unknown>
}

export interface EndpointFacts {
  tenantId: string
  projectId: string
  endpointId: string
}

export function operationalEventKey({
  type,
  fact,
}: Pick<OperationalEvent, 'type' | 'fact'>): string {
  return `${type}:${fact}`
}

/** The patterns among an endpoint's that subscribe to operational events. */
export function operationalEventPatterns(eventTypes: readonly string[]): string[] {
  return eventTypes.filter((pattern) => pattern.startsWith(SERVICE_PREFIX))
}

export function wantsOperationalEvent(
  patterns: readonly string[],
  type: OperationalEventType,
): boolean {
  return patterns.length > 0 && matchesAny(patterns, type)
}

function ofEndpoint(
  type: OperationalEventType,
  { tenantId, projectId, endpointId }: EndpointFacts,
  fact: string | number,
  data: Record<string, unknown>,
): OperationalEvent {
  return {
    tenantId,
    projectId,
    type,
    fact: `${endpointId}:${fact}`,
    data: { endpointId, projectId, ...data },
  }
}

/** @param atMs when it was disabled, in ms since 1970 */
export function endpointDisabled(
  endpoint: EndpointFacts,
  { url, version, reason, atMs }: { url: string; version: number; reason: string; atMs: number },
): OperationalEvent {
  const at = toIso(atMs)
  const data = { url, version, status: 'disabled', reason, at }
  return ofEndpoint('service.endpoint.disabled', endpoint, Math.round(atMs), data)
}

export function circuitOpened(
  endpoint: EndpointFacts,
  circuit: { url: string; failures: number; openedAt: number; resetMs: number },
): OperationalEvent {
  const { url, failures, openedAt, resetMs } = circuit
  const probeAt = toIso(openedAt + resetMs)
  const data = { url, circuitState: 'open', failures, probeAt, at: toIso(openedAt) }
  return ofEndpoint('service.endpoint.circuit_opened', endpoint, openedAt, data)
}

/** @param openedAt identifies the opening that has ended; in ms since 1970, as `closedAt` */
export function circuitClosed(
  endpoint: EndpointFacts,
  { url, openedAt, closedAt }: { url: string; openedAt: number; closedAt: number },
): OperationalEvent {
  const data = { url, circuitState: 'closed', openedAt: toIso(openedAt), at: toIso(closedAt) }
  return ofEndpoint('service.endpoint.circuit_closed', endpoint, openedAt, data)
}

export function endpointUpdated(
  endpoint: EndpointFacts,
  { version, changes, atMs }: { version: number; changes: readonly string[]; atMs: number },
): OperationalEvent {
  const data = { version, changes, at: toIso(atMs) }
  return ofEndpoint('service.endpoint.updated', endpoint, version, data)
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
