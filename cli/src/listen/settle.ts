/**
 * In order, a run begins only when nothing is hidden any more that the last run had fetched and not
 * acknowledged: what is fetched now is the oldest.
 */
import { type Posthorn, PosthornApiError } from '../../../sdks/node/src/posthorn-node.ts'

export interface SettleDeps {
  posthorn: Pick<Posthorn, 'events'>
  endpointId: string
  status(line: string): void
  pause(ms: number, signal: AbortSignal): Promise<void>
  signal: AbortSignal
}

const EVERY_MS = 500
/** More are not fetched at once. */
const MAX_HIDDEN = 200

export async function waitUntilSettled(deps: SettleDeps): Promise<void> {
  const { status, pause, signal } = deps
  const to = new Date().toISOString()
  let hasTold = false
  while (!signal.aborted) {
    let hidden: number
    try {
      hidden = await countHidden(deps, to)
    } catch (error) {
      if (!(error instanceof PosthornApiError) || error.status !== 403) throw error
      return status('without events:read it is unknown whether the last run left some unfinished')
    }
    if (hidden === 0) return
    if (!hasTold) status(`waiting for ${hidden} events that the last run did not finish`)
    hasTold = true
    await pause(EVERY_MS, signal)
  }
}

/** Events may be on their way to other endpoints besides: `explain` tells. */
async function countHidden(
  { posthorn, endpointId, signal }: SettleDeps,
  to: string,
): Promise<number> {
  const query = { endpointId, status: 'delivering' as const, to, limit: 100 }
  let hidden = 0
  let seen = 0
  for await (const { id } of posthorn.events.list(query, { signal })) {
    const { deliveries } = await posthorn.events.explain(id, { signal })
    const own = deliveries.find((delivery) => delivery.endpointId === endpointId)
    if (own?.state === 'delivering') hidden += 1
    seen += 1
    if (seen >= MAX_HIDDEN) break
  }
  return hidden
}
