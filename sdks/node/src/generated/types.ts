// Generated from the route catalog by `npm run sdks`: do not edit.

export type CreateEvent = {
  destination?: string
  eventType?: string
  payload: Record<string, unknown>
  headers?: Record<string, string>
  maxAttempts?: number
  priority?: number
  delaySeconds?: number
}

export type CreateBatch = {
  events: Array<{
    idempotencyKey: string
    destination: string
    payload: Record<string, unknown>
    headers?: Record<string, string>
    maxAttempts?: number
    priority?: 5
  }>
}

export type RetryBatch = {
  eventIds?: string[]
  status?: "failed" | "dead"
  endpointId?: string
  limit?: number
}

export type EditEvent = {
  destination?: string
  payload?: Record<string, unknown>
  headers?: Record<string, string>
  replay?: boolean
}

export type AckPolled = {
  endpoint_id: string
  event_ids: string[]
}

export type CreateEndpoint = {
  url: string
  eventTypes: string[]
  description?: string | null
  maxRetries?: number
  retryBackoffMs?: number
  retryBackoffMax?: number
  retryBackoffMult?: number
  timeoutMs?: number
  filter?: Array<{
    field: string
    operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex"
    value: unknown
  }> | null
  transformation?: string | null
  fifo?: boolean
  fifoPartitionKey?: string | null
  rateLimitPerSec?: number
  circuitThreshold?: number
  circuitResetMs?: number
  deliveryMode?: "push" | "poll" | "storage"
  storageConfig?: {
    type: "s3"
    bucket: string
    region: string
    prefix?: string
    /** of a store other than Amazon’s */
    endpoint?: string
    /** the bucket in the path, not in the host; default: true with an `endpoint` */
    forcePathStyle?: boolean
    accessKeyId?: string | null
    secretAccessKey?: string | null
  } | {
    type: "file"
    prefix?: string
  } | null
  customHeaders?: Record<string, string> | null
  allowedCidrs?: string[] | null
  blockedCidrs?: string[] | null
  signingSecret?: string | null
  mtlsCert?: string | null
  mtlsKey?: string | null
  allowedCIDRs?: string[] | null
  blockedCIDRs?: string[] | null
  status?: "active" | "paused"
}

export type UpdateEndpoint = {
  url?: string
  eventTypes?: string[]
  description?: string | null
  maxRetries?: number
  retryBackoffMs?: number
  retryBackoffMax?: number
  retryBackoffMult?: number
  timeoutMs?: number
  filter?: Array<{
    field: string
    operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex"
    value: unknown
  }> | null
  transformation?: string | null
  fifo?: boolean
  fifoPartitionKey?: string | null
  rateLimitPerSec?: number
  circuitThreshold?: number
  circuitResetMs?: number
  deliveryMode?: "push" | "poll" | "storage"
  storageConfig?: {
    type: "s3"
    bucket: string
    region: string
    prefix?: string
    /** of a store other than Amazon’s */
    endpoint?: string
    /** the bucket in the path, not in the host; default: true with an `endpoint` */
    forcePathStyle?: boolean
    accessKeyId?: string | null
    secretAccessKey?: string | null
  } | {
    type: "file"
    prefix?: string
  } | null
  customHeaders?: Record<string, string> | null
  allowedCidrs?: string[] | null
  blockedCidrs?: string[] | null
  signingSecret?: string | null
  mtlsCert?: string | null
  mtlsKey?: string | null
  allowedCIDRs?: string[] | null
  blockedCIDRs?: string[] | null
}

export type RotateSecret = {
  newSecret?: string
  gracePeriodMinutes?: number
}

export type SetMtls = {
  certPem: string
  keyPem: string
}

export type TestEndpoint = {
  eventType?: string
  payload?: Record<string, unknown>
}

export type CreateReplay = {
  since: string
  until?: string
  status?: "dead" | "failed" | Array<"dead" | "failed">
}

export type TestTransformation = {
  transformation: string
  event: {
    id?: string
    eventType?: string
    payload: Record<string, unknown>
    headers?: Record<string, string> | null
    createdAt?: string
  }
}

export type CreateEventType = {
  name: string
  description?: string | null
  schema?: Record<string, unknown> | null
  schemaVersion?: string | null
}

export type UpdateEventType = {
  name?: string
  description?: string | null
  schema?: Record<string, unknown> | null
  schemaVersion?: string | null
}

export type CreateInboundEndpoint = {
  name: string
  pathSuffix?: string
  source: string
  sourceConfig?: Record<string, string | string[]>
  destinationIds?: string[] | null
  eventTypeMapping?: string | null
  description?: string | null
  transformation?: string | null
  status?: "active" | "inactive"
}

export type PatchInboundEndpoint = {
  name?: string
  pathSuffix?: string
  source?: string
  sourceConfig?: Record<string, string | string[]>
  destinationIds?: string[] | null
  eventTypeMapping?: string | null
  description?: string | null
  transformation?: string | null
  status?: "active" | "inactive"
}

export type VerifyInbound = {
  headers: Record<string, string>
  /** exactly as it was sent */
  body: string
  url?: string
  method?: "GET" | "HEAD" | "POST"
}

