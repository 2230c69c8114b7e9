// Generated from the route catalog by `npm run sdks`: do not edit.
import { Paginator } from '../paginator.ts'
import type { Request, RequestOptions } from '../request.ts'
import type {
  AckPolled,
  AckPolledAnswer,
  AlertHistoryItem,
  AlertPreview,
  AlertRule,
  AlertsEvaluated,
  ApiKey,
  ApiKeyCreated,
  AttemptDetail,
  BatchCreated,
  BatchRetried,
  CheckOut,
  CheckOutAnswer,
  CompleteOnboarding,
  Connector,
  CreateAlertRule,
  CreateAlertRuleFromText,
  CreateApiKey,
  CreateBatch,
  CreateConnector,
  CreateEndpoint,
  CreateEvent,
  CreateEventType,
  CreateInboundEndpoint,
  CreateProject,
  CreateReplay,
  CreateScimToken,
  CreateScimTokenAnswer,
  CreateSsoConnection,
  CreateSsoConnectionAnswer,
  CreateSsoDomain,
  CreateSsoDomainAnswer,
  CreateSubAccount,
  CreateSubAccountAnswer,
  CurrentUsage,
  DeliveryPage,
  EditEvent,
  EgressIps,
  Endpoint,
  EndpointCreated,
  EndpointRotated,
  EndpointVersion,
  Entitlements,
  EventCreated,
  EventDeliveries,
  EventDetail,
  EventExplanation,
  EventListItem,
  EventSummary,
  EventType,
  GetAnalyticsFailuresAnswer,
  GetAnalyticsLatencyAnswer,
  GetAnalyticsOutcomesAnswer,
  GetAnalyticsSummaryAnswer,
  GetAnalyticsThroughputAnswer,
  GetBillingOverviewAnswer,
  GetEndpointHealthAnswer,
  GetEndpointRateLimitAnswer,
  GetRateLimitsAnswer,
  GetStatsAnswer,
  GetSubAccountSettingsAnswer,
  GetSubscriptionAnswer,
  GlobalSecret,
  InboundEndpoint,
  InboundPresetPage,
  InboundVerified,
  InviteMember,
  ListBillingPlansAnswer,
  ListInvoicesAnswer,
  Me,
  MintSubAccountSession,
  NotificationTested,
  PatchInboundEndpoint,
  PollEventsAnswer,
  PreviewAlertRule,
  PreviewPlanChangeAnswer,
  Project,
  Replay,
  RetryBatch,
  RotateSecret,
  SecuritySettings,
  SetMtls,
  SubAccountSessionItem,
  SubAccountSessionMinted,
  TeamMember,
  TestEndpoint,
  TestTransformation,
  TestTransformationAnswer,
  UpdateAlertRule,
  UpdateConnector,
  UpdateEndpoint,
  UpdateEventType,
  UpdateMember,
  UpdateProject,
  UpdateSecurity,
  UpdateSsoConnection,
  UpdateSubAccount,
  UpdateSubAccountSettings,
  UsageHistory,
  VerifyInbound,
  VersionDiff,
} from './types.ts'

class EventsResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** Accept an event, for one destination or for every endpoint subscribed to its type. */
  create(body: CreateEvent, options: RequestOptions = {}): Promise<EventCreated> {
    return this.#request({ method: 'POST', path: '/api/v1/events', body, hasKey: true }, options)
  }

  /** Accept up to 100 direct events, all or none. */
  createBatch(body: CreateBatch, options: RequestOptions = {}): Promise<BatchCreated> {
    return this.#request({ method: 'POST', path: '/api/v1/events/batch', body }, options)
  }

  /** Replay many events: by ids, by status, or by endpoint. */
  replayBatch(body: RetryBatch, options: RequestOptions = {}): Promise<BatchRetried> {
    return this.#request({ method: 'POST', path: '/api/v1/events/batch/retry', body }, options)
  }

  /** List events, newest first. */
  list(query: {
    limit?: number
    cursor?: string
    status?: "queued" | "delivering" | "delivered" | "failed" | "dead"
    eventType?: string
    endpointId?: string
    /** direct events to exactly this URL */ destination?: string
    /** accepted at this time or later */ from?: string
    /** accepted before this time */ to?: string
  } = {}, options: RequestOptions = {}): Paginator<EventListItem> {
    return new Paginator((cursor) =>
      this.#request({ method: 'GET', path: '/api/v1/events', query: { ...query, ...cursor } }, options),
    )
  }

  /** One event with its attempts. */
  get(eventId: string, options: RequestOptions = {}): Promise<EventDetail> {
    return this.#request({ method: 'GET', path: '/api/v1/events/{eventId}', inPath: { eventId } }, options)
  }

  /** Edit a failed or dead event, and replay it on request; as with a replay, 409 beyond 30,000 attempts, and while retention removes it. */
  edit(eventId: string, body: EditEvent, options: RequestOptions = {}): Promise<EventDetail> {
    return this.#request({ method: 'PATCH', path: '/api/v1/events/{eventId}', inPath: { eventId }, body }, options)
  }

  /** Queue again the deliveries of an event that did not succeed; 409 beyond 30,000 attempts of one over all replays, and while retention removes the event. */
  replay(eventId: string, options: RequestOptions = {}): Promise<EventDetail> {
    return this.#request({ method: 'POST', path: '/api/v1/events/{eventId}/replay', inPath: { eventId } }, options)
  }

  /** An event's delivery attempts in the order in which they were made. */
  listDeliveries(eventId: string, query: {
    limit?: number
    cursor?: string
  } = {}, options: RequestOptions = {}): Promise<EventDeliveries> {
    return this.#request({ method: 'GET', path: '/api/v1/events/{eventId}/deliveries', inPath: { eventId }, query }, options)
  }

  /** Why an event went to which endpoints, and what its deliveries wait for. */
  explain(eventId: string, options: RequestOptions = {}): Promise<EventExplanation> {
    return this.#request({ method: 'GET', path: '/api/v1/events/{eventId}/explain', inPath: { eventId } }, options)
  }
}

class DeliveriesResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** List delivery attempts, newest first. */
  list(query: {
    range?: "1h" | "24h" | "7d" | "30d"
    start?: string
    end?: string
    outcome?: "success" | "failure" | "timeout"
    endpoint_id?: string
    event_type?: string
    limit?: number
    offset?: number
  } = {}, options: RequestOptions = {}): Promise<DeliveryPage> {
    return this.#request({ method: 'GET', path: '/api/v1/deliveries', query }, options)
  }

  /** One delivery attempt. */
  get(deliveryId: string, options: RequestOptions = {}): Promise<AttemptDetail> {
    return this.#request({ method: 'GET', path: '/api/v1/deliveries/{deliveryId}', inPath: { deliveryId } }, options)
  }
}

class PollResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** Fetch the oldest events of an endpoint in poll mode, or wait for some; each must be acknowledged within the visibility timeout. */
  receive(query: {
    endpoint_id: string
    limit?: number
    timeout?: number
  }, options: RequestOptions = {}): Promise<PollEventsAnswer> {
    return this.#request({ method: 'GET', path: '/api/v1/poll', query }, options)
  }

  /** Acknowledge fetched events: they are delivered. */
  ack(body: AckPolled, options: RequestOptions = {}): Promise<AckPolledAnswer> {
    return this.#request({ method: 'POST', path: '/api/v1/poll/ack', body }, options)
  }
}

class EndpointsResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** Create an endpoint. */
  create(body: CreateEndpoint, options: RequestOptions = {}): Promise<EndpointCreated> {
    return this.#request({ method: 'POST', path: '/api/v1/endpoints', body }, options)
  }

  /** List endpoints, newest first. */
  list(query: {
    limit?: number
    cursor?: string
  } = {}, options: RequestOptions = {}): Paginator<Endpoint> {
    return new Paginator((cursor) =>
      this.#request({ method: 'GET', path: '/api/v1/endpoints', query: { ...query, ...cursor } }, options),
    )
  }

  /** One endpoint. */
  get(id: string, options: RequestOptions = {}): Promise<Endpoint> {
    return this.#request({ method: 'GET', path: '/api/v1/endpoints/{id}', inPath: { id } }, options)
  }

  /** Change an endpoint; each change makes a numbered version. */
  update(id: string, body: UpdateEndpoint, options: RequestOptions = {}): Promise<Endpoint> {
    return this.#request({ method: 'PATCH', path: '/api/v1/endpoints/{id}', inPath: { id }, body }, options)
  }

  /** Delete an endpoint; its pending deliveries become dead. */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: 'DELETE', path: '/api/v1/endpoints/{id}', inPath: { id } }, options)
  }

  /** Hold an endpoint’s deliveries. */
  pause(id: string, options: RequestOptions = {}): Promise<Endpoint> {
    return this.#request({ method: 'POST', path: '/api/v1/endpoints/{id}/pause', inPath: { id } }, options)
  }

  /** End a pause, or the disabling by a 410, and release what waits in order. */
  resume(id: string, options: RequestOptions = {}): Promise<Endpoint> {
    return this.#request({ method: 'POST', path: '/api/v1/endpoints/{id}/resume', inPath: { id } }, options)
  }

  /** List the versions of an endpoint, newest first. */
  listVersions(id: string, query: {
    limit?: number
    cursor?: string
  } = {}, options: RequestOptions = {}): Paginator<EndpointVersion> {
    return new Paginator((cursor) =>
      this.#request({ method: 'GET', path: '/api/v1/endpoints/{id}/versions', inPath: { id }, query: { ...query, ...cursor } }, options),
    )
  }

  /** What differs between two versions of an endpoint. */
  diffVersions(id: string, query: {
    v1: number
    v2: number
  }, options: RequestOptions = {}): Promise<VersionDiff> {
    return this.#request({ method: 'GET', path: '/api/v1/endpoints/{id}/versions/diff', inPath: { id }, query }, options)
  }

  /** One version of an endpoint. */
  getVersion(id: string, n: number, options: RequestOptions = {}): Promise<EndpointVersion> {
    return this.#request({ method: 'GET', path: '/api/v1/endpoints/{id}/versions/{n}', inPath: { id, n } }, options)
  }

  /** Set an endpoint to what a version has, as a new version; secrets stay as they are. */
  rollback(id: string, n: number, options: RequestOptions = {}): Promise<Endpoint> {
    return this.#request({ method: 'POST', path: '/api/v1/endpoints/{id}/versions/{n}/rollback', inPath: { id, n } }, options)
  }

  /** Give an endpoint a new secret of its own; both sign while the grace lasts. */
  rotateSecret(id: string, body: RotateSecret = {}, options: RequestOptions = {}): Promise<EndpointRotated> {
    return this.#request({ method: 'POST', path: '/api/v1/endpoints/{id}/rotate-secret', inPath: { id }, body }, options)
  }

  /** Set the client certificate that deliveries present; its key is never shown. */
  setMtls(id: string, body: SetMtls, options: RequestOptions = {}): Promise<Endpoint> {
    return this.#request({ method: 'POST', path: '/api/v1/endpoints/{id}/mtls', inPath: { id }, body }, options)
  }

  /** Present no client certificate any more. */
  removeMtls(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: 'DELETE', path: '/api/v1/endpoints/{id}/mtls', inPath: { id } }, options)
  }

  /** Send a sample event to this endpoint alone, whatever it subscribes to. */
  test(id: string, body: TestEndpoint = {}, options: RequestOptions = {}): Promise<EventSummary> {
    return this.#request({ method: 'POST', path: '/api/v1/endpoints/{id}/test', inPath: { id }, body }, options)
  }

  /** Begin to queue again what an endpoint did not take of the events of a span of time. */
  replay(id: string, body: CreateReplay, options: RequestOptions = {}): Promise<Replay> {
    return this.#request({ method: 'POST', path: '/api/v1/endpoints/{id}/replay', inPath: { id }, body }, options)
  }
}

class EgressIpsResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** Addresses that deliveries come from, for allow lists. */
  list(options: RequestOptions = {}): Promise<EgressIps> {
    return this.#request({ method: 'GET', path: '/api/v1/egress-ips' }, options)
  }
}

class SigningSecretResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** The secret of direct events and of endpoints without one of their own. */
  get(options: RequestOptions = {}): Promise<GlobalSecret> {
    return this.#request({ method: 'GET', path: '/api/v1/signing-secret' }, options)
  }

  /** Replace the global secret; both sign while the grace lasts. */
  rotate(body: RotateSecret = {}, options: RequestOptions = {}): Promise<GlobalSecret> {
    return this.#request({ method: 'POST', path: '/api/v1/signing-secret/rotate', body }, options)
  }
}

class ReplaysResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** How far a bulk replay is. */
  get(id: string, options: RequestOptions = {}): Promise<Replay> {
    return this.#request({ method: 'GET', path: '/api/v1/replays/{id}', inPath: { id } }, options)
  }
}

class TransformationsResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** Run a transformation on an event of your own; nothing is sent or saved. */
  test(body: TestTransformation, options: RequestOptions = {}): Promise<TestTransformationAnswer> {
    return this.#request({ method: 'POST', path: '/api/v1/transformations/test', body }, options)
  }
}

class EventTypesResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** Create an event type; with a schema, payloads are checked against it. */
  create(body: CreateEventType, options: RequestOptions = {}): Promise<EventType> {
    return this.#request({ method: 'POST', path: '/api/v1/event-types', body }, options)
  }

  /** List event types, newest first. */
  list(query: {
    limit?: number
    cursor?: string
  } = {}, options: RequestOptions = {}): Paginator<EventType> {
    return new Paginator((cursor) =>
      this.#request({ method: 'GET', path: '/api/v1/event-types', query: { ...query, ...cursor } }, options),
    )
  }

  /** One event type by its name. */
  getByName(name: string, options: RequestOptions = {}): Promise<EventType> {
    return this.#request({ method: 'GET', path: '/api/v1/event-types/by-name/{name}', inPath: { name } }, options)
  }

  /** One event type. */
  get(id: string, options: RequestOptions = {}): Promise<EventType> {
    return this.#request({ method: 'GET', path: '/api/v1/event-types/{id}', inPath: { id } }, options)
  }

  /** Change an event type; fields left out stay as they are. */
  update(id: string, body: UpdateEventType, options: RequestOptions = {}): Promise<EventType> {
    return this.#request({ method: 'PUT', path: '/api/v1/event-types/{id}', inPath: { id }, body }, options)
  }

  /** Delete an event type; events of that name are no longer checked. */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: 'DELETE', path: '/api/v1/event-types/{id}', inPath: { id } }, options)
  }
}

class InboundEndpointsResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** Create an inbound endpoint for a platform’s webhooks. */
  create(body: CreateInboundEndpoint, options: RequestOptions = {}): Promise<InboundEndpoint> {
    return this.#request({ method: 'POST', path: '/api/v1/inbound-endpoints', body }, options)
  }

  /** List inbound endpoints, newest first. */
  list(query: {
    limit?: number
    cursor?: string
  } = {}, options: RequestOptions = {}): Paginator<InboundEndpoint> {
    return new Paginator((cursor) =>
      this.#request({ method: 'GET', path: '/api/v1/inbound-endpoints', query: { ...query, ...cursor } }, options),
    )
  }

  /** One inbound endpoint, with how its last requests went. */
  get(id: string, options: RequestOptions = {}): Promise<InboundEndpoint> {
    return this.#request({ method: 'GET', path: '/api/v1/inbound-endpoints/{id}', inPath: { id } }, options)
  }

  /** Change an inbound endpoint. */
  update(id: string, body: PatchInboundEndpoint, options: RequestOptions = {}): Promise<InboundEndpoint> {
    return this.#request({ method: 'PATCH', path: '/api/v1/inbound-endpoints/{id}', inPath: { id }, body }, options)
  }

  /** Delete an inbound endpoint; its events stay. */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: 'DELETE', path: '/api/v1/inbound-endpoints/{id}', inPath: { id } }, options)
  }

  /** Verify a request step by step, as the inbound receiver would, without making an event. */
  verify(id: string, body: VerifyInbound, options: RequestOptions = {}): Promise<InboundVerified> {
    return this.#request({ method: 'POST', path: '/api/v1/inbound-endpoints/{id}/verify', inPath: { id }, body }, options)
  }
}

class InboundPresetsResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** All platforms, and what each is configured with. */
  list(options: RequestOptions = {}): Promise<InboundPresetPage> {
    return this.#request({ method: 'GET', path: '/api/v1/inbound-presets' }, options)
  }
}

class ApiKeysResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** Create an API key; the key itself is shown this once. */
  create(body: CreateApiKey, options: RequestOptions = {}): Promise<ApiKeyCreated> {
    return this.#request({ method: 'POST', path: '/api/v1/api-keys', body }, options)
  }

  /** List API keys, newest first. */
  list(query: {
    limit?: number
    cursor?: string
  } = {}, options: RequestOptions = {}): Paginator<ApiKey> {
    return new Paginator((cursor) =>
      this.#request({ method: 'GET', path: '/api/v1/api-keys', query: { ...query, ...cursor } }, options),
    )
  }

  /** Revoke an API key; in force everywhere within 2 seconds. */
  revoke(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: 'DELETE', path: '/api/v1/api-keys/{id}', inPath: { id } }, options)
  }
}

class ProjectsResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** Create a project. */
  create(body: CreateProject, options: RequestOptions = {}): Promise<Project> {
    return this.#request({ method: 'POST', path: '/api/v1/projects', body }, options)
  }

  /** List projects, newest first. */
  list(query: {
    limit?: number
    cursor?: string
  } = {}, options: RequestOptions = {}): Paginator<Project> {
    return new Paginator((cursor) =>
      this.#request({ method: 'GET', path: '/api/v1/projects', query: { ...query, ...cursor } }, options),
    )
  }

  /** Change a project. */
  update(id: string, body: UpdateProject, options: RequestOptions = {}): Promise<Project> {
    return this.#request({ method: 'PATCH', path: '/api/v1/projects/{id}', inPath: { id }, body }, options)
  }

  /** Delete a project without endpoints; the default one stays. */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: 'DELETE', path: '/api/v1/projects/{id}', inPath: { id } }, options)
  }
}

class AuditLogsResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** List who changed what, newest first. */
  list(query: {
    limit?: number
    cursor?: string
    resource?: string
    /** with a dot at its end: every action that begins so */ action?: string
    /** the id of a user, who also acts by the keys that they made; of an API key or a sub-account; an e-mail address; or `system` */ actor?: string
    from?: string
    to?: string
  } = {}, options: RequestOptions = {}): Paginator<{
    id: string
    resource: string
    resourceId: string | null
    action: string
    /** the person: also who made the API key */
    actorUserId: string | null
    actor: {
      type: "user" | "api_key" | "sub_account" | "system"
      id: string | null
      name: string | null
    }
    /** `changes`: a list of `{field, from, to}`; secrets are hints only */
    metadata: Record<string, unknown>
    ip: string | null
    userAgent: string | null
    requestId: string | null
    createdAt: string
  }> {
    return new Paginator((cursor) =>
      this.#request({ method: 'GET', path: '/api/v1/audit-logs', query: { ...query, ...cursor } }, options),
    )
  }
}

class MeResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** The workspace, and who calls. */
  get(options: RequestOptions = {}): Promise<Me> {
    return this.#request({ method: 'GET', path: '/api/v1/me' }, options)
  }

  /** Note that the first steps in the workspace are done, and what it is called. */
  completeOnboarding(body: CompleteOnboarding = {}, options: RequestOptions = {}): Promise<Me> {
    return this.#request({ method: 'POST', path: '/api/v1/me/onboarding-complete', body }, options)
  }

  /** What the workspace asks of its members. */
  getSecurity(options: RequestOptions = {}): Promise<SecuritySettings> {
    return this.#request({ method: 'GET', path: '/api/v1/me/security' }, options)
  }

  /** Ask a second factor of each member; those without one may only set one up. */
  updateSecurity(body: UpdateSecurity, options: RequestOptions = {}): Promise<SecuritySettings> {
    return this.#request({ method: 'PATCH', path: '/api/v1/me/security', body }, options)
  }
}

class EntitlementsResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** What the plan of the workspace allows. */
  get(options: RequestOptions = {}): Promise<Entitlements> {
    return this.#request({ method: 'GET', path: '/api/v1/entitlements' }, options)
  }
}

class UsageResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** The events of this month, and what is left of its quota. */
  getCurrent(options: RequestOptions = {}): Promise<CurrentUsage> {
    return this.#request({ method: 'GET', path: '/api/v1/usage/current' }, options)
  }

  /** The events and attempts of each month, newest first. */
  getHistory(query: {
    months?: number
  } = {}, options: RequestOptions = {}): Promise<UsageHistory> {
    return this.#request({ method: 'GET', path: '/api/v1/usage/history', query }, options)
  }
}

class AnalyticsResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** What was sent, delivered, failed and given up, by hour or day. */
  getSummary(query: {
    endpointId?: string
    /** 24 hours before `to` where it is not given */ from?: string
    /** now where it is not given */ to?: string
  } = {}, options: RequestOptions = {}): Promise<GetAnalyticsSummaryAnswer> {
    return this.#request({ method: 'GET', path: '/api/v1/analytics/summary', query }, options)
  }

  /** Successes, failures and timeouts, by hour or day. */
  getOutcomes(query: {
    endpointId?: string
    /** 24 hours before `to` where it is not given */ from?: string
    /** now where it is not given */ to?: string
  } = {}, options: RequestOptions = {}): Promise<GetAnalyticsOutcomesAnswer> {
    return this.#request({ method: 'GET', path: '/api/v1/analytics/outcomes', query }, options)
  }

  /** Events per second, by hour or day. */
  getThroughput(query: {
    endpointId?: string
    /** 24 hours before `to` where it is not given */ from?: string
    /** now where it is not given */ to?: string
  } = {}, options: RequestOptions = {}): Promise<GetAnalyticsThroughputAnswer> {
    return this.#request({ method: 'GET', path: '/api/v1/analytics/throughput', query }, options)
  }

  /** Percentiles of the durations of attempts, by hour or day. */
  getLatency(query: {
    endpointId?: string
    /** 24 hours before `to` where it is not given */ from?: string
    /** now where it is not given */ to?: string
  } = {}, options: RequestOptions = {}): Promise<GetAnalyticsLatencyAnswer> {
    return this.#request({ method: 'GET', path: '/api/v1/analytics/latency', query }, options)
  }

  /** Failed attempts by category, by hour or day. */
  getFailures(query: {
    endpointId?: string
    /** 24 hours before `to` where it is not given */ from?: string
    /** now where it is not given */ to?: string
  } = {}, options: RequestOptions = {}): Promise<GetAnalyticsFailuresAnswer> {
    return this.#request({ method: 'GET', path: '/api/v1/analytics/failures', query }, options)
  }

  /** How endpoints are doing, worst first. */
  getEndpointHealth(query: {
    endpointId?: string
    /** 24 hours before `to` where it is not given */ from?: string
    /** now where it is not given */ to?: string
  } = {}, options: RequestOptions = {}): Promise<GetEndpointHealthAnswer> {
    return this.#request({ method: 'GET', path: '/api/v1/analytics/endpoint-health', query }, options)
  }
}

class StatsResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** What waits, fails and is delivered just now. */
  get(options: RequestOptions = {}): Promise<GetStatsAnswer> {
    return this.#request({ method: 'GET', path: '/api/v1/stats' }, options)
  }
}

class MetricsResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** How much of the rate limits of API keys and endpoints is left. */
  getRateLimits(options: RequestOptions = {}): Promise<GetRateLimitsAnswer> {
    return this.#request({ method: 'GET', path: '/api/v1/metrics/rate-limits' }, options)
  }

  /** How much of an endpoint's rate limit is left. */
  getEndpointRateLimit(endpointId: string, options: RequestOptions = {}): Promise<GetEndpointRateLimitAnswer> {
    return this.#request({ method: 'GET', path: '/api/v1/metrics/rate-limits/endpoint/{endpointId}', inPath: { endpointId } }, options)
  }
}

class TeamResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** List members and open invitations, newest first. */
  list(query: {
    limit?: number
    cursor?: string
  } = {}, options: RequestOptions = {}): Paginator<TeamMember> {
    return new Paginator((cursor) =>
      this.#request({ method: 'GET', path: '/api/v1/team', query: { ...query, ...cursor } }, options),
    )
  }

  /** Invite somebody by mail; again to the same address sends a new link. */
  inviteMember(body: InviteMember, options: RequestOptions = {}): Promise<TeamMember> {
    return this.#request({ method: 'POST', path: '/api/v1/team/invite', body }, options)
  }

  /** Change the role of a member or of an invitation. */
  updateMember(userId: string, body: UpdateMember, options: RequestOptions = {}): Promise<TeamMember> {
    return this.#request({ method: 'PATCH', path: '/api/v1/team/{userId}', inPath: { userId }, body }, options)
  }

  /** Remove a member, whose sessions end at once, or revoke an invitation. */
  removeMember(userId: string, options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: 'DELETE', path: '/api/v1/team/{userId}', inPath: { userId } }, options)
  }
}

class SubAccountsResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** Create a sub-account. */
  create(body: CreateSubAccount, options: RequestOptions = {}): Promise<CreateSubAccountAnswer> {
    return this.#request({ method: 'POST', path: '/api/v1/sub-accounts', body }, options)
  }

  /** List sub-accounts, newest first. */
  list(query: {
    limit?: number
    cursor?: string
    externalId?: string
    status?: "active" | "deactivated"
    /** how the name or the external id begins */ q?: string
  } = {}, options: RequestOptions = {}): Paginator<CreateSubAccountAnswer> {
    return new Paginator((cursor) =>
      this.#request({ method: 'GET', path: '/api/v1/sub-accounts', query: { ...query, ...cursor } }, options),
    )
  }

  /** Read a sub-account. */
  get(id: string, options: RequestOptions = {}): Promise<CreateSubAccountAnswer> {
    return this.#request({ method: 'GET', path: '/api/v1/sub-accounts/{id}', inPath: { id } }, options)
  }

  /** Change a sub-account; the status active brings a deactivated one back. */
  update(id: string, body: UpdateSubAccount, options: RequestOptions = {}): Promise<CreateSubAccountAnswer> {
    return this.#request({ method: 'PATCH', path: '/api/v1/sub-accounts/{id}', inPath: { id }, body }, options)
  }

  /** Deactivate a sub-account: it takes no new events, and its history stays. */
  deactivate(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: 'DELETE', path: '/api/v1/sub-accounts/{id}', inPath: { id } }, options)
  }

  /** Make a link to the portal that opens once. */
  mintSession(id: string, body: MintSubAccountSession = {}, options: RequestOptions = {}): Promise<SubAccountSessionMinted> {
    return this.#request({ method: 'POST', path: '/api/v1/sub-accounts/{id}/sessions', inPath: { id }, body }, options)
  }

  /** List the sessions of a sub-account, newest first. */
  listSessions(id: string, query: {
    limit?: number
    cursor?: string
  } = {}, options: RequestOptions = {}): Paginator<SubAccountSessionItem> {
    return new Paginator((cursor) =>
      this.#request({ method: 'GET', path: '/api/v1/sub-accounts/{id}/sessions', inPath: { id }, query: { ...query, ...cursor } }, options),
    )
  }

  /** End a session of a sub-account; in force for the next request. */
  revokeSession(id: string, sessionId: string, options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: 'DELETE', path: '/api/v1/sub-accounts/{id}/sessions/{sessionId}', inPath: { id, sessionId } }, options)
  }

  /** End all sessions of a sub-account; in force for the next request. */
  revokeSessions(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: 'DELETE', path: '/api/v1/sub-accounts/{id}/sessions', inPath: { id } }, options)
  }
}

class SubAccountSettingsResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** Read what holds for the portal of all sub-accounts. */
  get(options: RequestOptions = {}): Promise<GetSubAccountSettingsAnswer> {
    return this.#request({ method: 'GET', path: '/api/v1/sub-account-settings' }, options)
  }

  /** Change what holds for the portal of all sub-accounts. */
  update(body: UpdateSubAccountSettings, options: RequestOptions = {}): Promise<GetSubAccountSettingsAnswer> {
    return this.#request({ method: 'PATCH', path: '/api/v1/sub-account-settings', body }, options)
  }
}

class SsoResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** List the workspace's own identity providers, newest first. */
  listConnections(query: {
    limit?: number
    cursor?: string
  } = {}, options: RequestOptions = {}): Paginator<CreateSsoConnectionAnswer> {
    return new Paginator((cursor) =>
      this.#request({ method: 'GET', path: '/api/v1/sso/connections', query: { ...query, ...cursor } }, options),
    )
  }

  /** Add an identity provider of the workspace; `saml` needs the feature `saml`. */
  createConnection(body: CreateSsoConnection, options: RequestOptions = {}): Promise<CreateSsoConnectionAnswer> {
    return this.#request({ method: 'POST', path: '/api/v1/sso/connections', body }, options)
  }

  /** Read one. */
  getConnection(id: string, options: RequestOptions = {}): Promise<CreateSsoConnectionAnswer> {
    return this.#request({ method: 'GET', path: '/api/v1/sso/connections/{id}', inPath: { id } }, options)
  }

  /** Change one; in force at once for sign-ins that begin afterwards. */
  updateConnection(id: string, body: UpdateSsoConnection, options: RequestOptions = {}): Promise<CreateSsoConnectionAnswer> {
    return this.#request({ method: 'PATCH', path: '/api/v1/sso/connections/{id}', inPath: { id }, body }, options)
  }

  /** Delete one; its members stay, and sign in otherwise. */
  deleteConnection(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: 'DELETE', path: '/api/v1/sso/connections/{id}', inPath: { id } }, options)
  }

  /** List the workspace's e-mail domains, newest first. */
  listDomains(query: {
    limit?: number
    cursor?: string
  } = {}, options: RequestOptions = {}): Paginator<CreateSsoDomainAnswer> {
    return new Paginator((cursor) =>
      this.#request({ method: 'GET', path: '/api/v1/sso/domains', query: { ...query, ...cursor } }, options),
    )
  }

  /** Claim an e-mail domain; the answer names the TXT record that proves it. */
  createDomain(body: CreateSsoDomain, options: RequestOptions = {}): Promise<CreateSsoDomainAnswer> {
    return this.#request({ method: 'POST', path: '/api/v1/sso/domains', body }, options)
  }

  /** Look for the TXT record; the answer says whether it was found. */
  verifyDomain(id: string, options: RequestOptions = {}): Promise<CreateSsoDomainAnswer> {
    return this.#request({ method: 'POST', path: '/api/v1/sso/domains/{id}/verify', inPath: { id } }, options)
  }

  /** Give a domain up: its people do not join by themselves any more. */
  deleteDomain(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: 'DELETE', path: '/api/v1/sso/domains/{id}', inPath: { id } }, options)
  }
}

class ScimTokensResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** List the tokens of provisioning, newest first. */
  list(query: {
    limit?: number
    cursor?: string
  } = {}, options: RequestOptions = {}): Paginator<{
    id: string
    name: string
    createdAt: string
    lastUsedAt: string | null
  }> {
    return new Paginator((cursor) =>
      this.#request({ method: 'GET', path: '/api/v1/scim-tokens', query: { ...query, ...cursor } }, options),
    )
  }

  /** Make a token for an identity provider; it is shown this once. */
  create(body: CreateScimToken, options: RequestOptions = {}): Promise<CreateScimTokenAnswer> {
    return this.#request({ method: 'POST', path: '/api/v1/scim-tokens', body }, options)
  }

  /** Revoke a token; in force everywhere within 2 seconds. */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: 'DELETE', path: '/api/v1/scim-tokens/{id}', inPath: { id } }, options)
  }
}

class BillingResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** Read the subscription, the invoices and the plans that are offered. */
  getOverview(options: RequestOptions = {}): Promise<GetBillingOverviewAnswer> {
    return this.#request({ method: 'GET', path: '/api/v1/billing/overview' }, options)
  }

  /** List the plans with their prices, limits and features. */
  listPlans(options: RequestOptions = {}): Promise<ListBillingPlansAnswer> {
    return this.#request({ method: 'GET', path: '/api/v1/billing/plans' }, options)
  }

  /** Read the subscription; null without one. */
  getSubscription(options: RequestOptions = {}): Promise<GetSubscriptionAnswer> {
    return this.#request({ method: 'GET', path: '/api/v1/billing/subscription' }, options)
  }

  /** List the last invoices, newest first. */
  listInvoices(options: RequestOptions = {}): Promise<ListInvoicesAnswer> {
    return this.#request({ method: 'GET', path: '/api/v1/billing/invoices' }, options)
  }

  /** Get the address of a page at the billing provider, where the plan is paid for or, with a subscription, its change is confirmed. */
  checkout(body: CheckOut, options: RequestOptions = {}): Promise<CheckOutAnswer> {
    return this.#request({ method: 'POST', path: '/api/v1/billing/checkout', body }, options)
  }

  /** Tell what a change of plan would cost, without making it. */
  previewPlanChange(body: CheckOut, options: RequestOptions = {}): Promise<PreviewPlanChangeAnswer> {
    return this.#request({ method: 'POST', path: '/api/v1/billing/preview-update', body }, options)
  }

  /** Change the plan: up at once, with proration; down at the end of the period. */
  changePlan(body: CheckOut, options: RequestOptions = {}): Promise<GetSubscriptionAnswer> {
    return this.#request({ method: 'POST', path: '/api/v1/billing/update', body }, options)
  }

  /** Cancel the subscription at the end of its period. */
  cancelSubscription(options: RequestOptions = {}): Promise<GetSubscriptionAnswer> {
    return this.#request({ method: 'POST', path: '/api/v1/billing/cancel' }, options)
  }

  /** Take back a cancellation. */
  resumeSubscription(options: RequestOptions = {}): Promise<GetSubscriptionAnswer> {
    return this.#request({ method: 'POST', path: '/api/v1/billing/resume' }, options)
  }

  /** Remove the change of plan that waits for the end of the period. */
  dropScheduledChange(options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: 'DELETE', path: '/api/v1/billing/scheduled-change' }, options)
  }

  /** Get the address of the page at the billing provider for cards, invoices and the rest. */
  openPortal(options: RequestOptions = {}): Promise<CheckOutAnswer> {
    return this.#request({ method: 'POST', path: '/api/v1/billing/portal' }, options)
  }
}

class AlertingResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** Create an alert rule. */
  createAlertRule(body: CreateAlertRule, options: RequestOptions = {}): Promise<AlertRule> {
    return this.#request({ method: 'POST', path: '/api/v1/alerting/rules', body }, options)
  }

  /** List alert rules, newest first. */
  listAlertRules(query: {
    limit?: number
    cursor?: string
  } = {}, options: RequestOptions = {}): Paginator<AlertRule> {
    return new Paginator((cursor) =>
      this.#request({ method: 'GET', path: '/api/v1/alerting/rules', query: { ...query, ...cursor } }, options),
    )
  }

  /** Read an alert rule with its state. */
  getAlertRule(id: string, options: RequestOptions = {}): Promise<AlertRule> {
    return this.#request({ method: 'GET', path: '/api/v1/alerting/rules/{id}', inPath: { id } }, options)
  }

  /** Change an alert rule; fields left out stay as they are, and it starts in ok. */
  updateAlertRule(id: string, body: UpdateAlertRule, options: RequestOptions = {}): Promise<AlertRule> {
    return this.#request({ method: 'PUT', path: '/api/v1/alerting/rules/{id}', inPath: { id }, body }, options)
  }

  /** Delete an alert rule; its history stays. */
  deleteAlertRule(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: 'DELETE', path: '/api/v1/alerting/rules/{id}', inPath: { id } }, options)
  }

  /** Enable an alert rule; it starts in ok. */
  enableAlertRule(id: string, options: RequestOptions = {}): Promise<AlertRule> {
    return this.#request({ method: 'POST', path: '/api/v1/alerting/rules/{id}/enable', inPath: { id } }, options)
  }

  /** Disable an alert rule: it is evaluated no more. */
  disableAlertRule(id: string, options: RequestOptions = {}): Promise<AlertRule> {
    return this.#request({ method: 'POST', path: '/api/v1/alerting/rules/{id}/disable', inPath: { id } }, options)
  }

  /** Send a sample of what an alert rule sends, at once and without retries. */
  testAlertRule(id: string, options: RequestOptions = {}): Promise<NotificationTested> {
    return this.#request({ method: 'POST', path: '/api/v1/alerting/rules/{id}/test', inPath: { id } }, options)
  }

  /** Evaluate all enabled alert rules now, and notify as usual. */
  evaluateAlertRules(options: RequestOptions = {}): Promise<AlertsEvaluated> {
    return this.#request({ method: 'POST', path: '/api/v1/alerting/evaluate' }, options)
  }

  /** What alert rules notified of, newest first. */
  listAlertHistory(query: {
    limit?: number
    cursor?: string
    ruleId?: string
  } = {}, options: RequestOptions = {}): Paginator<AlertHistoryItem> {
    return new Paginator((cursor) =>
      this.#request({ method: 'GET', path: '/api/v1/alerting/history', query: { ...query, ...cursor } }, options),
    )
  }

  /** When a condition would have fired over the past hours; nothing is saved or sent. */
  previewAlertRule(body: PreviewAlertRule, options: RequestOptions = {}): Promise<AlertPreview> {
    return this.#request({ method: 'POST', path: '/api/v1/alerting/rules/preview', body }, options)
  }
}

class AlertRulesResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** Create an alert rule from a condition as text, which notifies by a connector. */
  createFromText(body: CreateAlertRuleFromText, options: RequestOptions = {}): Promise<AlertRule> {
    return this.#request({ method: 'POST', path: '/api/v1/alert-rules', body }, options)
  }
}

class ConnectorsResource {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }

  /** Create a connector. */
  create(body: CreateConnector, options: RequestOptions = {}): Promise<Connector> {
    return this.#request({ method: 'POST', path: '/api/v1/connectors', body }, options)
  }

  /** Change a connector; fields left out stay as they are, also within config. */
  update(name: string, body: UpdateConnector, options: RequestOptions = {}): Promise<Connector> {
    return this.#request({ method: 'PUT', path: '/api/v1/connectors/{name}', inPath: { name }, body }, options)
  }

  /** List connectors, newest first. */
  list(query: {
    limit?: number
    cursor?: string
  } = {}, options: RequestOptions = {}): Paginator<Connector> {
    return new Paginator((cursor) =>
      this.#request({ method: 'GET', path: '/api/v1/connectors', query: { ...query, ...cursor } }, options),
    )
  }

  /** Read a connector; its secrets are masked. */
  get(name: string, options: RequestOptions = {}): Promise<Connector> {
    return this.#request({ method: 'GET', path: '/api/v1/connectors/{name}', inPath: { name } }, options)
  }

  /** Delete a connector that no alert rule names. */
  delete(name: string, options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: 'DELETE', path: '/api/v1/connectors/{name}', inPath: { name } }, options)
  }

  /** Send a sample through a connector, at once and without retries. */
  test(name: string, options: RequestOptions = {}): Promise<NotificationTested> {
    return this.#request({ method: 'POST', path: '/api/v1/connectors/{name}/test', inPath: { name } }, options)
  }
}

/** All resources of the API. */
export class Resources {
  readonly events: EventsResource
  readonly deliveries: DeliveriesResource
  readonly poll: PollResource
  readonly endpoints: EndpointsResource
  readonly egressIps: EgressIpsResource
  readonly signingSecret: SigningSecretResource
  readonly replays: ReplaysResource
  readonly transformations: TransformationsResource
  readonly eventTypes: EventTypesResource
  readonly inboundEndpoints: InboundEndpointsResource
  readonly inboundPresets: InboundPresetsResource
  readonly apiKeys: ApiKeysResource
  readonly projects: ProjectsResource
  readonly auditLogs: AuditLogsResource
  readonly me: MeResource
  readonly entitlements: EntitlementsResource
  readonly usage: UsageResource
  readonly analytics: AnalyticsResource
  readonly stats: StatsResource
  readonly metrics: MetricsResource
  readonly team: TeamResource
  readonly subAccounts: SubAccountsResource
  readonly subAccountSettings: SubAccountSettingsResource
  readonly sso: SsoResource
  readonly scimTokens: ScimTokensResource
  readonly billing: BillingResource
  readonly alerting: AlertingResource
  readonly alertRules: AlertRulesResource
  readonly connectors: ConnectorsResource

  constructor(request: Request) {
    this.events = new EventsResource(request)
    this.deliveries = new DeliveriesResource(request)
    this.poll = new PollResource(request)
    this.endpoints = new EndpointsResource(request)
    this.egressIps = new EgressIpsResource(request)
    this.signingSecret = new SigningSecretResource(request)
    this.replays = new ReplaysResource(request)
    this.transformations = new TransformationsResource(request)
    this.eventTypes = new EventTypesResource(request)
    this.inboundEndpoints = new InboundEndpointsResource(request)
    this.inboundPresets = new InboundPresetsResource(request)
    this.apiKeys = new ApiKeysResource(request)
    this.projects = new ProjectsResource(request)
    this.auditLogs = new AuditLogsResource(request)
    this.me = new MeResource(request)
    this.entitlements = new EntitlementsResource(request)
    this.usage = new UsageResource(request)
    this.analytics = new AnalyticsResource(request)
    this.stats = new StatsResource(request)
    this.metrics = new MetricsResource(request)
    this.team = new TeamResource(request)
    this.subAccounts = new SubAccountsResource(request)
    this.subAccountSettings = new SubAccountSettingsResource(request)
    this.sso = new SsoResource(request)
    this.scimTokens = new ScimTokensResource(request)
    this.billing = new BillingResource(request)
    this.alerting = new AlertingResource(request)
    this.alertRules = new AlertRulesResource(request)
    this.connectors = new ConnectorsResource(request)
  }
}
