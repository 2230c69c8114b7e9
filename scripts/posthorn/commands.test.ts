import { expect, test } from '@jest/globals'
import { SERVICES } from '../cluster/options.ts'
import { readCommand, USAGE } from './commands.ts'

test.each([...SERVICES, 'standalone'])('%s can be run', (service) => {
  expect(readCommand([service])).toEqual({ name: 'run', service })
  expect(USAGE).toContain(service)
})

test.each([
  [['migrate'], { name: 'migrate', plan: false }],
  [['migrate', '--plan'], { name: 'migrate', plan: true }],
  [['standalone', '--standby'], { name: 'run', service: 'standalone' }],
  [['doctor', '--stores'], { name: 'doctor' }],
  [['--version'], { name: 'version' }],
  [['--help'], { name: 'help' }],
])('%j is understood', (argv, command) => {
  expect(readCommand(argv)).toEqual(command)
})

test.each([
  [[], 'say what to run'],
  [['dispatchers'], 'there is no "dispatchers"'],
  [['../standalone'], 'there is no "../standalone"'],
  [['fanout', 'dispatcher'], 'one too many'],
  [['fanout', '--plan'], 'belongs to "migrate"'],
  [['fanout', '--standby'], 'belongs to "standalone"'],
  [['migrate', '--dry-run'], '--dry-run'],
  [['doctor'], 'say what to look at'],
  [['fanout', '--stores'], 'belongs to "doctor"'],
])('%j is refused', (argv, message) => {
  expect(readCommand(argv)).toEqual({ name: 'wrong', message: expect.stringContaining(message) })
})
