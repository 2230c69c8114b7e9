/**
 * The routes that act on an endpoint or report on it beyond its fields, and the one that explains
 * what became of an event.
 */
import { mayInSubAccount } from './access.ts'
import * as endpoints from './endpoints.ts'
import * as versions from './endpoint-versions.ts'
import { EventSummary } from './events.ts'
import { EventExplanation } from './explain.ts'
import { CreateReplay, Replay } from './replays.ts'
import { API, entry, MAX_EVENT_BODY_BYTES } from './route.ts'

const ENDPOINT = `${API}/endpoints/:id` as const

export const endpointControlRoutes = {
  listEndpointVersions: entry({
    method: 'GET',
    path: `${ENDPOINT}/versions`,
    service: 'portal-api',
    access: mayInSubAccount('endpoints:read'),
    summary: 'List the versions of an endpoint, newest first',
    status: 200,
    query: versions.EndpointVersionListQuery,
    answer: versions.EndpointVersionPage,
  }),
  diffEndpointVersions: entry({
    method: 'GET',
    path: `${ENDPOINT}/versions/diff`,
    service: 'portal-api',
    access: mayInSubAccount('endpoints:read'),
    summary: 'What differs between two versions of an endpoint',
    status: 200,
    query: versions.VersionDiffQuery,
    answer: versions.VersionDiff,
  }),
  getEndpointVersion: entry({
    method: 'GET',
    path: `${ENDPOINT}/versions/:n`,
    service: 'portal-api',
    access: mayInSubAccount('endpoints:read'),
    summary: 'One version of an endpoint',
    status: 200,
    answer: versions.EndpointVersion,
  }),
  rollbackEndpoint: entry({
    method: 'POST',
    path: `${ENDPOINT}/versions/:n/rollback`,
    service: 'portal-api',
    access: mayInSubAccount('endpoints:write'),
    audit: 'endpoint.rollback',
    summary: 'Set an endpoint to what a version has, as a new version; secrets stay as they are',
    status: 200,
    answer: endpoints.Endpoint,
    errors: ['BAD_REQUEST', 'DESTINATION_BLOCKED', 'PLAN_REQUIRED', 'INVALID_STATE'],
  }),
  rotateEndpointSecret: entry({
    method: 'POST',
    path: `${ENDPOINT}/rotate-secret`,
    service: 'portal-api',
    access: mayInSubAccount('endpoints:write'),
    audit: 'endpoint.rotate_secret',
    summary: 'Give an endpoint a new secret of its own; both sign while the grace lasts',
    status: 200,
    body: endpoints.RotateSecret,
    bodyOptional: true,
    answer: endpoints.EndpointRotated,
    example: { gracePeriodMinutes: 60 },
  }),
  setEndpointMtls: entry({
    method: 'POST',
    path: `${ENDPOINT}/mtls`,
    service: 'portal-api',
    access: mayInSubAccount('endpoints:write'),
    audit: 'endpoint.set_mtls',
    summary: 'Set the client certificate that deliveries present; its key is never shown',
    status: 200,
    body: endpoints.SetMtls,
    answer: endpoints.Endpoint,
    example: {
      certPem: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n',
      keyPem: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n',
    },
  }),
  removeEndpointMtls: entry({
    method: 'DELETE',
    path: `${ENDPOINT}/mtls`,
    service: 'portal-api',
    access: mayInSubAccount('endpoints:write'),
    audit: 'endpoint.remove_mtls',
    summary: 'Present no client certificate any more',
    status: 204,
  }),
  testEndpoint: entry({
    method: 'POST',
    path: `${ENDPOINT}/test`,
    service: 'portal-api',
    access: mayInSubAccount('endpoints:write'),
    // It sends an event, and events are no changes of configuration.
    audit: null,
    summary: 'Send a sample event to this endpoint alone, whatever it subscribes to',
    status: 201,
    body: endpoints.TestEndpoint,
    bodyOptional: true,
    answer: EventSummary,
    maxBodyBytes: MAX_EVENT_BODY_BYTES,
    example: { eventType: 'order.paid', payload: { orderId: 'o_1', amount: 1250 } },
  }),
  replayEndpoint: entry({
    method: 'POST',
    path: `${ENDPOINT}/replay`,
    service: 'portal-api',
    access: mayInSubAccount('events:write'),
    audit: 'endpoint.replay',
    summary: 'Begin to queue again what an endpoint did not take of the events of a span of time',
    status: 202,
    body: CreateReplay,
    answer: Replay,
    example: { since: '2026-01-01T00:00:00Z', status: ['dead'] },
  }),
  getReplay: entry({
    method: 'GET',
    path: `${API}/replays/:id`,
    service: 'portal-api',
    access: mayInSubAccount('events:read'),
    summary: 'How far a bulk replay is',
    status: 200,
    answer: Replay,
  }),
  explainEvent: entry({
    method: 'GET',
    path: `${API}/events/:eventId/explain`,
    service: 'portal-api',
    access: mayInSubAccount('events:read'),
    summary: 'Why an event went to which endpoints, and what its deliveries wait for',
    status: 200,
    answer: EventExplanation,
  }),
}
