/** What the form of an alert rule sends. */
import { expect, test } from '@jest/globals'
import { headerLines, headersOf } from '../../ui/header-lines.ts'
import { listOf, ruleBody } from './rule-body.ts'

const CONDITION = { metric: 'latency', operator: 'gt', value: 900, window: '5m' } as const
const FIELDS = { name: ' Slow ', description: '', cooldown: '15m' }

test('a rule of a connector takes away the action that it may have had', () => {
  expect(ruleBody(FIELDS, CONDITION, { connectorName: 'ops' }, null)).toEqual({
    name: 'Slow',
    description: null,
    condition: CONDITION,
    endpointId: null,
    cooldown: '15m',
    connectorName: 'ops',
    action: null,
  })
})

test('an action has the fields of its type; what is empty is null', () => {
  const mail = { ...FIELDS, to: 'a@example.com, b@example.com', subject: '', message: '{{.rule}}' }
  expect(ruleBody(mail, CONDITION, { action: 'email' }, 'e-1')).toMatchObject({
    endpointId: 'e-1',
    connectorName: null,
    action: {
      type: 'email',
      to: ['a@example.com', 'b@example.com'],
      subject: null,
      message: '{{.rule}}',
    },
  })
  const hook = { ...FIELDS, webhookUrl: 'https://example.com', headers: 'X-Team: ops: all\n\n' }
  expect(ruleBody(hook, CONDITION, { action: 'webhook' }, null).action).toEqual({
    type: 'webhook',
    webhookUrl: 'https://example.com',
    headers: { 'X-Team': 'ops: all' },
    message: null,
  })
})

test('headers are lines, and lines headers', () => {
  expect(headersOf('')).toBeNull()
  expect(headersOf('A: 1\nB')).toEqual({ A: '1', B: '' })
  expect(headerLines({ A: '1', B: '2' })).toBe('A: 1\nB: 2')
  expect(headerLines(null)).toBe('')
  expect(listOf(' a, b;c\n')).toEqual(['a', 'b', 'c'])
})
