/**
 * A time limit on waiting, not on the work: work that is not done when the time is over goes on,
 * and its outcome is dropped.
 */
const LATE = Symbol('late')

/**
 * @param late gives the answer, or throws, when the time is over first; by default it is
 * `undefined`
 * @returns what the work resolves with; fails as the work does
 */
export async function within<Result, Late = undefined>(
  timeoutMs: number,
  work: Promise<Result>,
  late: () => Late = () => undefined as Late,
): Promise<Result | Late> {
  const { promise, resolve } = Promise.withResolvers<typeof LATE>()
  const timer = setTimeout(resolve, timeoutMs, LATE)
  try {
    const first = await Promise.race([work, promise])
    return first === LATE ? late() : first
  } finally {
    clearTimeout(timer)
  }
}
