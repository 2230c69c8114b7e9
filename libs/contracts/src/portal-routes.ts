/**
 * The routes that the portal of a sub-account calls with its session. Each is a route of the API,
 * confined to the sub-account and without the fields that are the operator's. The portal's page
 * itself is here too.
 */
import { anyone, inPortal } from './access.ts'
import * as analytics from './analytics.ts'
import { EventDeliveries, EventDeliveriesQuery, DeliveryPage } from './deliveries.ts'
import {
  EndpointListQuery,
  portalEndpointSchemas,
  RotateSecret,
  TestEndpoint,
} from './endpoints.ts'
import { EventTypeListQuery } from './event-types.ts'
import { EventListQuery } from './events.ts'
import { EventExplanation } from './explain.ts'
import * as portal from './portal.ts'
import { CreateReplay, Replay } from './replays.ts'
import { entry, MAX_EVENT_BODY_BYTES, PORTAL_PAGE, SUB_ACCOUNT_API } from './route.ts'

const ENDPOINTS = `${SUB_ACCOUNT_API}/endpoints` as const
const ENDPOINT = `${ENDPOINTS}/:id` as const
const EVENTS = `${SUB_ACCOUNT_API}/events` as const
const EVENT = `${EVENTS}/:eventId` as const
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiIwIn0.0000000000000000000000000000000000000000000'

const sessionRoutes = {
  exchangeSubAccountToken: entry({
    method: 'POST',
    path: `${SUB_ACCOUNT_API}/auth/exchange`,
    service: 'portal-api',
    access: anyone(),
    // The session's own row keeps when its link was opened.
    audit: null,
    summary: 'Take the token of a link to the portal, once; the answer sets the session’s cookie',
    status: 200,
    body: portal.ExchangeToken,
    answer: portal.PortalSession,
    maxBodyBytes: 16 * 1024,
    errors: [
      'UNAUTHORIZED',
      'SESSION_EXPIRED',
      'ALREADY_CONSUMED',
      'PLAN_REQUIRED',
      'RATE_LIMITED',
    ],
    example: { token: TOKEN },
  }),
  getPortalSession: entry({
    method: 'GET',
    path: `${SUB_ACCOUNT_API}/session`,
    service: 'portal-api',
    access: inPortal(null),
    summary: 'The session of the portal',
    status: 200,
    answer: portal.PortalSession,
  }),
  getPortalPage: entry({
    method: 'GET',
    path: `${PORTAL_PAGE}/:token`,
    service: 'portal-api',
    access: anyone(),
    summary: 'The page of the portal; to read it takes no token',
    status: 200,
    params: { token: 'text' },
    produces: 'html',
  }),
}

const endpointActionRoutes = {
  pauseSubAccountEndpoint: entry({
    method: 'POST',
    path: `${ENDPOINT}/pause`,
    service: 'portal-api',
    access: inPortal('endpoints:write'),
    audit: 'endpoint.pause',
    summary: 'Hold an endpoint’s deliveries',
    status: 200,
    answer: portal.PortalEndpoint,
  }),
  resumeSubAccountEndpoint: entry({
    method: 'POST',
    path: `${ENDPOINT}/resume`,
    service: 'portal-api',
    access: inPortal('endpoints:write'),
    audit: 'endpoint.resume',
    summary: 'End a pause, or the disabling by a 410, and release what waits in order',
    status: 200,
    answer: portal.PortalEndpoint,
  }),
  testSubAccountEndpoint: entry({
    method: 'POST',
    path: `${ENDPOINT}/test`,
    service: 'portal-api',
    access: inPortal('endpoints:write'),
    // It makes an event, which is listed.
    audit: null,
    summary: 'Send a sample event to this endpoint alone, whatever it subscribes to',
    status: 201,
    body: TestEndpoint,
    bodyOptional: true,
    answer: portal.PortalEventSummary,
    maxBodyBytes: MAX_EVENT_BODY_BYTES,
    example: { eventType: 'order.paid', payload: { orderId: 'o_1', amount: 1250 } },
  }),
  rotateSubAccountEndpointSecret: entry({
    method: 'POST',
    path: `${ENDPOINT}/rotate-secret`,
    service: 'portal-api',
    access: inPortal('endpoints:write'),
    audit: 'endpoint.rotate_secret',
    summary: 'Give an endpoint a new secret of its own; both sign while the grace lasts',
    status: 200,
    body: RotateSecret,
    bodyOptional: true,
    answer: portal.PortalEndpointRotated,
    example: { gracePeriodMinutes: 60 },
  }),
  listSubAccountEndpointDeliveries: entry({
    method: 'GET',
    path: `${ENDPOINT}/deliveries`,
    service: 'portal-api',
    access: inPortal('deliveries:read'),
    summary: 'List an endpoint’s delivery attempts, newest first',
    status: 200,
    query: portal.PortalDeliveryListQuery,
    answer: DeliveryPage,
  }),
  replaySubAccountEndpoint: entry({
    method: 'POST',
    path: `${ENDPOINT}/replay`,
    service: 'portal-api',
    access: inPortal('events:retry'),
    audit: 'endpoint.replay',
    summary: 'Begin to queue again what an endpoint did not take of the events of a span of time',
    status: 202,
    body: CreateReplay,
    answer: Replay,
    example: { since: '2026-01-01T00:00:00Z', status: ['dead'] },
  }),
  getSubAccountReplay: entry({
    method: 'GET',
    path: `${SUB_ACCOUNT_API}/replays/:id`,
    service: 'portal-api',
    access: inPortal('events:read'),
    summary: 'How far a bulk replay is',
    status: 200,
    answer: Replay,
  }),
}

