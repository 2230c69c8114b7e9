/**
 * Look-ups by key that are made once however many ask for them at the same time: who asks while one
 * is under way gets its outcome, failures included. Nothing is kept once it has ended.
 */
export interface SingleFlight<Result> {
  /** Joins the look-up of this key that is under way, or begins one. */
  run(key: string, lookUp: () => Promise<Result>): Promise<Result>
  isUnderWay(key: string): boolean
  /** Look-ups under way that somebody may still join. */
  size(): number
  /**
   * From now on nobody joins what is under way: it may not know of a change that has just happened.
   */
  forget(): void
}

export function createSingleFlight<Result>(): SingleFlight<Result> {
  const underWay = new Map<string, Promise<Result>>()
  return {
    run(key, lookUp) {
      const running = underWay.get(key)
      if (running !== undefined) return running
      const own = lookUp().finally(() => {
        if (underWay.get(key) === own) underWay.delete(key)
      })
      underWay.set(key, own)
      return own
    },
    isUnderWay: (key) => underWay.has(key),
    size: () => underWay.size,
    forget: () => underWay.clear(),
  }
}
