/**
 * Runs work that is divided into steps from its beginning to its end: for input that is known to be
 * small.
 */
export function atOnce<Result>(work: Generator<undefined, Result, undefined>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