export type CreateApiKey = {
  name: string
  scopes: Array<"*" | "events:read" | "events:write" | "deliveries:read" | "deliveries:write" | "endpoints:read" | "endpoints:write" | "event-types:read" | "event-types:write" | "inbound:read" | "inbound:write" | "alerts:read" | "alerts:write" | "connectors:read" | "connectors:write" | "analytics:read" | "analytics:write" | "api-keys:read" | "api-keys:write" | "team:read" | "team:write" | "projects:read" | "projects:write" | "sub-accounts:read" | "sub-accounts:write" | "audit:read" | "audit:write" | "billing:read" | "billing:write" | "account:read" | "account:write">
  rateLimit?: number | null
  expiresAt?: string | null
}

export type CreateProject = {
  name: string
  environment?: "production" | "staging" | "development"
}

export type UpdateProject = {
  name?: string
  environment?: "production" | "staging" | "development"
}

export type CompleteOnboarding = {
  companyName?: string
}

export type UpdateSecurity = {
  requireMfa: boolean
}

export type InviteMember = {
  email: string
  role: "viewer" | "editor" | "admin"
}

export type UpdateMember = {
  role: "viewer" | "editor" | "admin"
}

export type CreateSubAccount = {
  externalId?: string
  /** another name of externalId */
  subID?: string
  name?: string | null
  email?: string | null
  metadata?: Record<string, unknown> | null
}

export type UpdateSubAccount = {
  name?: string | null
  email?: string | null
  metadata?: Record<string, unknown> | null
  status?: "active" | "deactivated"
}

export type MintSubAccountSession = {
  /** seconds; 3,600 where it is not given */
  expiresIn?: number
  /** another name of expiresIn */
  ttlSeconds?: number
  /** where the portal leads back to, for this session */
  returnURL?: string
  /** another name of returnURL */
  returnUrl?: string
  /** all where they are not given */
  scopes?: Array<"endpoints:read" | "endpoints:write" | "events:read" | "events:retry" | "deliveries:read">
}

export type UpdateSubAccountSettings = {
  defaultReturnUrl?: string | null
  theme?: {
    brandName?: string | null
    logo?: string | null
    font?: "inter" | "system" | "serif" | "monospace"
    light?: {
      "--bg-000": string
      "--bg-100": string
      "--bg-200": string
      "--accent-main-100": string
      "--accent-main-900": string
      "--chart-delivered": string
      "--chart-failed": string
      "--chart-dead": string
      "--warning-100": string
    } | null
    dark?: {
      "--bg-000": string
      "--bg-100": string
      "--bg-200": string
      "--accent-main-100": string
      "--accent-main-900": string
      "--chart-delivered": string
      "--chart-failed": string
      "--chart-dead": string
      "--warning-100": string
    } | null
  } | null
}

export type CreateSsoConnection = {
  name: string
  slug?: string
  domains?: string[]
  /** refuse passwords for its domains' addresses */
  enforced?: boolean
  /** of members who come by it for the first time */
  defaultRole?: "viewer" | "editor" | "admin"
  /** the one admin whose password goes on being taken while it is enforced */
  breakGlassUserId?: string
  status?: "active" | "inactive"
  type: "oidc" | "saml"
  oidc?: {
    issuer: string
    clientId: string
    clientSecret: string
  }
  saml?: {
    idpEntityId: string
    idpSsoUrl: string
    /** X.509, in PEM */
    idpCertificates: string[]
    /** refuse a response in which only the assertion is signed; default: false */
    wantResponseSigned?: boolean
  }
  /** the identity provider's metadata in XML, instead of `saml` */
  idpMetadata?: string
}

export type UpdateSsoConnection = {
  name?: string
  slug?: string
  domains?: string[]
  /** refuse passwords for its domains' addresses */
  enforced?: boolean
  /** of members who come by it for the first time */
  defaultRole?: "viewer" | "editor" | "admin"
  breakGlassUserId?: string | null
  status?: "active" | "inactive"
  oidc?: {
    issuer?: string
    clientId?: string
    clientSecret?: string
  }
  saml?: {
    idpEntityId?: string
    idpSsoUrl?: string
    /** X.509, in PEM */
    idpCertificates?: string[]
    /** refuse a response in which only the assertion is signed; default: false */
    wantResponseSigned?: boolean
  }
  /** the identity provider's metadata in XML, instead of `saml` */
  idpMetadata?: string
}

export type CreateSsoDomain = {
  domain: string
}

export type CreateScimToken = {
  name: string
}

export type CheckOut = {
  planId: "free" | "starter" | "growth" | "scale" | "self_hosted"
  cycle?: "monthly" | "annual"
}

export type CreateAlertRule = {
  name: string
  description?: string | null
  enabled?: boolean
  /** a duration as Go writes it, from 1m to 720h */
  cooldown?: string
  endpointId?: string | null
  condition: {
    metric: "failure_rate" | "success_rate" | "latency" | "queue_depth" | "error_count" | "delivery_count"
    operator: "gt" | "gte" | "lt" | "lte" | "eq" | "ne"
    value: number
    /** a duration as Go writes it, from 1m to 720h */
    window?: string
  }
  action?: {
    type: "slack"
    webhookUrl: string
    channel?: string | null
    message?: string | null
  } | {
    type: "email"
    to: string[]
    subject?: string | null
    message?: string | null
  } | {
    type: "webhook"
    webhookUrl: string
    headers?: Record<string, string> | null
    message?: string | null
  } | {
    type: "pagerduty"
    routingKey: string
    severity?: "critical" | "error" | "warning" | "info" | null
    message?: string | null
  } | null
  connectorName?: string | null
}

