/** Texts of what is too large for a template. */
import { describe, expect, test } from '@jest/globals'
import type { ConnectorType } from '@posthorn/contracts/connectors'
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

  test('is mailed by its beginning, and the mail says so', () => {
    const { notification, problem } = event(sent, connector('email'))
    expect(notification.title).toBe('[Service] order.paid')
    expect(notification.text).toContain('begins')
    expect(notification.text).toContain('order.paid: the event is too large')
    expect(notification.text.length).toBeLessThan(2_000)
    expect(problem).toBeNull()
  })

  test.each(['slack', 'discord', 'teams'] as const)('is told to %s', (type) => {
    const { notification } = event(sent, connector(type))
    expect(notification.title).not.toBe('')
    expect(notification.text).toContain('order')
  })

  test('whose own template fails says that too', () => {
    const template = { text: '{{range .payload}}{{index . "a" "b"}}{{end}}' }
    const failing = connector('email', template as OpenConnector['template'])
    const { notification, problem } = event(sent, failing)
    expect(notification.text).toContain('begins')
    expect(problem).toContain('the template of text failed')
  })
})

test('what is shortened is escaped as the target needs it', () => {
  const payload = JSON.stringify({ text: '<!channel>', ...MANY })
  const template = { text: '{{range .payload}}{{.}}{{end}}' } as OpenConnector['template']
  const { notification } = event({ eventType: 'a.b', payload }, connector('slack', template))
  expect(notification.text).not.toContain('<!channel>')
})

test('an event that fits is mailed with all of its fields', () => {
  const payload = '{"order":7,"total":12.50}'
  const { notification } = event({ eventType: 'order.paid', payload }, connector('email'))
  expect(notification.text).toBe('order: 7\ntotal: 12.50\n')
})
