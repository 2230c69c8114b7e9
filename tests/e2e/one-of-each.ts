/** Fills a workspace with one resource of each kind, all of them marked as its owner's. */
import { randomUUID } from 'node:crypto'
import { expect } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import type { Owned } from './id-places.ts'
import type { Answer } from './posthorn.ts'

/** Stands in all that the owner makes: whoever else sees it sees too much. */
export const MARK = 'only-for-its-owner'

export type Caller = (method: string, path: string, body?: unknown) => Promise<Answer>

export async function made(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body, text } = await answer
  if (status < 200 || status > 299) throw new Error(`${status} ${text}`)
  return body
}

/** One of each kind, with events that are dead, delivered and waiting for a poll. */
// oxlint-disable-next-line max-lines-per-function -- one of each kind, one after another
export async function fill(call: Caller, receiverUrl: string): Promise<Owned> {
  // The name of an event type and of a connector.
  const type = `${MARK}-${randomUUID()}`
  const at = `${receiverUrl}/${MARK}`
  const payload = { mark: MARK }
  const endpoint = await made(
    call('POST', '/api/v1/endpoints', { url: at, eventTypes: [type], description: MARK }),
  )
  const polled = { url: `poll://${MARK}`, eventTypes: [type], deliveryMode: 'poll' }
  await made(call('POST', '/api/v1/endpoints', polled))
  const eventType = await made(
    call('POST', '/api/v1/event-types', { name: type, description: MARK }),
  )
  const apiKey = await made(
    call('POST', '/api/v1/api-keys', { name: MARK, scopes: ['events:read'] }),
  )
  const project = await made(call('POST', '/api/v1/projects', { name: MARK }))
  await made(call('POST', '/api/v1/events', { eventType: type, payload }))
  const dead = await made(
    call('POST', '/api/v1/events', { destination: `${at}/gone`, payload, maxAttempts: 1 }),
  )
  const attempt = await eventually(
    async () => {
      const event = await made(call('GET', `/api/v1/events/${dead.id}`))
      expect(event.status).toBe('dead')
      return event.deliveryAttempts[0]
    },
    { timeoutMs: 30_000 },
  )
  const inbound = await made(
    call('POST', '/api/v1/inbound-endpoints', {
      name: MARK,
      source: 'stripe',
      sourceConfig: { secret: MARK },
      destinationIds: [endpoint.id],
    }),
  )
  const member = await made(
    call('POST', '/api/v1/team/invite', { email: `${randomUUID()}@${MARK}`, role: 'viewer' }),
  )
  const subAccount = await made(
    call('POST', '/api/v1/sub-accounts', { externalId: randomUUID(), name: MARK }),
  )
  const session = await made(
    call('POST', `/api/v1/sub-accounts/${subAccount.id}/sessions`, {
      returnURL: `https://${MARK}.example`,
    }),
  )
  const connection = await made(
    call('POST', '/api/v1/sso/connections', {
      type: 'oidc',
      name: MARK,
      oidc: { issuer: 'https://idp.example.com', clientId: MARK, clientSecret: MARK },
    }),
  )
  const domain = await made(
    call('POST', '/api/v1/sso/domains', { domain: `${randomUUID()}.${MARK}.example` }),
  )
  const scimToken = await made(call('POST', '/api/v1/scim-tokens', { name: MARK }))
  const webhookUrl = `https://${MARK}.example/alerts`
  await made(
    call('POST', '/api/v1/connectors', { name: type, type: 'slack', config: { webhookUrl } }),
  )
  const rule = await made(
    call('POST', '/api/v1/alerting/rules', {
      name: MARK,
      // Otherwise it shows when it was last evaluated.
      enabled: false,
      condition: { metric: 'delivery_count', operator: 'lt', value: 0 },
      connectorName: type,
      endpointId: endpoint.id,
    }),
  )
  const replay = await made(
    call('POST', `/api/v1/endpoints/${endpoint.id}/replay`, { since: '2020-01-01T00:00:00Z' }),
  )
  await eventually(async () =>
    expect((await made(call('GET', `/api/v1/replays/${replay.id}`))).status).toBe('done'),
  )
  return {
    endpoint: endpoint.id,
    event: dead.id,
    delivery: attempt.id,
    'event-type': eventType.id,
    'api-key': apiKey.id,
    project: project.id,
    replay: replay.id,
    'inbound-endpoint': inbound.id,
    member: member.userId,
    'sub-account': subAccount.id,
    'sub-account-session': session.id,
    'sso-connection': connection.id,
    'sso-domain': domain.id,
    'scim-token': scimToken.id,
    'alert-rule': rule.id,
    name: type,
    n: '1',
  }
}
