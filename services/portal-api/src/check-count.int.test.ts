/** How many event types, inbound endpoints and projects a workspace may have. */
import { expect, test } from '@jest/globals'
import {
  MAX_EVENT_TYPES,
  MAX_INBOUND_ENDPOINTS,
  MAX_PROJECTS,
  portal,
  tenant,
  usePortal,
} from './portal.fixture.ts'

usePortal()

const inbound = (n: number): object => ({
  name: `I${n}`,
  source: 'stripe',
  sourceConfig: { secret: 'whsec_a-secret-of-this-test' },
})

test.each([
  // The default project is one of them.
  ['projects', '/projects', MAX_PROJECTS, 1, (n: number) => ({ name: `P${n}` })],
  ['event types', '/event-types', MAX_EVENT_TYPES, 0, (n: number) => ({ name: `type.n${n}` })],
  ['inbound endpoints', '/inbound-endpoints', MAX_INBOUND_ENDPOINTS, 0, inbound],
])(
  'a workspace has its number of %s, and not one more of many at once',
  async (name, path, max, before, body) => {
    const other = await portal.addTenant()
    const some = max - before - 4
    for (let n = 0; n < some; n += 1) {
      expect((await tenant.call('POST', path, body(n))).status).toBe(201)
    }
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => tenant.call('POST', path, body(some + n))),
    )
    const made = answers.filter(({ status }) => status === 201)
    expect(made).toHaveLength(4)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer).toMatchObject({
        status: 409,
        body: {
          code: 'INVALID_STATE',
          error: expect.stringContaining(`at most ${max} ${name}`),
          details: { limit: max },
        },
      })
    }
    const [first] = made
    const one = `${path}/${first?.body.id}`
    const method = path === '/event-types' ? 'PUT' : 'PATCH'
    expect((await tenant.call(method, one, { name: 'renamed' })).status).toBe(200)
    expect((await other.call('POST', path, body(0))).status).toBe(201)
    expect((await tenant.call('DELETE', one)).status).toBe(204)
    expect((await tenant.call('POST', path, body(100))).status).toBe(201)
  },
)
