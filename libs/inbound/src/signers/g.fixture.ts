/** Signers of platforms whose names begin with g, and of the mode without a platform. */
import { FORM, mac, type Signer, standard, token } from './signer.fixture.ts'
import { googleWatch } from './google-watch.fixture.ts'
import { gong, pubsub } from './tokens.fixture.ts'

const push = { ref: 'refs/heads/main', repository: { full_name: 'a/b' }, commits: [] }

const github = {
  'X-GitHub-Event': 'push',
  'X-GitHub-Delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
  'X-GitHub-Hook-ID': '292430182',
}
const gitea = {
  'X-Gitea-Event': 'push',
  'X-GitHub-Event': 'push',
  'X-Gitea-Delivery': 'f6266f16-1bf3-46a5-9ea4-602e06ead473',
}
const gitlab = {
  'Idempotency-Key': '4e3c7d1a',
  'X-Gitlab-Event': 'Push Hook',
  'X-Gitlab-Event-UUID': '13792a34-cac6-4fda-95a8-c58e00a3954e',
  'X-Gitlab-Webhook-UUID': '02affd2d-2cba-4033-917d-ec22d5dc4b38',
  'X-Gitlab-Instance': 'https://gitlab.com',
}
const gitlabBody = { object_kind: 'push', ref: 'refs/heads/main' }
const firing = {
  receiver: 'posthorn',
  status: 'firing',
  alerts: [{ status: 'firing', fingerprint: 'c6ec' }],
  groupKey: '{}:{}',
}
const marketplace = { ...github, 'X-GitHub-Event': 'marketplace_purchase' }

/** The generic mode of our own, by the names that the contract gives it. */
const generic: readonly Signer[] = [
  mac({
    source: 'generic',
    header: 'X-Acme-Signature',
    config: { header_name: 'X-Acme-Signature' },
    body: { type: 'order.created', id: '1' },
  }),
  mac({
    source: 'generic',
    variant: 'after a prefix',
    header: 'X-Acme-Signature',
    show: (s) => `sha256=${s}`,
    config: { header_name: 'X-Acme-Signature', prefix: 'sha256=' },
    body: { type: 'order.created', id: '1' },
  }),
]

const ghost = mac({
  source: 'ghost',
  header: 'X-Ghost-Signature',
  signed: (body, t) => `${body}${t}`,
  show: (s, t) => `sha256=${s}, t=${t}`,
  time: { unit: 'ms', tolerance: null },
  body: { event: 'post.published', post: { current: { id: '6' } } },
  type: 'post.published',
})

const gitHosts: readonly Signer[] = [
  mac({
    source: 'gitea',
    header: 'X-Gitea-Signature',
    headers: gitea,
    body: push,
    type: 'push',
    id: gitea['X-Gitea-Delivery'],
  }),
  mac({
    source: 'gitea',
    variant: 'of GitHub',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    headers: gitea,
    body: push,
    type: 'push',
    id: gitea['X-Gitea-Delivery'],
  }),
  mac({
    source: 'github',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    headers: github,
    body: push,
    type: 'push',
    id: github['X-GitHub-Delivery'],
  }),
  mac({
    source: 'github',
    variant: 'of a form',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    headers: github,
    contentType: FORM,
    body: `payload=${encodeURIComponent(JSON.stringify(push))}`,
    type: 'push',
    id: github['X-GitHub-Delivery'],
  }),
  mac({
    source: 'github-marketplace',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    headers: marketplace,
    body: { action: 'purchased', marketplace_purchase: {} },
    type: 'marketplace_purchase',
    id: github['X-GitHub-Delivery'],
  }),
  token({
    source: 'gitlab',
    header: 'X-Gitlab-Token',
    headers: gitlab,
    body: gitlabBody,
    type: 'Push_Hook',
    id: '4e3c7d1a',
  }),
  standard({
    source: 'gitlab-signing-token',
    headers: gitlab,
    body: gitlabBody,
    type: 'Push_Hook',
  }),
  mac({
    source: 'gogs',
    header: 'X-Gogs-Signature',
    headers: { 'X-Gogs-Event': 'push', 'X-Gogs-Delivery': 'f6266f16' },
    body: push,
    type: 'push',
    id: 'f6266f16',
  }),
]

