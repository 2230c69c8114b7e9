/**
 * A few slots for work that can't be interrupted, shared by owners that must not delay each other:
 * an owner has at most its share of the slots, and waiting owners are served in turn, one piece of
 * work each. What an owner asks for beyond that waits behind its own.
 *
 * It promises nothing against as many owners as there are slots, each with work that takes long.
 */

export interface SlotLimits {
  /** Pieces of work that run at the same time. */
  slots: number
  /** Pieces of one owner's work that run at the same time. */
  slotsPerOwner: number
  /** Pieces of one owner's work that wait. */
  waitingPerOwner: number
  /** Work that has waited longer is refused when its turn comes: nobody needs it any more. */
  maxWaitMs: number
}

interface QueuedWork {
  since: number
  begin(): void
  refuse(): void
}

interface Owner {
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
  let running = 0

  /** Takes slots for the work that may begin. */
  function serve(): void {
    for (let served = true; served && running < limits.slots; ) {
      served = false
      for (const owner of owners.values()) {
        if (running >= limits.slots) return
        if (owner.running >= limits.slotsPerOwner || !beginOne(owner)) continue
        served = true
      }
    }
  }

  function beginOne(owner: Owner): boolean {
    for (let next = owner.waiting.shift(); next; next = owner.waiting.shift()) {
      if (deps.clock() - next.since > limits.maxWaitMs) {
        next.refuse()
        continue
      }
      owner.running++
      running++
      next.begin()
      return true
    }
    return false
  }

  return async (name, run) => {
    const owner = owners.get(name) ?? { running: 0, waiting: [] }
    if (owner.waiting.length >= limits.waitingPerOwner) throw deps.refusal()
    owners.set(name, owner)
    const turn = Promise.withResolvers<void>()
    owner.waiting.push({
      since: deps.clock(),
      begin: turn.resolve,
      refuse: () => turn.reject(deps.refusal()),
    })
    serve()
    await turn.promise
    try {
      return await run()
    } finally {
      owner.running--
      running--
      owners.delete(name)
      if (owner.running > 0 || owner.waiting.length > 0) owners.set(name, owner)
      serve()
    }
  }
}
