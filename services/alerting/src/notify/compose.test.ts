/** Texts of what is too large for a template. */
import { describe, expect, test } from '@jest/globals'
import type { ConnectorType } from '@posthorn/contracts/connectors'
import { shortestOfLongestTurnsMs } from '@posthorn/testing/longest-turn'
import { createCompose, type OpenConnector } from './compose.ts'
import { renderText } from './templates.ts'

const { event } = createCompose({ brand: 'Service', render: renderText })

const connector = (type: ConnectorType, template: OpenConnector['template'] = null) => ({
  type,
  config: { to: ['a@b.example'], webhookUrl: 'https://chat.example/' },
  template,
})

const MANY = Object.fromEntries(Array.from({ length: 20_000 }, (_, nth) => [`field${nth}`, nth]))
let nested: unknown = 'deep'
for (let depth = 0; depth < 400; depth += 1) nested = [nested]

const LARGE: [string, Record<string, unknown>][] = [
  ['a long text', { first: 'begins', long: 'x'.repeat(200_000) }],
  ['very many fields', { first: 'begins', ...MANY }],
  ['values far within each other', { first: 'begins', nested }],
]

describe.each(LARGE)('an event with %s', (_, payload) => {
  const sent = { eventType: 'order.paid', payload: JSON.stringify(payload) }

  test('is mailed by its beginning, and the mail says so', async () => {
    const { notification, problem } = await event(sent, connector('email'))
    expect(notification.title).toBe('[Service] order.paid')
    expect(notification.text).toContain('begins')
    expect(notification.text).toContain('order.paid: the event is too large')
    expect(notification.text.length).toBeLessThan(2_000)
    expect(problem).toBeNull()
  })

  test.each(['slack', 'discord', 'teams'] as const)('is told to %s', async (type) => {
    const { notification } = await event(sent, connector(type))
    expect(notification.title).not.toBe('')
    expect(notification.text).toContain('order')
  })

  test('whose own template fails says that too', async () => {
    const template = { text: '{{range .payload}}{{index . "a" "b"}}{{end}}' }
    const failing = connector('email', template as OpenConnector['template'])
    const { notification, problem } = await event(sent, failing)
    expect(notification.text).toContain('begins')
    expect(problem).toContain('the template of text failed')
  })
})

const MIB = 1024 * 1024
const listOf = (item: string): string => `{"all":[${`${item},`.repeat(MIB / (item.length + 1))}1]}`

test.each([
  ['lists', listOf('[]')],
  ['objects', listOf('{"a":1}')],
  ['names with escapes', listOf('{"\\u0061":1}')],
  ['fields', `{${Array.from({ length: 90_000 }, (_, n) => `"f${n}":1`).join()}}`],
])('a payload of 1 MiB of %s is read in turns of 25 ms at most', async (_, payload) => {
  const sent = { eventType: 'a.b', payload }
  const isQuick = (ms: number): boolean => ms < 25
  const ms = await shortestOfLongestTurnsMs(5, isQuick, async () => {
    const { notification } = await event(sent, connector('email'))
    expect(notification.title).toBe('[Service] a.b')
    expect(notification.text).toContain('too large')
  })
  expect(ms).toBeLessThan(25)
})

test('what is shortened is escaped as the target needs it', async () => {
  const payload = JSON.stringify({ text: '<!channel>', ...MANY })
  const template = { text: '{{range .payload}}{{.}}{{end}}' } as OpenConnector['template']
  const { notification } = await event({ eventType: 'a.b', payload }, connector('slack', template))
  expect(notification.text).not.toContain('<!channel>')
})

test('an event that fits is mailed with all of its fields', async () => {
  const payload = '{"order":7,"total":12.50}'
  const { notification } = await event({ eventType: 'order.paid', payload }, connector('email'))
  expect(notification.text).toBe('order: 7\ntotal: 12.50\n')
})