const grafana: readonly Signer[] = [
  mac({ source: 'grafana', header: 'X-Grafana-Alerting-Signature', body: firing, type: 'firing' }),
  mac({
    source: 'grafana',
    variant: 'by another header',
    header: 'X-Ours',
    config: { header_name: 'X-Ours' },
    body: firing,
    type: 'firing',
  }),
  mac({
    source: 'grafana',
    variant: 'with a time',
    header: 'X-Grafana-Alerting-Signature',
    config: { timestamp_header: 'X-Time' },
    signed: (body, t) => `${t}:${body}`,
    time: { unit: 's', header: 'X-Time', tolerance: null },
    body: firing,
    type: 'firing',
  }),
]

const genericHmac: readonly Signer[] = [
  mac({
    source: 'generic-hmac',
    header: 'X-Signature',
    config: { header_name: 'X-Signature' },
    body: { any: 'thing' },
  }),
  mac({
    source: 'generic-hmac',
    variant: 'after a prefix',
    header: 'X-Sig',
    show: (s) => `sha256=${s}`,
    config: { header_name: 'X-Sig', prefix: 'sha256=' },
    body: { any: 'thing' },
  }),
  mac({
    source: 'generic-hmac',
    variant: 'of SHA-512 in base64',
    header: 'X-Sig',
    digest: ['sha512', 'base64'],
    config: { header_name: 'X-Sig', algorithm: 'sha512', encoding: 'base64' },
    body: { any: 'thing' },
  }),
  mac({
    source: 'generic-hmac',
    variant: 'of SHA-1',
    header: 'X-Sig',
    digest: ['sha1', 'hex'],
    config: { header_name: 'X-Sig', algorithm: 'sha1', encoding: 'hex' },
    body: { any: 'thing' },
  }),
]

export const g: readonly Signer[] = [
  ...generic,
  ...genericHmac,
  ghost,
  ...gitHosts,
  mac({
    source: 'gocardless',
    header: 'Webhook-Signature',
    body: {
      events: [
        {
          id: 'EV123',
          created_at: '2023-11-14T22:13:20.000Z',
          action: 'confirmed',
          resource_type: 'payments',
          links: { payment: 'PM123' },
        },
      ],
      meta: { webhook_id: 'WB123' },
    },
    type: 'confirmed',
    id: 'WB123',
  }),
  gong,
  googleWatch('google-calendar'),
  googleWatch('google-drive'),
  pubsub,
  ...grafana,
  mac({
    source: 'greenhouse',
    header: 'Signature',
    show: (s) => `sha256 ${s}`,
    headers: { 'Greenhouse-Event-ID': '12345678' },
    body: { action: 'new_candidate_application', payload: { application: { id: 1 } } },
    type: 'new_candidate_application',
    id: '12345678',
  }),
  mac({
    source: 'gusto',
    header: 'X-Gusto-Signature',
    body: {
      uuid: '1c1c0b8a',
      event_type: 'company.updated',
      resource_type: 'Company',
      resource_uuid: 'r',
      entity_type: 'Company',
      entity_uuid: 'e',
      timestamp: 1700000000,
    },
    type: 'company.updated',
    id: '1c1c0b8a',
    handshakes: [
      {
        of: 'the token',
        request: {
          headers: {},
          body: '{"verification_token":"a2e0ba18-e1b6-4e6a-9f2c-8f2b3c4d5e6f","webhook_subscription_uuid":"u"}',
        },
        config: {},
        answer: {
          status: 200,
          learned: { verification_token: 'a2e0ba18-e1b6-4e6a-9f2c-8f2b3c4d5e6f' },
        },
      },
    ],
  }),
]
