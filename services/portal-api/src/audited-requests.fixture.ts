/** A request to each route that is audited, made valid, with what it needs made before. */
import { type Json, type Tenant, type TestPortal } from './portal.fixture.ts'
import { makeCertificate } from '@posthorn/egress/certificate.fixture'
import type { StripeDouble } from './billing/stripe/stripe-double.fixture.ts'

export interface AuditedStage {
  portal: TestPortal
  stripe: StripeDouble
  tenant: Tenant
  /** The cookie of a person who is signed in. */
  signIn(): Promise<{ cookie: string }>
}

export interface AuditedRequest {
  params?: Record<string, string>
  /** The catalog's example where it is not given. */
  body?: unknown
  headers?: Record<string, string>
}

type Prepare = (stage: AuditedStage) => Promise<AuditedRequest>

/** Each is searched for in every table. */
export const PLANTED = {
  signing: 'whsec_cGxhbnRlZC1zaWduaW5nLXNlY3JldC1vZi1hbGw=',
  nextSigning: 'whsec_cGxhbnRlZC1zaWduaW5nLXNlY3JldC1vZi1uZXh0',
  globalSigning: 'whsec_cGxhbnRlZC1nbG9iYWwtc2lnbmluZy1zZWNyZXQ=',
  storage: 'planted-secret-access-key-of-the-store',
  inbound: 'whsec_planted-secret-of-the-platform',
  nextInbound: 'whsec_planted-secret-of-the-platform-anew',
  ssoClient: 'planted-secret-of-the-oidc-client',
  nextSsoClient: 'planted-secret-of-the-oidc-client-anew',
}
/** Kept with the endpoint as they are, but told by no audit row. */
export const PLANTED_IN_CONFIG = {
  header: 'Bearer planted-token-in-a-header-of-the-customer',
  query: 'planted-token-in-a-query',
}
export const CLIENT = makeCertificate({ name: 'client' })

const ENDPOINT = {
  url: `https://shop.example/hook?token=${PLANTED_IN_CONFIG.query}`,
  eventTypes: ['order.*'],
  signingSecret: PLANTED.signing,
  customHeaders: { Authorization: PLANTED_IN_CONFIG.header },
}
const SOURCE = { name: 'Payments', source: 'stripe', sourceConfig: { secret: PLANTED.inbound } }

