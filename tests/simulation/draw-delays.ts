/** What a run draws as it goes: how late timers and messages are, and what endpoints answer. */
import type { Plan } from './plan.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { Reply } from './simulated-endpoints.ts'

/**
 * Timers of a busy machine: never early, rounded up to the plan's step, and a little later still.
 */
export function lateBy(ms: number, { timerMs }: Plan, random: SeededRandom): number {
  if (ms < 1) return ms
  return Math.ceil(ms / timerMs) * timerMs + random.next() * 5
}

/** How late the copies of a message come. The list may be empty or have several. */
export function copiesOf(
  { messageFaultRate }: Plan,
  random: SeededRandom,
  isCalm: boolean,
): number[] {
  const soon = (): number => random.between(0.1, 10)
  if (isCalm || !random.happens(messageFaultRate)) return [soon()]
  const late = (): number => random.pick([500, 3_000, 9_000, 11_000]) * random.next()
  return random.pick([[], [soon(), soon()], [soon(), late()], [late()], [late(), late()]])
}

export function drawReply(
  { failureRate, slowRate }: Plan,
  random: SeededRandom,
  isCalm: boolean,
): Reply {
  if (isCalm) return { connectMs: 1, answerMs: random.between(1, 50), statusCode: 200 }
  const isSlow = random.happens(slowRate)
  return {
    connectMs: isSlow && random.happens(0.3) ? random.between(5, 11_000) : random.between(0.1, 5),
    answerMs: isSlow ? random.pick([500, 1_500, 6_000, 12_000]) : random.between(1, 100),
    statusCode: random.happens(failureRate) ? random.pick([500, 500, 0, 404]) : 200,
  }
}
