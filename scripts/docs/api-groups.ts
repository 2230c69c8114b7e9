/** The pages of the API reference, and which of the OpenAPI document's tags each of them has. */

export interface ApiGroup {
  /** The page is `docs/api/<name>.md`. */
  name: string
  title: string
  /** What the page is about; the index shows it. */
  about: string
  tags: readonly string[]
  /** What fields mean whose schema does not tell, by their names. */
  meanings?: Readonly<Record<string, string>>
}

const EVENT_MEANINGS = {
  destination: 'one URL to deliver to, instead of `eventType`',
  eventType: 'goes to every endpoint that subscribes to it, instead of `destination`',
  payload: 'delivered as the bytes that you send',
  headers: 'sent with each delivery, besides those of the service',
  maxAttempts: "over 25 counts as 25; without it the endpoint's `maxRetries`, else 5",
  priority: '1 is the highest, 10 the lowest',
  delaySeconds: 'first attempt not before so many seconds',
  idempotencyKey: 'a second event with the same key is refused',
  status: 'see [concepts](../guides/concepts.md#the-status-of-an-event)',
  attempts: 'the largest count among its deliveries',
  deadReason: 'why it was given up; null unless it is dead',
  traceId: 'the `X-Request-Id` of the request that made it; in each delivery and log line',
}

/** What the portal shows: it posts none. */
const { delaySeconds: _, ...SHOWN_MEANINGS } = EVENT_MEANINGS

const ENDPOINT_MEANINGS = {
  url: 'in the modes `poll` and `storage` only a label, as `poll://billing`',
  eventTypes: 'patterns: `*` stands for anything, as in `order.*`',
  maxRetries: 'attempts in all, the first included',
  retryBackoffMs: 'the wait after the first attempt',
  retryBackoffMax: 'no wait is longer',
  retryBackoffMult: 'each wait is so many times the one before',
  timeoutMs: 'over the whole attempt, from the name look-up to the last byte',
  filter: 'all conditions must hold; see [filters](../guides/filters.md)',
  'filter[].field': 'a JSONPath into the payload',
  transformation: 'a script; see [transformations](../guides/transformations.md)',
  fifo: 'in the order of acceptance; see [ordering](../guides/ordering.md)',
  fifoPartitionKey: 'a JSONPath: a lane for each value',
  rateLimitPerSec: '0: no limit; what exceeds it waits',
  circuitThreshold: 'failures in a row that open the circuit; 0: never',
  circuitResetMs: 'after this time one attempt probes',
  customHeaders: 'sent with every delivery',
  allowedCidrs: 'only these addresses are delivered to',
  blockedCidrs: 'these addresses are never delivered to',
  allowedCIDRs: 'another spelling of `allowedCidrs`',
  blockedCIDRs: 'another spelling of `blockedCidrs`',
  signingSecret: "without it the workspace's own secret signs",
  mtlsCert: 'a client certificate, PEM; goes with `mtlsKey`',
  mtlsKey: 'its private key, PEM',
}

export const API_GROUPS: readonly ApiGroup[] = [
  {
    name: 'events',
    title: 'Events',
    about: 'Post events, one by one or in batches, read them, edit and replay them.',
    tags: ['events'],
    meanings: EVENT_MEANINGS,
  },
  {
    name: 'deliveries',
    title: 'Deliveries and replays',
    about: 'Read every attempt with its answer, and how far a replay is.',
    tags: ['deliveries', 'replays'],
  },
  {
    name: 'endpoints',
    title: 'Endpoints',
    about: 'Make, change, pause and test endpoints; their versions, secrets and certificates.',
    tags: ['endpoints', 'signing-secret', 'transformations', 'egress-ips'],
    meanings: ENDPOINT_MEANINGS,
  },
  {
    name: 'poll',
    title: 'Poll',
    about: 'Fetch and acknowledge the events of an endpoint in poll mode.',
    tags: ['poll'],
  },
  {
    name: 'event-types',
    title: 'Event types',
    about: 'Name the types of your events, and give them schemas.',
    tags: ['event-types'],
  },
  {
    name: 'inbound',
    title: 'Inbound',
    about: 'Receive the webhooks of other platforms.',
    tags: ['inbound-endpoints', 'inbound-presets', 'inbound'],
  },
  {
    name: 'alerting',
    title: 'Alerting',
    about: 'Make alert rules and connectors, and read what they told.',
    tags: ['alerting', 'alert-rules', 'connectors'],
  },
  {
    name: 'analytics',
    title: 'Analytics and stats',
    about: 'Read counts, rates and latency by the hour or day, and what waits now.',
    tags: ['analytics', 'stats', 'metrics'],
  },
  {
    name: 'sub-accounts',
    title: 'Sub-accounts',
    about: 'Make accounts for your customers, and links into their portal.',
    tags: ['sub-accounts', 'sub-account-settings'],
  },
  {
    name: 'portal',
    title: 'Portal',
    about: 'What the portal calls with the session of a sub-account.',
    tags: ['sub-account-api', 'portal'],
    meanings: { ...SHOWN_MEANINGS, ...ENDPOINT_MEANINGS },
  },
  {
    name: 'api-keys',
    title: 'API keys',
    about: 'Make and revoke API keys.',
    tags: ['api-keys'],
  },
  {
    name: 'projects',
    title: 'Projects',
    about: 'Keep environments apart within one workspace.',
    tags: ['projects'],
  },
  {
    name: 'team',
    title: 'Team',
    about: 'Invite people, change their roles, remove them.',
    tags: ['team'],
  },
  {
    name: 'account',
    title: 'Account and usage',
    about: 'Read the workspace, what its plan allows and what it has used; retention and security.',
    tags: ['me', 'entitlements', 'usage'],
  },
  {
    name: 'billing',
    title: 'Billing',
    about: 'Plans, subscription and invoices.',
    tags: ['billing'],
  },
  {
    name: 'compliance',
    title: 'Compliance',
    about: 'Audit logs, export and erasure of what refers to a person.',
    tags: ['audit-logs', 'auth-audit', 'gdpr'],
  },
  {
    name: 'auth',
    title: 'Signing in',
    about: 'Passwords, second factors, passkeys, single sign-on and sessions.',
    tags: ['auth'],
  },
  {
    name: 'sso',
    title: 'Single sign-on and SCIM',
    about: "Configure a workspace's identity provider; what that provider calls by SCIM.",
    tags: ['sso', 'scim-tokens', 'scim'],
  },
]
