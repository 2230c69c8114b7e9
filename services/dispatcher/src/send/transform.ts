/**
 * What an endpoint's transformation makes of an event: other content, nothing to deliver, or a
 * failed attempt. Trouble of the sandbox itself counts against nobody: the delivery is left to its
 * `due_at`.
 */
import { parseHeaders } from '@posthorn/contracts/due-delivery'
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { RunRequest, RunResult } from '@posthorn/sandbox/sandbox'
import type { LoadScript } from './load-script.ts'
import type { Transformation } from '../config/resolve-target.ts'

export interface TransformDeps {
  loadScript: LoadScript
  run(request: RunRequest): Promise<RunResult>
  /** ms of the clock that egress uses. */
  now(): number
}

export interface TransformedEvent {
  outcome: 'changed'
  /** null: as it was. */
  payload: string | null
  headers: Record<string, string> | null
}

/** Like a result of egress, with nothing sent. */
interface Unsent {
  firstByteOutAt: null
  lastByteInAt: number
  durationMs: number
}

export interface DroppedEvent extends Unsent {
  outcome: 'dropped'
}

export interface TransformError extends Unsent {
  outcome: 'error'
  category: 'transformation'
  detail: string
}

export type Transform = (
  message: DueDelivery,
  transformation: Transformation,
  payload: string,
) => Promise<
  TransformedEvent | DroppedEvent | TransformError | { outcome: 'unavailable'; detail: string }
>

export function createTransform({ loadScript, run, now }: TransformDeps): Transform {
  return async ({ tenantId, eventId, eventType, headers, createdAt }, transformation, payload) => {
    const startedAt = now()
    const loaded = await loadScript(transformation).catch((error: unknown) => error as Error)
    if (loaded instanceof Error) return { outcome: 'unavailable', detail: loaded.message }
    // The transformation has been removed since: the payload goes as it came.
    if (loaded === null) return { outcome: 'changed', payload: null, headers: null }
    const event = {
      id: eventId,
      eventType,
      payload,
      headers: parseHeaders(headers),
      createdAt: new Date(createdAt).toISOString(),
    }
    const ran = await run({ tenantId, ...loaded, event })
    if (ran.outcome === 'unavailable') return ran
    if (ran.outcome === 'ok' && ran.result !== null) return { outcome: 'changed', ...ran.result }
    // The script's time is its own; `overheadUs` is ours.
    const endedAt = now()
    const unsent = { firstByteOutAt: null, lastByteInAt: endedAt, durationMs: endedAt - startedAt }
    if (ran.outcome === 'ok') return { outcome: 'dropped', ...unsent }
    return { outcome: 'error', category: 'transformation', detail: ran.detail, ...unsent }
  }
}