export type UpdateAlertRule = {
  name?: string
  description?: string | null
  enabled?: boolean
  /** a duration as Go writes it, from 1m to 720h */
  cooldown?: string
  endpointId?: string | null
  condition?: {
    metric: "failure_rate" | "success_rate" | "latency" | "queue_depth" | "error_count" | "delivery_count"
    operator: "gt" | "gte" | "lt" | "lte" | "eq" | "ne"
    value: number
    /** a duration as Go writes it, from 1m to 720h */
    window?: string
  }
  action?: {
    type: "slack"
    webhookUrl: string
    channel?: string | null
    message?: string | null
  } | {
    type: "email"
    to: string[]
    subject?: string | null
    message?: string | null
  } | {
    type: "webhook"
    webhookUrl: string
    headers?: Record<string, string> | null
    message?: string | null
  } | {
    type: "pagerduty"
    routingKey: string
    severity?: "critical" | "error" | "warning" | "info" | null
    message?: string | null
  } | null
  connectorName?: string | null
}

export type PreviewAlertRule = {
  condition: {
    metric: "failure_rate" | "success_rate" | "latency" | "queue_depth" | "error_count" | "delivery_count"
    operator: "gt" | "gte" | "lt" | "lte" | "eq" | "ne"
    value: number
    /** a duration as Go writes it, from 1m to 720h */
    window?: string
  } | string
  hours?: number
  endpointId?: string | null
}

export type CreateAlertRuleFromText = {
  name: string
  description?: string | null
  enabled?: boolean
  /** a duration as Go writes it, from 1m to 720h */
  cooldown?: string
  endpointId?: string | null
  condition: string
  connectorName: string
}

export type CreateConnector = {
  name: string
  type: "slack"
  config: {
    webhookUrl: string
    channel?: string | null
    username?: string | null
    iconEmoji?: string | null
  }
  template?: {
    title?: string
    text?: string
    color?: string
  } | null
  eventTypes?: string[]
} | {
  name: string
  type: "discord"
  config: {
    webhookUrl: string
    username?: string | null
  }
  template?: {
    title?: string
    text?: string
    color?: string
  } | null
  eventTypes?: string[]
} | {
  name: string
  type: "teams"
  config: {
    webhookUrl: string
  }
  template?: {
    title?: string
    text?: string
    color?: string
  } | null
  eventTypes?: string[]
} | {
  name: string
  type: "email"
  config: {
    smtpHost: string
    smtpPort?: number | null
    smtpUsername?: string | null
    smtpPassword?: string | null
    fromEmail: string
    to: string[]
  }
  template?: {
    title?: string
    text?: string
    color?: string
  } | null
  eventTypes?: string[]
} | {
  name: string
  type: "webhook"
  config: {
    url: string
    headers?: Record<string, string> | null
    secret?: string | null
  }
  template?: {
    title?: string
    text?: string
    color?: string
  } | null
  eventTypes?: string[]
}

export type UpdateConnector = {
  config?: Record<string, unknown>
  template?: {
    title?: string
    text?: string
    color?: string
  } | null
  eventTypes?: string[]
}

export type EventCreated = {
  id: string
  idempotencyKey: string
  destination: string | null
  eventType: string | null
  status: "queued" | "delivering" | "delivered" | "failed" | "dead"
  attempts: number
  maxAttempts: number
  priority: number
  createdAt: string
}

export type BatchCreated = {
  events: Array<{
    id: string
    status: "queued" | "delivering" | "delivered" | "failed" | "dead"
    createdAt: string
  }>
  count: number
}

export type BatchRetried = {
  retried: number
  skipped: number
  eventIds: string[]
}

