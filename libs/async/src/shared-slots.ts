/**
 * A few slots for work that can't be interrupted, shared by owners that must not delay each other:
 * an owner has at most its share of the slots, and waiting owners are served in turn, one piece of
 * work each. What an owner asks for beyond that waits behind its own.
 *
 * An owner whose work took long is slow for some time after it, and all slow owners together have
 * their own share of the slots: however many they are, they delay only each other. It promises
 * nothing against as many owners as there are slots, each of which is slow for the first time.
 */
import { setNewest } from './bounded-map.ts'

export interface SlotLimits {
  /** Pieces of work that run at the same time. */
  slots: number
  /** Pieces of one owner's work that run at the same time. */
  slotsPerOwner: number
  /** Pieces of slow owners' work that begin while so many of theirs run wait for these. */
  slowSlots: number
  /** Work that takes longer makes its owner slow. */
  slowMs: number
  /** How long an owner stays slow after it. */
  rememberMs: number
  /** Pieces of one owner's work that wait. */
  waitingPerOwner: number
  /** Work that has waited longer is refused when its turn comes: nobody needs it any more. */
  maxWaitMs: number
}

/** Some 100 bytes each. Beyond it the one that was slow longest ago is forgotten. */
const MAX_SLOW_OWNERS = 10_000

interface QueuedWork {
  since: number
  begin(run: Run): void
  refuse(): void
}

interface Run {
  /** Its owner was slow when it began. */
  readonly isSlow: boolean
  readonly since: number
}

interface Owner {
  name: string
  running: number
  waiting: QueuedWork[]
}

export type SharedSlots = <T>(owner: string, run: () => Promise<T>) => Promise<T>

/** @param refusal the error of work for which there is no place or no time */
export function createSharedSlots(
  limits: SlotLimits,
  deps: { refusal: () => Error; clock: () => number },
): SharedSlots {
  /** Owners with something running or waiting. An owner whose work ended goes to the end. */
  const owners = new Map<string, Owner>()
  const { isSlow, markSlow } = createSlowOwners(limits.rememberMs, deps.clock)
  const runs = new Set<Run>()

  /** Takes slots for the work that may begin. */
  function serve(): void {
    for (let served = true; served && runs.size < limits.slots; ) {
      served = false
      for (const owner of owners.values()) {
        if (runs.size >= limits.slots) return
        if (!mayBegin(owner) || !beginOne(owner)) continue
        served = true
      }
    }
  }

  function mayBegin({ name, running }: Owner): boolean {
    if (running >= limits.slotsPerOwner) return false
    return !isSlow(name) || slowRuns() < limits.slowSlots
  }

  function slowRuns(): number {
    return [...runs].filter((run) => run.isSlow || takesLong(run)).length
  }

  function takesLong({ since }: Run): boolean {
    return deps.clock() - since > limits.slowMs
  }

  function beginOne(owner: Owner): boolean {
    for (let next = owner.waiting.shift(); next; next = owner.waiting.shift()) {
      const now = deps.clock()
      if (now - next.since > limits.maxWaitMs) {
        next.refuse()
        continue
      }
      const run = { isSlow: isSlow(owner.name), since: now }
      owner.running++
      runs.add(run)
      next.begin(run)
      return true
    }
    return false
  }

  function end(owner: Owner, run: Run): void {
    const { name } = owner
    runs.delete(run)
    owner.running--
    if (takesLong(run)) markSlow(name)
    owners.delete(name)
    if (owner.running > 0 || owner.waiting.length > 0) owners.set(name, owner)
    serve()
  }

  return async (name, run) => {
    const owner = owners.get(name) ?? { name, running: 0, waiting: [] }
    if (owner.waiting.length >= limits.waitingPerOwner) throw deps.refusal()
    owners.set(name, owner)
    const turn = Promise.withResolvers<Run>()
    owner.waiting.push({
      since: deps.clock(),
      begin: turn.resolve,
      refuse: () => turn.reject(deps.refusal()),
    })
    serve()
    const begun = await turn.promise
    try {
      return await run()
    } finally {
      end(owner, begun)
    }
  }
}

/** Remembers for a while whose work took long. */
function createSlowOwners(rememberMs: number, clock: () => number) {
  const slowUntil = new Map<string, number>()
  return {
    isSlow: (name: string): boolean => (slowUntil.get(name) ?? -Infinity) > clock(),
    markSlow: (name: string): void =>
      setNewest(slowUntil, name, clock() + rememberMs, MAX_SLOW_OWNERS),
  }
}
