/** Signers of platforms whose names begin with l. */
import { lever } from './items.fixture.ts'
import { hmac, mac, type Signer, standard } from './signer.fixture.ts'
import { lagoJwt, livekit } from './tokens.fixture.ts'

const lago = {
  webhook_type: 'customer.created',
  object_type: 'customer',
  organization_id: 'o',
  customer: { lago_id: '1' },
}
const linearHeaders = {
  'Linear-Delivery': '234d1a4e-b617-4388-90fe-adc3633d6b72',
  'Linear-Event': 'Issue',
}

export const l: readonly Signer[] = [
  mac({
    source: 'lago',
    header: 'X-Lago-Signature',
    digest: ['sha256', 'base64'],
    headers: { 'X-Lago-Signature-Algorithm': 'hmac', 'X-Lago-Unique-Key': '6f3f' },
    body: lago,
    type: 'customer.created',
    id: '6f3f',
  }),
  lagoJwt,
  mac({
    source: 'launchdarkly',
    header: 'X-LD-Signature',
    body: {
      _id: '62c1',
      date: 1700000000000,
      kind: 'flag',
      titleVerb: 'turned on the flag',
      accesses: [{ action: 'updateOn', resource: 'proj/p:env/e:flag/f' }],
    },
    type: 'updateOn',
    id: '62c1',
  }),
  mac({
    source: 'lemonsqueezy',
    header: 'X-Signature',
    headers: { 'X-Event-Name': 'order_created' },
    body: {
      meta: { event_name: 'order_created', webhook_id: 'w' },
      data: { type: 'orders', id: '1', attributes: { updated_at: '2023-11-14T22:13:20.000000Z' } },
    },
    type: 'order_created',
    id: 'order_created:orders:1:2023-11-14T22:13:20.000000Z',
  }),
  lever,
  mac({
    source: 'line',
    header: 'X-Line-Signature',
    digest: ['sha256', 'base64'],
    body: {
      destination: 'U1',
      events: [
        {
          type: 'message',
          webhookEventId: '01FZ74A0TDDPYRVKNK77XKC3ZR',
          timestamp: 1700000000000,
          source: { type: 'user', userId: 'U2' },
        },
      ],
    },
    type: 'message',
    id: '01FZ74A0TDDPYRVKNK77XKC3ZR',
  }),
  linearSigner(),
  mac({
    source: 'linkedin',
    header: 'X-LI-Signature',
    signed: (body) => `hmacsha256=${body}`,
    body: {
      type: 'ORGANIZATION_SOCIAL_ACTION_NOTIFICATIONS',
      notifications: [{ notificationId: 52 }],
    },
    type: 'ORGANIZATION_SOCIAL_ACTION_NOTIFICATIONS',
    id: '52',
    handshakes: [
      {
        of: 'the endpoint',
        request: {
          method: 'GET',
          url: '?challengeCode=890e4665-4dfe-4ab1-b689-ed553bceeed0',
          headers: {},
          body: '',
        },
        config: { secret: 'client-secret' },
        answer: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            challengeCode: '890e4665-4dfe-4ab1-b689-ed553bceeed0',
            challengeResponse: hmac('client-secret', '890e4665-4dfe-4ab1-b689-ed553bceeed0'),
          }),
        },
      },
    ],
  }),
  mac({
    source: 'linkedin',
    variant: 'after a prefix',
    header: 'X-LI-Signature',
    signed: (body) => `hmacsha256=${body}`,
    show: (s) => `hmacsha256=${s}`,
    body: { type: 'T', notifications: [{ notificationId: 52 }] },
    type: 'T',
    id: '52',
  }),
  standard({
    source: 'lithic',
    body: { event_type: 'card.created', card_token: '7ef7d65c' },
    type: 'card.created',
  }),
  livekit,
]

/** The time is in the signed body. */
function linearSigner(): Signer {
  const base = mac({
    source: 'linear',
    header: 'Linear-Signature',
    headers: linearHeaders,
    body: {
      action: 'create',
      type: 'Issue',
      createdAt: '2023-11-14T22:13:20.000Z',
      data: { id: '2174' },
      webhookId: 'w',
    },
    type: 'Issue',
    id: linearHeaders['Linear-Delivery'],
    time: { unit: 'ms', tolerance: 60 },
  })
  return {
    ...base,
    sign({ body, now, shown, secret, touch }) {
      const at = (time: number) => JSON.stringify({ ...JSON.parse(body), webhookTimestamp: time })
      return {
        body: at(shown),
        headers: {
          'Content-Type': 'application/json',
          ...linearHeaders,
          'Linear-Signature': touch(hmac(secret, at(now))),
        },
      }
    },
  }
}