export type EventPage = {
  data: EventListItem[]
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type EventDetail = {
  id: string
  idempotencyKey: string
  destination: string | null
  eventType: string | null
  status: "queued" | "delivering" | "delivered" | "failed" | "dead"
  attempts: number
  maxAttempts: number
  priority: number
  createdAt: string
  projectId: string
  /** When a delayed event is due; null without a delay. */
  deliverAt: string | null
  deliveredAt: string | null
  deadReason: string | null
  traceId: string
  payload: Record<string, unknown>
  headers: Record<string, string> | null
  /** in the order in which they were made; the newest 1,000 of an event with more */
  deliveryAttempts: Array<{
    id: string
    attemptNumber: number
    statusCode: number
    durationMs: number
    attemptedAt: string
  }>
  /** `deliveryAttempts` leaves out older attempts: GET /api/v1/events/{eventId}/deliveries pages through all */
  hasMoreAttempts: boolean
}

export type DeliveryPage = {
  data: Attempt[]
  pagination: {
    limit: number
    offset: number
    /** exact to 10,000, where it stops */
    total: number
    hasMore: boolean
  }
}

export type EventDeliveries = {
  deliveries: Attempt[]
  /** of all the attempts of the event, also beyond this page */
  count: number
  /** a page ends at `limit` attempts, or sooner at 4 MiB of kept bodies */
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type AttemptDetail = {
  id: string
  eventId: string
  deliveryId: string
  endpointId: string | null
  endpointVersion: number | null
  eventType: string | null
  url: string
  attemptNumber: number
  /** 0 when no response came */
  statusCode: number
  responseBody: string
  responseHeaders: Record<string, string> | null
  /** null when it is the event's payload */
  requestBody: string | null
  /** "" on success, else "<category>: <detail>" */
  error: string
  durationMs: number
  processingOverheadUs: number
  attemptedAt: string
  nextAttemptAt: string | null
  requestHeaders: Record<string, string>
}

export type PollEventsAnswer = {
  events: Array<{
    id: string
    eventType: string | null
    payload: Record<string, unknown>
    /** the endpoint's custom headers and the event's, which win */
    headers: Record<string, string>
    createdAt: string
  }>
  count: number
}

export type AckPolledAnswer = {
  acknowledged: string[]
  /** no event of that id waits at the endpoint: unknown, or dead by now */
  notFound: string[]
}

export type EndpointCreated = {
  id: string
  projectId: string
  status: "active" | "paused" | "disabled"
  circuitState: "closed" | "open" | "half_open"
  version: number
  url: string
  eventTypes: string[]
  description: string | null
  filter: Array<{
    field: string
    operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex"
    value: unknown
  }> | null
  transformation: string | null
  fifo: boolean
  fifoPartitionKey: string | null
  maxRetries: number
  retryBackoffMs: number
  retryBackoffMax: number
  retryBackoffMult: number
  timeoutMs: number
  rateLimitPerSec: number
  circuitThreshold: number
  circuitResetMs: number
  customHeaders: Record<string, string> | null
  allowedCidrs: string[] | null
  blockedCidrs: string[] | null
  deliveryMode: "push" | "poll" | "storage"
  storageConfig: {
    type: "s3"
    bucket: string
    region: string
    prefix?: string
    /** of a store other than Amazon’s */
    endpoint?: string
    /** the bucket in the path, not in the host; default: true with an `endpoint` */
    forcePathStyle?: boolean
  } | {
    type: "file"
    prefix?: string
  } | null
  /** last 4 characters of `accessKeyId`; null: there are no credentials */
  storageKeyHint: string | null
  hasMtls: boolean
  /** the client certificate, PEM; its key is never shown */
  mtlsCert: string | null
  /** last 4 characters; null: the global secret */
  signingSecretHint: string | null
  createdAt: string
  updatedAt: string
  signingSecret: string | null
}

export type EndpointPage = {
  data: Endpoint[]
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type Endpoint = {
  id: string
  projectId: string
  status: "active" | "paused" | "disabled"
  circuitState: "closed" | "open" | "half_open"
  version: number
  url: string
  eventTypes: string[]
  description: string | null
  filter: Array<{
    field: string
    operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex"
    value: unknown
  }> | null
  transformation: string | null
  fifo: boolean
  fifoPartitionKey: string | null
  maxRetries: number
  retryBackoffMs: number
  retryBackoffMax: number
  retryBackoffMult: number
  timeoutMs: number
  rateLimitPerSec: number
  circuitThreshold: number
  circuitResetMs: number
  customHeaders: Record<string, string> | null
  allowedCidrs: string[] | null
  blockedCidrs: string[] | null
  deliveryMode: "push" | "poll" | "storage"
  storageConfig: {
    type: "s3"
    bucket: string
    region: string
    prefix?: string
    /** of a store other than Amazon’s */
    endpoint?: string
    /** the bucket in the path, not in the host; default: true with an `endpoint` */
    forcePathStyle?: boolean
  } | {
    type: "file"
    prefix?: string
  } | null
  /** last 4 characters of `accessKeyId`; null: there are no credentials */
  storageKeyHint: string | null
  hasMtls: boolean
  /** the client certificate, PEM; its key is never shown */
  mtlsCert: string | null
  /** last 4 characters; null: the global secret */
  signingSecretHint: string | null
  createdAt: string
  updatedAt: string
}

export type EgressIps = {
  ips: string[]
}

export type GlobalSecret = {
  signingSecret: string
  previousValidUntil: string | null
}

export type EndpointVersionPage = {
  data: EndpointVersion[]
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type VersionDiff = {
  v1: number
  v2: number
  changes: Array<{
    field: string
    from: unknown
    to: unknown
  }>
}

export type EndpointVersion = {
  version: number
  config: {
    url: string
    eventTypes: string[]
    description: string | null
    filter: Array<{
      field: string
      operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex"
      value: unknown
    }> | null
    transformation: string | null
    fifo: boolean
    fifoPartitionKey: string | null
    maxRetries: number
    retryBackoffMs: number
    retryBackoffMax: number
    retryBackoffMult: number
    timeoutMs: number
    rateLimitPerSec: number
    circuitThreshold: number
    circuitResetMs: number
    customHeaders: Record<string, string> | null
    allowedCidrs: string[] | null
    blockedCidrs: string[] | null
    deliveryMode: "push" | "poll" | "storage"
    storageConfig: {
      type: "s3"
      bucket: string
      region: string
      prefix?: string
      /** of a store other than Amazon’s */
      endpoint?: string
      /** the bucket in the path, not in the host; default: true with an `endpoint` */
      forcePathStyle?: boolean
    } | {
      type: "file"
      prefix?: string
    } | null
  }
  changedBy: string
  changedAt: string
  /** fields that differ from the version before */
  changes: string[]
}

export type EndpointRotated = {
  id: string
  projectId: string
  status: "active" | "paused" | "disabled"
  circuitState: "closed" | "open" | "half_open"
  version: number
  url: string
  eventTypes: string[]
  description: string | null
  filter: Array<{
    field: string
    operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex"
    value: unknown
  }> | null
  transformation: string | null
  fifo: boolean
  fifoPartitionKey: string | null
  maxRetries: number
  retryBackoffMs: number
  retryBackoffMax: number
  retryBackoffMult: number
  timeoutMs: number
  rateLimitPerSec: number
  circuitThreshold: number
  circuitResetMs: number
  customHeaders: Record<string, string> | null
  allowedCidrs: string[] | null
  blockedCidrs: string[] | null
  deliveryMode: "push" | "poll" | "storage"
  storageConfig: {
    type: "s3"
    bucket: string
    region: string
    prefix?: string
    /** of a store other than Amazon’s */
    endpoint?: string
    /** the bucket in the path, not in the host; default: true with an `endpoint` */
    forcePathStyle?: boolean
  } | {
    type: "file"
    prefix?: string
  } | null
  /** last 4 characters of `accessKeyId`; null: there are no credentials */
  storageKeyHint: string | null
  hasMtls: boolean
  /** the client certificate, PEM; its key is never shown */
  mtlsCert: string | null
  /** last 4 characters; null: the global secret */
  signingSecretHint: string | null
  createdAt: string
  updatedAt: string
  signingSecret: string
  /** until then the former secret signs as well */
  previousValidUntil: string | null
}

export type EventSummary = {
  id: string
  idempotencyKey: string
  destination: string | null
  eventType: string | null
  status: "queued" | "delivering" | "delivered" | "failed" | "dead"
  attempts: number
  maxAttempts: number
  priority: number
  createdAt: string
  projectId: string
  /** When a delayed event is due; null without a delay. */
  deliverAt: string | null
  deliveredAt: string | null
  deadReason: string | null
  traceId: string
}

export type Replay = {
  id: string
  endpointId: string
  status: "running" | "done"
  /** as found at the start; once done, what was queued again */
  total: number
  done: number
  createdAt: string
  endedAt: string | null
}

export type EventExplanation = {
  eventId: string
  eventType: string | null
  destination: string | null
  status: "queued" | "delivering" | "delivered" | "failed" | "dead"
  deadReason: string | null
  createdAt: string
  fannedOutAt: string | null
  /** of an event that is not fanned out yet */
  waitsFor: {
    reason: "delay" | "fan_out" | "in_flight" | "backoff" | "paused" | "disabled" | "circuit" | "rate_limit" | "overflow" | "lane" | "poll"
    /** when it is looked at again; null: nobody knows */
    until: string | null
  } | null
  /** those with a delivery first; at most 1,000, fewer where filters are large or expensive */
  endpoints: Array<{
    endpointId: string
    description: string | null
    url: string
    status: "active" | "paused" | "disabled" | "deleted"
    matched: boolean
    /** why it did not match */
    reason: "project" | "type" | "filter" | "deleted" | "created_later" | "test" | "destination" | "changed" | null
    /** the first condition that failed, and the values that its path found */
    filter: {
      condition: {
        field: string
        operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex"
        value: unknown
      }
      index: number
      /** the first ten, and long ones cut short */
      found: unknown[]
      /** the filter took more steps on this payload than it may, or asked for what is not looked at, so it does not match */
      tooCostly: boolean
    } | null
    deliveryId: string | null
  }>
  /** `endpoints` leaves out some endpoints */
  hasMoreEndpoints: boolean
  /** at most 1,000 */
  deliveries: ExplainedDelivery[]
  /** `deliveries` leaves out some deliveries: GET /api/v1/events/{eventId}/deliveries pages through their attempts */
  hasMoreDeliveries: boolean
}

export type TestTransformationAnswer = {
  /** what would be sent; null without an error: the delivery would be dropped */
  result: {
    payload: unknown
    headers: Record<string, string>
  } | null
  error: string | null
}

export type EventType = {
  id: string
  projectId: string
  name: string
  description: string | null
  schema: Record<string, unknown> | null
  schemaVersion: string | null
  createdAt: string
  updatedAt: string
}

export type EventTypePage = {
  data: EventType[]
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type InboundEndpoint = {
  id: string
  projectId: string
  name: string
  pathSuffix: string
  source: string
  sourceConfig: Record<string, string | string[]>
  destinationIds: string[] | null
  eventTypeMapping: string | null
  description: string | null
  transformation: string | null
  status: "active" | "inactive"
  /** where the platform sends its webhooks */
  url: string
  receivedCount: number
  rejectedCount: number
  lastReceivedAt: string | null
  /** the sender only gets 401 */
  lastRejection: {
    at: string
    reason: string
  } | null
  createdAt: string
  updatedAt: string
}

export type InboundEndpointPage = {
  data: InboundEndpoint[]
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type InboundVerified = {
  verified: boolean
  reason: string | null
  steps: Array<{
    step: string
    expected: string
    found: string
    ok: boolean
  }>
  eventType: string | null
  deliveryId: string | null
}

export type InboundPresetPage = {
  data: InboundPreset[]
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type ApiKeyCreated = {
  id: string
  /** set: the key is bound to this project */
  projectId: string | null
  name: string
  keyPrefix: string
  scopes: string[]
  /** requests a second; null: none */
  rateLimit: number | null
  expiresAt: string | null
  /** false once revoked or expired */
  isActive: boolean
  createdAt: string
  /** shown this once */
  key: string
}

export type ApiKeyPage = {
  data: ApiKey[]
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type Project = {
  id: string
  name: string
  environment: "production" | "staging" | "development"
  isDefault: boolean
  createdAt: string
  updatedAt: string
}

export type ProjectPage = {
  data: Project[]
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type ListAuditLogsAnswer = {
  data: Array<{
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
  }>
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type AuthUser = {
  id: string
  email: string
  name: string | null
  emailVerified: boolean
  /** a second factor is asked for after the password */
  mfaEnabled: boolean
}

export type Me = {
  id: string
  name: string
  plan: "free" | "starter" | "growth" | "scale" | "self_hosted"
  createdAt: string
  onboardingComplete: boolean
  /** null: an API key */
  user: AuthUser | null
  /** null: an API key */
  role: "viewer" | "editor" | "admin" | null
  scopes: string[]
}

export type Entitlements = {
  plan: "free" | "starter" | "growth" | "scale" | "self_hosted"
  limits: {
    /** 0: no limit */
    eventsPerMonth: number
    /** over all API keys and sessions together; 0: no limit */
    requestsPerSecond: number
    /** 0: no limit */
    endpoints: number
    /** the largest `rateLimitPerSec`; 0: no limit */
    endpointRatePerSec: number
    retentionDays: {
      /** in days; 0: for ever */
      events: number
      /** in days; 0: for ever */
      attempts: number
      /** in days; 0: for ever */
      auditLogs: number
      /** in days; 0: for ever */
      authAudit: number
    }
  }
  features: {
    transformations: boolean
    inbound: boolean
    alerting: boolean
    sub_accounts: boolean
    sso: boolean
    saml: boolean
    scim: boolean
    gdpr: boolean
  }
}

export type CurrentUsage = {
  period: {
    start: string
    end: string
  }
  /** accepted in the period; at most two seconds old */
  events: number
  /** 0: no limit */
  limit: number
  /** null: no limit */
  remaining: number | null
  resetsAt: string
}

export type UsageHistory = {
  data: Array<{
    /** in UTC, as 2026-11 */
    month: string
    events: number
    attempts: number
  }>
}

export type GetAnalyticsSummaryAnswer = {
  from: string
  to: string
  bucket: "hour" | "day"
  data: Array<{
    /** its beginning */
    bucket: string
    /** events accepted; of an endpoint: deliveries that were made for it */
    sent: number
    /** deliveries, acknowledged ones among them */
    delivered: number
    /** attempts that failed */
    failed: number
    /** deliveries that were given up */
    deadLettered: number
    attempts: number
    /** `delivered` among `delivered` and `failed`, in per cent; 0: there were none */
    successRate: number
  }>
}

export type GetAnalyticsOutcomesAnswer = {
  from: string
  to: string
  bucket: "hour" | "day"
  data: Array<{
    /** its beginning */
    bucket: string
    success: number
    /** without timeouts */
    failure: number
    timeout: number
  }>
}

export type GetAnalyticsThroughputAnswer = {
  from: string
  to: string
  bucket: "hour" | "day"
  data: Array<{
    /** its beginning */
    bucket: string
    accepted: number
    delivered: number
    /** accepted, over the part of the bucket that is asked for */
    perSecond: number
  }>
}

export type GetAnalyticsLatencyAnswer = {
  from: string
  to: string
  bucket: "hour" | "day"
  data: Array<{
    /** its beginning */
    bucket: string
    /** at most 4.5 % off; 0: there were no attempts */
    p50: number
    /** at most 4.5 % off; 0: there were no attempts */
    p95: number
    /** at most 4.5 % off; 0: there were no attempts */
    p99: number
    /** attempts */
    count: number
  }>
}

export type GetAnalyticsFailuresAnswer = {
  from: string
  to: string
  bucket: "hour" | "day"
  data: Array<{
    /** its beginning */
    bucket: string
    timeout: number
    http_4xx: number
    http_5xx: number
    dns: number
    tls: number
    refused: number
    other: number
  }>
}

export type GetEndpointHealthAnswer = {
  from: string
  to: string
  /** worst first; of the newest 1000 endpoints */
  data: Array<{
    endpointId: string
    /** null: the endpoint is polled, or stores */
    url: string | null
    status: "active" | "paused" | "disabled"
    /** successes among successes and failures, in per cent; null: there were none */
    deliveryRate: number | null
    p95Ms: number | null
    circuitState: "closed" | "open" | "half_open"
    openUntil: string | null
    /** to the second */
    lastSuccessAt: string | null
    /** to the second */
    lastFailureAt: string | null
    /** at most 10,000 are counted */
    waiting: number
    /** more may wait: of each endpoint 10,000 are counted, and of all together a million */
    capped?: true
  }>
}

export type GetStatsAnswer = {
  /** deliveries that wait for their first attempt, and events for fan-out */
  queued: number
  /** deliveries on their way */
  delivering: number
  /** deliveries that wait for another attempt */
  failed: number
  /** events of which a delivery was given up, as long as they are kept */
  dead: number
  deliveredLastMinute: number
  /** accepted, over the last ten seconds */
  eventsPerSecond: number
  /** delivered, over the last ten seconds */
  deliveriesPerSecond: number
  /** for how long the oldest of what is due has waited; 0: nothing is */
  oldestQueuedSeconds: number
  /** a count stopped at 10,000 */
  capped?: true
  at: string
}

export type GetRateLimitsAnswer = {
  apiKeys: Array<{
    id: string
    name: string
    /** per second; null: no limit of its own */
    limit: number | null
    remaining: number | null
    resetAt: string | null
  }>
  endpoints: Array<{
    id: string
    /** null: no limit */
    limitPerSec: number | null
    availableTokens: number | null
    waiting: number
    /** more may wait: of each endpoint 10,000 are counted, and of all together a million */
    capped?: true
  }>
}

export type GetEndpointRateLimitAnswer = {
  id: string
  /** null: no limit */
  limitPerSec: number | null
  availableTokens: number | null
  waiting: number
  /** more may wait: of each endpoint 10,000 are counted, and of all together a million */
  capped?: true
  /** deliveries that the limit held up in the last minute */
  throttledLastMinute: number
}

export type SecuritySettings = {
  /** members without a second factor may only enrol one */
  requireMfa: boolean
}

export type TeamPage = {
  data: TeamMember[]
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type TeamMember = {
  /** until an invitation is accepted, the invitation's own id */
  userId: string
  email: string
  name: string | null
  role: "viewer" | "editor" | "admin"
  status: "active" | "invited" | "deactivated"
  source: "signup" | "invite" | "sso" | "scim"
  lastLoginAt: string | null
  createdAt: string
}

export type CreateSubAccountAnswer = {
  id: string
  externalId: string
  name: string | null
  email: string | null
  metadata: Record<string, unknown> | null
  status: "active" | "deactivated"
  createdAt: string
  updatedAt: string
}

export type ListSubAccountsAnswer = {
  data: CreateSubAccountAnswer[]
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type SubAccountSessionMinted = {
  id: string
  /** taken once, by POST /sub-account-api/auth/exchange */
  token: string
  /** the link to give to the customer: it opens once */
  url: string
  expiresAt: string
  returnURL: string
  scopes: Array<"endpoints:read" | "endpoints:write" | "events:read" | "events:retry" | "deliveries:read">
}

export type SubAccountSessionPage = {
  data: SubAccountSessionItem[]
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type GetSubAccountSettingsAnswer = {
  defaultReturnUrl: string | null
  theme: {
    brandName: string | null
    logo: string | null
    font: "inter" | "system" | "serif" | "monospace"
    light: {
      "--bg-000": string
      "--bg-100": string
      "--bg-200": string
      "--accent-main-100": string
      "--accent-main-900": string
      "--chart-delivered": string
      "--chart-failed": string
      "--chart-dead": string
      "--warning-100": string
    } | null
    dark: {
      "--bg-000": string
      "--bg-100": string
      "--bg-200": string
      "--accent-main-100": string
      "--accent-main-900": string
      "--chart-delivered": string
      "--chart-failed": string
      "--chart-dead": string
      "--warning-100": string
    } | null
  } | null
}

export type ListSsoConnectionsAnswer = {
  data: CreateSsoConnectionAnswer[]
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type CreateSsoConnectionAnswer = {
  id: string
  type: "oidc" | "saml"
  name: string
  slug: string
  domains: string[]
  enforced: boolean
  defaultRole: "viewer" | "editor" | "admin"
  breakGlassUserId: string | null
  status: "active" | "inactive"
  loginUrl: string
  oidc: {
    issuer: string
    clientId: string
    /** the redirect URI to register at the provider */
    callbackUrl: string
  } | null
  saml: {
    idpEntityId: string
    idpSsoUrl: string
    idpCertificates: string[]
    wantResponseSigned: boolean
    spEntityId: string
    acsUrl: string
    metadataUrl: string
  } | null
  createdAt: string
  updatedAt: string
}

export type ListSsoDomainsAnswer = {
  data: CreateSsoDomainAnswer[]
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type CreateSsoDomainAnswer = {
  id: string
  domain: string
  status: "pending" | "verified"
  /** the text of a TXT record of the domain itself */
  txtRecord: string
  createdAt: string
  verifiedAt: string | null
}

export type ListScimTokensAnswer = {
  data: Array<{
    id: string
    name: string
    createdAt: string
    lastUsedAt: string | null
  }>
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type CreateScimTokenAnswer = {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
  /** shown this once */
  token: string
}

export type GetBillingOverviewAnswer = {
  plan: string
  subscription: {
    planId: string
    cycle: "monthly" | "annual"
    status: string
    currentPeriodStart: string | null
    currentPeriodEnd: string | null
    cancelAtPeriodEnd: boolean
    scheduledChange: {
      planId: string
      cycle: "monthly" | "annual"
      effectiveAt: string
    } | null
  } | null
  invoices: Array<{
    id: string
    number: string | null
    amountDue: number
    amountPaid: number
    currency: string
    status: string
    createdAt: string
    hostedUrl: string | null
    pdfUrl: string | null
  }>
  plans: Array<{
    id: string
    name: string
    monthly: number | null
    annual: number | null
    currency: string | null
    limits: {
      eventsPerMonth: number
      requestsPerSecond: number
      endpoints: number
      endpointRatePerSec: number
      retentionDays: {
        events: number
        attempts: number
        auditLogs: number
        authAudit: number
      }
    }
    features: Record<string, boolean>
  }>
}

export type ListBillingPlansAnswer = {
  plans: Array<{
    id: string
    name: string
    monthly: number | null
    annual: number | null
    currency: string | null
    limits: {
      eventsPerMonth: number
      requestsPerSecond: number
      endpoints: number
      endpointRatePerSec: number
      retentionDays: {
        events: number
        attempts: number
        auditLogs: number
        authAudit: number
      }
    }
    features: Record<string, boolean>
  }>
}

export type GetSubscriptionAnswer = {
  subscription: {
    planId: string
    cycle: "monthly" | "annual"
    status: string
    currentPeriodStart: string | null
    currentPeriodEnd: string | null
    cancelAtPeriodEnd: boolean
    scheduledChange: {
      planId: string
      cycle: "monthly" | "annual"
      effectiveAt: string
    } | null
  } | null
}

export type ListInvoicesAnswer = {
  invoices: Array<{
    id: string
    number: string | null
    amountDue: number
    amountPaid: number
    currency: string
    status: string
    createdAt: string
    hostedUrl: string | null
    pdfUrl: string | null
  }>
}

export type CheckOutAnswer = {
  url: string
}

export type PreviewPlanChangeAnswer = {
  planId: string
  cycle: "monthly" | "annual"
  effective: "immediately" | "period_end"
  effectiveAt: string
  currency: string
  amountDue: number
  recurringAmount: number
  lines: Array<{
    description: string
    amount: number
    proration: boolean
    periodStart: string
    periodEnd: string
  }>
}

export type AlertRule = {
  id: string
  name: string
  description: string | null
  enabled: boolean
  condition: {
    metric: "failure_rate" | "success_rate" | "latency" | "queue_depth" | "error_count" | "delivery_count"
    operator: "gt" | "gte" | "lt" | "lte" | "eq" | "ne"
    value: number
    window: string
  }
  /** the condition as `POST /api/v1/alert-rules` takes it */
  conditionText: string
  action: {
    type: "slack"
    webhookUrl: string
    channel: string | null
    message: string | null
  } | {
    type: "email"
    to: string[]
    subject: string | null
    message: string | null
  } | {
    type: "webhook"
    webhookUrl: string
    headers: Record<string, string> | null
    message: string | null
  } | {
    type: "pagerduty"
    routingKey: string
    severity: "critical" | "error" | "warning" | "info" | null
    message: string | null
  } | null
  connectorName: string | null
  cooldown: string
  /** the only endpoint that counts; null: all of them */
  endpointId: string | null
  state: "ok" | "firing"
  stateSince: string
  lastValue: number | null
  lastEvaluatedAt: string | null
  createdAt: string
  updatedAt: string
}

export type AlertRulePage = {
  data: AlertRule[]
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type NotificationTested = {
  delivery: "sent" | "failed"
  statusCode: number | null
  error: string | null
}

export type AlertsEvaluated = {
  evaluated: number
  firing: number
  results: Array<{
    ruleId: string
    /** null: there is no data in the window */
    value: number | null
    matched: boolean
    state: "ok" | "firing"
  }>
}

export type AlertHistoryPage = {
  data: AlertHistoryItem[]
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type AlertPreview = {
  firings: Array<{
    from: string
    to: string
    peak: number
  }>
}

export type Connector = {
  id: string
  name: string
  type: "slack" | "discord" | "teams" | "email" | "webhook"
  /** secrets are masked */
  config: Record<string, unknown>
  template: {
    title: string | null
    text: string | null
    color: string | null
  } | null
  eventTypes: string[]
  createdAt: string
  updatedAt: string
}

export type ConnectorPage = {
  data: Connector[]
  pagination: {
    hasMore: boolean
    cursor: string | null
  }
}

export type AlertHistoryItem = {
  id: string
  ruleId: string
  ruleName: string
  status: "firing" | "resolved"
  value: number | null
  threshold: number
  at: string
  delivery: "pending" | "sent" | "failed"
  attempts: number
  error: string | null
}

export type ApiKey = {
  id: string
  /** set: the key is bound to this project */
  projectId: string | null
  name: string
  keyPrefix: string
  scopes: string[]
  /** requests a second; null: none */
  rateLimit: number | null
  expiresAt: string | null
  /** false once revoked or expired */
  isActive: boolean
  createdAt: string
}

export type Attempt = {
  id: string
  eventId: string
  deliveryId: string
  endpointId: string | null
  endpointVersion: number | null
  eventType: string | null
  url: string
  attemptNumber: number
  /** 0 when no response came */
  statusCode: number
  responseBody: string
  responseHeaders: Record<string, string> | null
  /** null when it is the event's payload */
  requestBody: string | null
  /** "" on success, else "<category>: <detail>" */
  error: string
  durationMs: number
  processingOverheadUs: number
  attemptedAt: string
  nextAttemptAt: string | null
}

export type EventListItem = {
  id: string
  idempotencyKey: string
  destination: string | null
  eventType: string | null
  status: "queued" | "delivering" | "delivered" | "failed" | "dead"
  attempts: number
  maxAttempts: number
  priority: number
  createdAt: string
  projectId: string
  /** When a delayed event is due; null without a delay. */
  deliverAt: string | null
  deliveredAt: string | null
  deadReason: string | null
  traceId: string
  /** of the last attempt, 0 when no response came; null before the first */
  lastStatusCode: number | null
  /** of the last attempt, "" on success; null before the first */
  lastError: string | null
  /** the earliest time of a next attempt; null when no delivery waits for one */
  nextAttemptAt: string | null
}

export type ExplainedDelivery = {
  id: string
  /** null: a direct event */
  endpointId: string | null
  state: "queued" | "delivering" | "waiting" | "delivered" | "dead"
  /** since the last replay */
  attempts: number
  maxAttempts: number
  waitsFor: {
    reason: "delay" | "fan_out" | "in_flight" | "backoff" | "paused" | "disabled" | "circuit" | "rate_limit" | "overflow" | "lane" | "poll"
    /** when it is looked at again; null: nobody knows */
    until: string | null
  } | null
  lastError: string | null
  deadReason: string | null
}

export type InboundPreset = {
  source: string
  name: string
  description: string
  mode: string
  configKeys: string[]
  signatureHeaders: string[]
  eventTypePath: string | null
  docs: string
}

export type SubAccountSessionItem = {
  id: string
  scopes: Array<"endpoints:read" | "endpoints:write" | "events:read" | "events:retry" | "deliveries:read">
  return_url: string
  created_at: string
  expires_at: string
  max_expires_at: string
  consumed_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  use_count: number
}
