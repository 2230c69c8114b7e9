import { expect, test } from '@jest/globals'
import { clockFinding, connectionFault, describeChain } from './store-findings.ts'

test.each([
  [100, 'ok', 'agrees'],
  [-2_500, 'warning', '2.5 s behind'],
  [90_000, 'wrong', '90.0 s ahead of'],
])('a clock that is %d ms ahead is %s', (aheadMs, level, words) => {
  expect(clockFinding(aheadMs)).toEqual({ level, text: expect.stringContaining(words) })
})

test('a fault is found wherever in its chain it stands', () => {
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const wrapped = Object.assign(new Error('gave up'), { originalError: new Error('x', { cause }) })
  expect(connectionFault(wrapped)).toBe('nobody listens at its address and port')
  expect(describeChain(wrapped)).toBe('gave up; x; ECONNREFUSED connect')
  expect(connectionFault(new Error('something else'))).toBeUndefined()
  expect(describeChain('text')).toBe('text')
})
