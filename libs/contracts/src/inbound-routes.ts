/**
 * The routes that manage inbound endpoints, and the public paths of the inbound receiver. The
 * latter are not API routes: they take any body and need no key.
 */
import { mayInSubAccount } from './access.ts'
import * as inbound from './inbound.ts'
import { API, entry } from './route.ts'

export const INBOUND_RECEIVER = 'inbound-receiver'
/**
 * The methods that platforms call an inbound endpoint with. Any other method is answered with 405
 * on every path.
 */
export const INBOUND_METHODS = ['GET', 'HEAD', 'POST'] as const
/** Used to answer 404 and 405, and by the gateway and the ingress in front of the services. */
export const PUBLIC_INBOUND_ROUTES = INBOUND_METHODS.map((method) => ({
  method,
  path: `${inbound.INBOUND_PATH}/:pathSuffix`,
  service: INBOUND_RECEIVER,
}))

export const inboundRoutes = {
  createInboundEndpoint: entry({
    method: 'POST',
    path: `${API}/inbound-endpoints`,
    service: 'portal-api',
    access: mayInSubAccount('inbound:write', { feature: 'inbound' }),
    audit: 'inbound_endpoint.create',
    summary: 'Create an inbound endpoint for a platform’s webhooks',
    status: 201,
    body: inbound.CreateInboundEndpoint,
    answer: inbound.InboundEndpoint,
    errors: ['CONFLICT'],
    example: { name: 'Payments', source: 'stripe', sourceConfig: { secret: 'whsec_…' } },
  }),
  listInboundEndpoints: entry({
    method: 'GET',
    path: `${API}/inbound-endpoints`,
    service: 'portal-api',
    access: mayInSubAccount('inbound:read'),
    summary: 'List inbound endpoints, newest first',
    status: 200,
    query: inbound.InboundEndpointListQuery,
    answer: inbound.InboundEndpointPage,
  }),
  getInboundEndpoint: entry({
    method: 'GET',
    path: `${API}/inbound-endpoints/:id`,
    service: 'portal-api',
    access: mayInSubAccount('inbound:read'),
    summary: 'One inbound endpoint, with how its last requests went',
    status: 200,
    answer: inbound.InboundEndpoint,
  }),
  updateInboundEndpoint: entry({
    method: 'PATCH',
    path: `${API}/inbound-endpoints/:id`,
    service: 'portal-api',
    access: mayInSubAccount('inbound:write', { feature: 'inbound' }),
    audit: 'inbound_endpoint.update',
    summary: 'Change an inbound endpoint',
    status: 200,
    body: inbound.PatchInboundEndpoint,
    answer: inbound.InboundEndpoint,
    errors: ['CONFLICT'],
    example: { status: 'inactive' },
  }),
  deleteInboundEndpoint: entry({
    method: 'DELETE',
    path: `${API}/inbound-endpoints/:id`,
    service: 'portal-api',
    access: mayInSubAccount('inbound:write'),
    audit: 'inbound_endpoint.delete',
    summary: 'Delete an inbound endpoint; its events stay',
    status: 204,
  }),
  verifyInbound: entry({
    method: 'POST',
    path: `${API}/inbound-endpoints/:id/verify`,
    service: 'portal-api',
    access: mayInSubAccount('inbound:write', { feature: 'inbound' }),
    // It changes nothing.
    audit: null,
    summary:
      'Verify a request step by step, as the inbound receiver would, without making an event',
    status: 200,
    body: inbound.VerifyInbound,
    answer: inbound.InboundVerified,
    maxBodyBytes: 3 * 1024 * 1024,
    example: { headers: { 'Stripe-Signature': 't=1,v1=00' }, body: '{"type":"charge.paid"}' },
  }),
  listInboundPresets: entry({
    method: 'GET',
    path: `${API}/inbound-presets`,
    service: 'portal-api',
    access: mayInSubAccount('inbound:read'),
    summary: 'All platforms, and what each is configured with',
    status: 200,
    answer: inbound.InboundPresetPage,
  }),
}
