/** A scheduler whose attempts begin and never end by themselves. For tests. */
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { TokensGranted, TokensWanted } from '@posthorn/state/rate-bucket'
import type { StateStore } from '@posthorn/state/state-store'
import type { ResolvedTarget } from '../config/resolve-target.ts'
import { type Admitted, type LeasedDelivery, newDelivery, type Sending } from '../delivery.ts'
import { createAttempts } from '../send/attempt-delivery.ts'
import type { Sender } from '../send/send-attempt.ts'
import { createFairScheduler, type FairScheduler } from './fair-scheduler.ts'
import { createWindows, windowLimits, type Windows } from './windows.ts'

export interface TestScheduler {
  scheduler: FairScheduler
  windows: Windows
  /** Attempts that have begun, for the test to take out. */
  begun: Sending[]
  parked: LeasedDelivery[]
  dropped: LeasedDelivery[]
  /** Limits that the test sets. */
  isFull: { recorder: boolean; parking: boolean; spare: boolean; bytes: number }
  enqueue(targetId: string, count: number, given?: Enqueued): LeasedDelivery[]
  end(sending: Sending): void
  /** Ends the attempts begun so far, quickly. */
  endAll(): void
  payloadRead(sending: Sending, bytes: number): void
}

export interface Enqueued {
  fetched?: boolean
  /** null: it has to be read. */
  payload?: string | null
  /** `<tenant> <origin>` */
  origin?: string
}

export interface Given {
  slots?: number
  now(): number
  utilization?(): number
  takeTokens?(key: string, wanted: TokensWanted): Promise<TokensGranted>
  countRecent?: StateStore['countRecent']
}

const NO_TOKENS: TokensGranted = { granted: 0, retryAfterMs: 1_000, backlogElsewhere: false }

export function createTestScheduler(given: Given): TestScheduler {
  const { now, utilization = () => 0, takeTokens = async () => NO_TOKENS } = given
  const windows = createWindows(windowLimits(given.slots ?? 2_048))
  const begun: Sending[] = []
  const parked: LeasedDelivery[] = []
  const dropped: LeasedDelivery[] = []
  const isFull = { recorder: false, parking: false, spare: false, bytes: 0 }
  const ticker = { wake: () => undefined }
  const never = async (sending: Sending): Promise<never> => {
    begun.push(sending)
    return await new Promise<never>(() => undefined)
  }
  const sender: Sender = { loadPayload: never, send: never }
  const recorder = {
    record: () => undefined,
    full: (spare = 0) => (spare > 0 ? isFull.spare : isFull.recorder),
  }
  const circuits = { stops: () => false, releaseProbe: () => undefined }
  const parking = {
    park: (delivery: LeasedDelivery) => void parked.push(delivery),
    cancel: () => undefined,
    drop: (delivery: LeasedDelivery) => void dropped.push(delivery),
    full: (spare = 0) => (spare > 0 ? isFull.spare : isFull.parking),
  }
  const attempts = createAttempts({
    windows,
    circuits,
    sender,
    recorder,
    parking,
    ticker,
    now,
    configuration: { peekTenant: () => undefined },
    slotResized: (sending) => scheduler.slotResized(sending),
    slotFreed: (sending, at) => scheduler.slotFreed(sending, at),
  })
  const scheduler: FairScheduler = createFairScheduler({
    windows,
    circuits,
    attempts,
    recorder,
    parking,
    ticker,
    utilization,
    now,
    inFlight: { bytes: () => isFull.bytes },
    state: { takeTokens, countRecent: given.countRecent ?? (async () => undefined) },
    wakeIntake: () => undefined,
  })
  const end = (sending: Sending): void => {
    windows.releaseSlot(sending.slot, now())
    scheduler.slotFreed(sending, now())
  }
  return {
    scheduler,
    windows,
    begun,
    parked,
    dropped,
    isFull,
    enqueue: (targetId, count, { fetched = false, payload = '{}', origin } = {}) =>
      Array.from({ length: count }, (_, n) => {
        const delivery = testDelivery({ deliveryId: `${targetId} ${n}`, payload })
        scheduler.enqueue(delivery, testTarget(targetId, origin), fetched)
        return delivery
      }),
    end,
    endAll() {
      for (const sending of begun.splice(0)) end(sending)
    },
    payloadRead(sending, bytes) {
      windows.setBytes(sending.slot, bytes)
      scheduler.slotResized(sending)
    },
  }
}

export function targetsOf(deliveries: readonly Sending[]): string[] {
  return deliveries.map(({ target }) => target.targetId)
}

/** Has a tenant and origin of its own, unless said. */
export function testTarget(
  targetId: string,
  originKey = `${targetId.replaceAll(' ', '-')} origin`,
  rateLimitPerSec = 0,
): ResolvedTarget {
  return { targetId, originKey, rateLimitPerSec } as ResolvedTarget
}

export function testDelivery(message: Partial<DueDelivery>): Admitted {
  return newDelivery(message as DueDelivery, 1, null, 0)
}
