import { expect, test } from '@jest/globals'
import { readArguments, refuseStandby } from './read-arguments.ts'

test.each([
  [[], false],
  [['standalone'], false],
  [['--standby'], true],
  [['standalone', '--standby'], true],
])('%j is understood', (argv, standby) => {
  expect(readArguments(argv)).toEqual({ standby })
})

test.each([[['--stand-by']], [['standby']], [['standalone', 'standalone']]])(
  '%j is refused',
  (argv) => {
    expect(() => readArguments(argv)).toThrow()
  },
)

test('who stands by needs a Postgres of its own, and the secrets of the other', () => {
  const [DATABASE_URL, MASTER_KEY, BOOTSTRAP_API_KEY] = ['postgres://db', 'key', 'api-key']
  expect(refuseStandby({ DATABASE_URL, MASTER_KEY, BOOTSTRAP_API_KEY })).toBeNull()
  const embedded = refuseStandby({ DATABASE_URL: undefined, MASTER_KEY, BOOTSTRAP_API_KEY })
  expect(embedded).toContain('needs DATABASE_URL')
  const secrets = { MASTER_KEY: undefined, BOOTSTRAP_API_KEY: undefined }
  expect(refuseStandby({ DATABASE_URL, ...secrets })).toContain('MASTER_KEY and BOOTSTRAP_API_KEY')
})