async function made(tenant: Tenant, path: string, body?: unknown): Promise<Json> {
  const answer = await tenant.call('POST', path, body)
  if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

/** What a route with the id of something needs. */
function one(path: string, example: unknown, body?: unknown): Prepare {
  return async ({ tenant }) => ({
    params: { id: (await made(tenant, path, example)).id },
    ...(body === undefined ? {} : { body }),
  })
}

const plain: Prepare = async () => ({})
const endpoint = (body?: unknown): Prepare => one('/endpoints', ENDPOINT, body)
const project = one('/projects', { name: 'Second', environment: 'staging' })
const eventType = one('/event-types', { name: 'order.paid' })
const source = (body?: unknown): Prepare => one('/inbound-endpoints', SOURCE, body)
const subAccount = one('/sub-accounts', { externalId: 'customer-1', name: 'One' })
const SESSION = { returnURL: 'https://app.example.com/' }
const ssoDomain = one('/sso/domains', { domain: 'planted.example' })
const CONNECTION = {
  type: 'oidc',
  name: 'Own',
  oidc: { issuer: 'https://idp.example', clientId: 'c-1', clientSecret: PLANTED.ssoClient },
}
const invited: Prepare = async ({ tenant }) => ({
  params: { userId: (await made(tenant, '/team/invite', INVITATION)).userId },
})
const INVITATION = { email: 'ada@example.com', role: 'editor' }

async function subscribed({ portal, stripe, tenant }: AuditedStage): Promise<void> {
  await made(tenant, '/billing/checkout', { planId: 'growth' })
  const customer = [...stripe.customers.values()].find(
    ({ metadata }) => metadata.tenant_id === tenant.tenantId,
  )
  const event = stripe.event(stripe.addSubscription(customer.id, 'price_growth_m'))
  const heard = await portal.callAs('')('POST', '/billing/stripe/webhook', event, {
    'Stripe-Signature': stripe.sign(event),
  })
  if (heard.status !== 200) throw new Error(heard.text)
}

/** After these requests to the billing routes. */
function billing(...before: [path: string, body?: unknown][]): Prepare {
  return async (stage) => {
    await subscribed(stage)
    for (const [path, body] of before) await made(stage.tenant, path, body)
    return {}
  }
}

export const AUDITED_REQUESTS: Readonly<Record<string, Prepare>> = {
  createApiKey: plain,
  revokeApiKey: one('/api-keys', { name: 'Second', scopes: ['events:read'] }),
  createProject: plain,
  updateProject: project,
  deleteProject: project,
  updateMe: async ({ signIn }) => ({
    headers: { 'X-API-Key': '', Cookie: (await signIn()).cookie },
  }),
  completeOnboarding: plain,
  checkOut: plain,
  changePlan: billing(),
  cancelSubscription: billing(),
  resumeSubscription: billing(['/billing/cancel']),
  dropScheduledChange: billing(['/billing/update', { planId: 'starter' }]),
  createEndpoint: async () => ({
    body: { ...ENDPOINT, mtlsCert: CLIENT.cert, mtlsKey: CLIENT.key },
  }),
  updateEndpoint: endpoint({
    url: 'https://shop.example/new',
    signingSecret: PLANTED.nextSigning,
    customHeaders: { Authorization: `${PLANTED_IN_CONFIG.header}-anew` },
  }),
  deleteEndpoint: endpoint(),
  pauseEndpoint: endpoint(),
  resumeEndpoint: endpoint(),
  rollbackEndpoint: async ({ tenant }) => {
    const { id } = await made(tenant, '/endpoints', ENDPOINT)
    await tenant.call('PATCH', `/endpoints/${id}`, { timeoutMs: 1_000 })
    return { params: { id, n: '1' } }
  },
  rotateEndpointSecret: endpoint({ newSecret: PLANTED.nextSigning }),
  setEndpointMtls: endpoint({ certPem: CLIENT.cert, keyPem: CLIENT.key }),
  removeEndpointMtls: endpoint(),
  replayEndpoint: endpoint(),
  rotateSigningSecret: async () => ({ body: { newSecret: PLANTED.globalSigning } }),
  createEventType: plain,
  updateEventType: eventType,
  deleteEventType: eventType,
  createInboundEndpoint: async () => ({ body: SOURCE }),
  updateInboundEndpoint: source({ sourceConfig: { secret: PLANTED.nextInbound } }),
  deleteInboundEndpoint: source(),
  updateSecurity: plain,
  createScimToken: plain,
  deleteScimToken: one('/scim-tokens', { name: 'Okta' }),
  createSsoConnection: async () => ({ body: CONNECTION }),
  updateSsoConnection: one('/sso/connections', CONNECTION, {
    oidc: { clientSecret: PLANTED.nextSsoClient },
  }),
  deleteSsoConnection: one('/sso/connections', CONNECTION),
  createSsoDomain: plain,
  verifySsoDomain: ssoDomain,
  deleteSsoDomain: ssoDomain,
  createSubAccount: plain,
  updateSubAccount: subAccount,
  deactivateSubAccount: subAccount,
  updateSubAccountSettings: plain,
  mintSubAccountSession: async (stage) => ({ ...(await subAccount(stage)), body: SESSION }),
  revokeSubAccountSession: async (stage) => {
    const { params = {} } = await subAccount(stage)
    const path = `/sub-accounts/${params['id']}/sessions`
    return { params: { ...params, sessionId: (await made(stage.tenant, path, SESSION)).id } }
  },
  revokeSubAccountSessions: subAccount,
  inviteMember: plain,
  updateMember: invited,
  removeMember: invited,
}
