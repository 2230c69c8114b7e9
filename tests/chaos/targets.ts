/** The 50 endpoints of a run, and four URLs without an endpoint. */
import type { TargetKind, Target } from './load/protocol.ts'
import type { World } from './world.ts'

/** How many endpoints there are of each kind. Those with lanes are posted to lane by lane. */
const MANY: Record<Exclude<TargetKind, 'direct'>, number> = {
  steady: 28,
  fifo: 8,
  stuck: 2,
  flaky: 5,
  hangs: 1,
  dead: 2,
  poll: 4,
}
const DIRECT = 4
const LANES = 3
/**
 * Short back-offs, so that what failed during a fault is attempted again within seconds of its end.
 */
const CONFIG = {
  maxRetries: 25,
  retryBackoffMs: 200,
  retryBackoffMult: 2,
  retryBackoffMax: 2_000,
  timeoutMs: 10_000,
  circuitThreshold: 5,
  circuitResetMs: 1_000,
}
/** A short timeout, so that its attempts end often within a fault. */
const HANGS = { timeoutMs: 3_000 }
/** Two attempts, so that a delivery is dead within a second, whatever the circuit does. */
const DEAD = { maxRetries: 2, circuitThreshold: 0 }

export async function createTargets(
  world: Pick<World, 'endpointPort' | 'call'>,
): Promise<Target[]> {
  const targets: Target[] = []
  const base = `http://127.0.0.1:${world.endpointPort}`
  for (const [kind, many] of Object.entries(MANY) as [TargetKind, number][]) {
    for (let at = 0; at < many; at += 1) {
      const name = `${kind}-${at}`
      const inLanes = kind === 'fifo' || kind === 'stuck'
      const { status, body } = await world.call('POST', '/api/v1/endpoints', {
        url: kind === 'poll' ? `poll://${name}` : `${base}/${name}`,
        eventTypes: [name],
        ...CONFIG,
        ...(kind === 'dead' ? DEAD : {}),
        ...(kind === 'hangs' ? HANGS : {}),
        ...(kind === 'poll' ? { deliveryMode: 'poll' } : {}),
        ...(inLanes ? { fifo: true, fifoPartitionKey: '$.key' } : {}),
      })
      if (status !== 201) throw new Error(`no endpoint ${name}: ${status} ${JSON.stringify(body)}`)
      const { id } = body as { id: string }
      targets.push({ name, kind, id, url: `${base}/${name}`, lanes: inLanes ? LANES : 1 })
    }
  }
  for (let at = 0; at < DIRECT; at += 1) {
    const name = `direct-${at}`
    targets.push({ name, kind: 'direct', id: '', url: `${base}/${name}`, lanes: 1 })
  }
  return targets
}
