/**
 * Answers no earlier than after a while, so that the time of an answer does not tell whether
 * somebody has an account. It hides differences of some milliseconds of work, not those of a store
 * that is slow.
 */

/** @param leastMs some times what the work takes */
export async function answerEvenly<Result>(
  leastMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, leastMs)
  try {
    return await work()
  } finally {
    await promise
  }
}
