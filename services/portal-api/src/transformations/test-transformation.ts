/**
 * Runs a script on an event from the request, as an attempt would: nothing is sent, saved or kept
 * loaded. The payload goes in and comes out as text, so that the result is what would be sent, to
 * the byte.
 */
import { inTurns } from '@posthorn/async/in-turns'
import { memberSliceInSteps } from '@posthorn/domain/raw-json'
import { unavailable } from '@posthorn/http/errors'
import { type Handlers, rawJson } from '@posthorn/http/handlers'
import type { Sandbox } from '@posthorn/sandbox/sandbox'

export interface TestTransformationDeps {
  run: Sandbox['run']
  /** Epoch ms. */
  now: () => number
}

export function createTestTransformation(
  deps: TestTransformationDeps,
): Handlers<'portal-api'>['testTransformation'] {
  return async ({ caller, body, text }) => {
    const { id, eventType, headers, createdAt } = body.event
    const payload = await inTurns(payloadText(text))
    const ran = await deps.run({
      tenantId: caller.tenantId,
      key: null,
      script: body.transformation,
      event: {
        id,
        eventType,
        payload,
        headers,
        createdAt: createdAt ?? new Date(deps.now()).toISOString(),
      },
    })
    if (ran.outcome === 'unavailable') throw unavailable(ran.detail)
    if (ran.outcome === 'error') return { result: null, error: ran.detail }
    if (ran.result === null) return { result: null, error: null }
    const sent = JSON.stringify(ran.result.headers ?? headers ?? {})
    return rawJson(
      `{"result":{"payload":${ran.result.payload ?? payload},"headers":${sent}},"error":null}`,
    )
  }
}

/** The schema has ensured that the body has both. */
function* payloadText(text: string): Generator<undefined, string, undefined> {
  const event = yield* memberSliceInSteps(text, 'event')
  const payload = yield* memberSliceInSteps(text, 'payload', event?.start)
  return text.slice(payload?.start, payload?.end)
}