const eventRoutes = {
  listSubAccountEventTypes: entry({
    method: 'GET',
    path: `${SUB_ACCOUNT_API}/event-types`,
    service: 'portal-api',
    access: inPortal('endpoints:read'),
    summary: 'List the event types that endpoints can subscribe to, newest first',
    status: 200,
    query: EventTypeListQuery,
    answer: portal.PortalEventTypePage,
  }),
  listSubAccountEvents: entry({
    method: 'GET',
    path: EVENTS,
    service: 'ingest-api',
    access: inPortal('events:read'),
    summary: 'List events, newest first',
    status: 200,
    query: EventListQuery,
    answer: portal.PortalEventPage,
  }),
  getSubAccountEvent: entry({
    method: 'GET',
    path: EVENT,
    service: 'ingest-api',
    access: inPortal('events:read'),
    summary: 'One event with its attempts',
    status: 200,
    answer: portal.PortalEventDetail,
  }),
  retrySubAccountEvent: entry({
    method: 'POST',
    path: `${EVENT}/retry`,
    service: 'ingest-api',
    access: inPortal('events:retry'),
    audit: 'event.replay',
    summary: 'Queue again the deliveries of an event that did not succeed',
    status: 200,
    answer: portal.PortalEventDetail,
    errors: ['INVALID_STATE'],
  }),
  listSubAccountEventDeliveries: entry({
    method: 'GET',
    path: `${EVENT}/deliveries`,
    service: 'portal-api',
    access: inPortal('deliveries:read'),
    summary: "An event's delivery attempts in the order in which they were made",
    status: 200,
    query: EventDeliveriesQuery,
    answer: EventDeliveries,
  }),
  explainSubAccountEvent: entry({
    method: 'GET',
    path: `${EVENT}/explain`,
    service: 'portal-api',
    access: inPortal('events:read'),
    summary: 'Why an event went to which endpoints, and what its deliveries wait for',
    status: 200,
    answer: EventExplanation,
  }),
}

const analyticsRoutes = {
  getSubAccountSummary: entry({
    method: 'GET',
    path: `${SUB_ACCOUNT_API}/analytics/summary`,
    service: 'alerting',
    access: inPortal('deliveries:read'),
    summary: 'What was sent, delivered, failed and given up, by hour or day',
    status: 200,
    query: analytics.AnalyticsQuery,
    answer: analytics.AnalyticsSummary,
  }),
  getSubAccountOutcomes: entry({
    method: 'GET',
    path: `${SUB_ACCOUNT_API}/analytics/outcomes`,
    service: 'alerting',
    access: inPortal('deliveries:read'),
    summary: 'Successes, failures and timeouts, by hour or day',
    status: 200,
    query: analytics.AnalyticsQuery,
    answer: analytics.AnalyticsOutcomes,
  }),
  getSubAccountLatency: entry({
    method: 'GET',
    path: `${SUB_ACCOUNT_API}/analytics/latency`,
    service: 'alerting',
    access: inPortal('deliveries:read'),
    summary: 'Percentiles of the durations of attempts, by hour or day',
    status: 200,
    query: analytics.AnalyticsQuery,
    answer: analytics.AnalyticsLatency,
  }),
}

export function portalRoutes(brand: string) {
  const { PortalCreateEndpoint, PortalPatchEndpoint } = portalEndpointSchemas(brand)
  return {
    ...sessionRoutes,
    createSubAccountEndpoint: entry({
      method: 'POST',
      path: ENDPOINTS,
      service: 'portal-api',
      access: inPortal('endpoints:write'),
      audit: 'endpoint.create',
      summary: 'Create an endpoint',
      status: 201,
      body: PortalCreateEndpoint,
      answer: portal.PortalEndpointCreated,
      errors: ['DESTINATION_BLOCKED', 'PLAN_REQUIRED', 'INVALID_STATE'],
      example: { url: 'https://example.com/hook', eventTypes: ['order.*'] },
    }),
    listSubAccountEndpoints: entry({
      method: 'GET',
      path: ENDPOINTS,
      service: 'portal-api',
      access: inPortal('endpoints:read'),
      summary: 'List endpoints, newest first',
      status: 200,
      query: EndpointListQuery,
      answer: portal.PortalEndpointPage,
    }),
    getSubAccountEndpoint: entry({
      method: 'GET',
      path: ENDPOINT,
      service: 'portal-api',
      access: inPortal('endpoints:read'),
      summary: 'One endpoint',
      status: 200,
      answer: portal.PortalEndpoint,
    }),
    updateSubAccountEndpoint: entry({
      method: 'PATCH',
      path: ENDPOINT,
      service: 'portal-api',
      access: inPortal('endpoints:write'),
      audit: 'endpoint.update',
      summary: 'Change an endpoint; each change makes a numbered version',
      status: 200,
      body: PortalPatchEndpoint,
      answer: portal.PortalEndpoint,
      errors: ['DESTINATION_BLOCKED', 'PLAN_REQUIRED', 'INVALID_STATE'],
      example: { timeoutMs: 10_000 },
    }),
    deleteSubAccountEndpoint: entry({
      method: 'DELETE',
      path: ENDPOINT,
      service: 'portal-api',
      access: inPortal('endpoints:write'),
      audit: 'endpoint.delete',
      summary: 'Delete an endpoint; its pending deliveries become dead',
      status: 204,
    }),
    ...endpointActionRoutes,
    ...eventRoutes,
    ...analyticsRoutes,
  }
}
