/** Counts what a check of a peer expects, and goes on after what is not so. */
import { isDeepStrictEqual } from 'node:util'

export interface Expectations {
  equal(what: string, actual: unknown, expected: unknown): void
  passed(): number
  /** What was not so. */
  failures: string[]
}

export function countExpectations(): Expectations {
  let passed = 0
  const failures: string[] = []
  return {
    equal(what, actual, expected) {
      if (isDeepStrictEqual(actual, expected)) passed += 1
      else failures.push(`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`)
    },
    passed: () => passed,
    failures,
  }
}
