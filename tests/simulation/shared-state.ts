/**
 * The state store that all simulated processes share: the product's in-process one on virtual time,
 * behind a network. When it is away or its answer is lost, callers get what `state-store.ts`
 * promises for that case: they fail open.
 */
import { CLOSED, type CircuitView } from '@posthorn/domain/circuit'
import { createInProcessState } from '@posthorn/state/in-process-state'
import type { StateStore } from '@posthorn/state/state-store'
import type { Owner, VirtualTime } from './virtual-time.ts'

export interface SharedStateDeps {
  time: VirtualTime
  /** refused: the call never arrives. lost: it arrives, and its answer does not. */
  fateOf(owner: Owner, doing: string): { ms: number; fault: 'refused' | 'lost' | null }
  /** Guards that are removed, to see whether the simulation notices. */
  without: ReadonlySet<string>
}

export interface SharedState {
  stateOf(owner: Owner): StateStore
  /** Loses everything that is stored. */
  wipe(): void
  /** The circuit as it is stored, whatever processes know of it. */
  circuitOf(endpointId: string): Promise<CircuitView>
}

export const STATE_GUARDS = {
  'claims: each for one alone': 'claim: true only for who asks first',
  'circuit: one probe at a time': 'passCircuit: probeUntil',
  'circuit: it opens': 'reportCircuit: openUntil',
} as const

type Call = <Answer>(
  owner: Owner,
  doing: string,
  work: () => Promise<Answer>,
  unreachable: Answer,
) => Promise<Answer>

/** The state store as one process reaches it. */
function stateFor(
  owner: Owner,
  call: Call,
  store: () => StateStore,
  without: ReadonlySet<string>,
): StateStore {
  return {
    claim: (claims) =>
      call(
        owner,
        'claim',
        async () => {
          const granted = await store().claim(claims)
          return without.has('claims: each for one alone') ? claims.map(() => true) : granted
        },
        claims.map(() => null),
      ),
    renew: (claims) => call(owner, 'renew', () => store().renew(claims), undefined),
    takeToken: (key, perSecond) =>
      call(owner, 'take', () => store().takeToken(key, perSecond), {
        allowed: true,
        remaining: perSecond,
        retryAfterMs: 0,
        resetMs: 0,
      }),
    takeTokens: (key, wanted) =>
      call(owner, 'take', () => store().takeTokens(key, wanted), {
        granted: wanted.wanted,
        retryAfterMs: 0,
        backlogElsewhere: false,
      }),
    // No simulated process shows limits, or how often they were met.
    readTokens: (buckets) => store().readTokens(buckets),
    countRecent: async () => undefined,
    readRecent: (keys) => store().readRecent(keys),
    // No simulated process checks passwords.
    countGuess: (key, policy) => store().countGuess(key, policy),
    forgetGuesses: (key, which) => store().forgetGuesses(key, which),
    readCircuits: (ids) =>
      call(
        owner,
        'circuits',
        () => store().readCircuits(ids),
        ids.map(() => CLOSED),
      ),
    passCircuit: (id, leaseMs) =>
      call(
        owner,
        'pass',
        async () => {
          const passage = await store().passCircuit(id, leaseMs)
          return passage.outcome === 'wait' && without.has('circuit: one probe at a time')
            ? { outcome: 'probe' as const }
            : passage
        },
        { outcome: 'closed' },
      ),
    reportCircuit: (id, report, policy) =>
      call(
        owner,
        'report',
        async () =>
          without.has('circuit: it opens')
            ? { view: CLOSED, change: null, wasOpenedAt: 0 }
            : await store().reportCircuit(id, report, policy),
        { view: CLOSED, change: null, wasOpenedAt: 0 },
      ),
    resetCircuit: (id) => call(owner, 'reset', () => store().resetCircuit(id), CLOSED),
    check: async () => ({ ok: true, detail: 'simulated' }),
    close: async () => undefined,
  }
}

export function createSharedState({ time, fateOf, without }: SharedStateDeps): SharedState {
  const make = (): StateStore => createInProcessState({}, { nowMs: time.now })
  let store = make()

  function call<Answer>(
    owner: Owner,
    doing: string,
    work: () => Promise<Answer>,
    unreachable: Answer,
  ): Promise<Answer> {
    const { ms, fault } = fateOf(owner, doing)
    const { promise, resolve } = Promise.withResolvers<Answer>()
    time.at(null, time.now() + ms, () => {
      if (fault === 'refused')
        return void time.at(owner, time.now() + ms, () => resolve(unreachable))
      void work().then((answer) =>
        time.at(owner, time.now() + ms, () => resolve(fault === null ? answer : unreachable)),
      )
    })
    return promise
  }

  return {
    stateOf: (owner) => stateFor(owner, call, () => store, without),
    wipe() {
      store = make()
    },
    async circuitOf(endpointId) {
      const [view] = await store.readCircuits([endpointId])
      return view ?? CLOSED
    },
  }
}
