/**
 * Convoy: a subscription is an endpoint here, with the URL and the secret of its endpoint there,
 * for each of them makes a delivery of its own. Endpoints with an `owner_id` belong to a
 * sub-account of that id, and the others to the workspace.
 */
import { z } from 'zod'
import { isDeepStrictEqual } from 'node:util'
import type { Fields } from '../apply/document.ts'
import { isRecord } from '../apply/document.ts'
import { usage } from '../failure.ts'
import {
  describe,
  perSecond,
  previousSecret,
  shownUrl,
  skippedEndpoint,
  whyNot,
  whyNotType,
} from './endpoint-parts.ts'
import { type TranslatedFilter, translateFilter } from './filters.ts'
import { allOf, readPages, type Query, type SourceApi } from './read-source.ts'
import {
  type EndpointSettings,
  type ImportBatch,
  type ImportedEndpoint,
  NOTHING,
  type SkippedItem,
  type SourceService,
} from './records.ts'

const Anything = z.record(z.string(), z.unknown())

const Endpoint = z.object({
  uid: z.string().min(1),
  name: z.string().nullish(),
  url: z.string(),
  owner_id: z.string().nullish(),
  description: z.string().nullish(),
  status: z.string().nullish(),
  secrets: z
    .array(
      z.object({
        value: z.string(),
        expires_at: z.string().nullish(),
        deleted_at: z.string().nullish(),
      }),
    )
    .nullish(),
  http_timeout: z.number().nullish(),
  rate_limit: z.number().nullish(),
  rate_limit_duration: z.number().nullish(),
  authentication: z
    .object({
      type: z.string().nullish(),
      api_key: z.object({ header_name: z.string(), header_value: z.string() }).nullish(),
    })
    .nullish(),
  mtls_client_cert: Anything.nullish(),
})

const FilterParts = {
  headers: Anything.nullish(),
  body: Anything.nullish(),
  query: Anything.nullish(),
  path: Anything.nullish(),
}

const Subscription = z.object({
  uid: z.string().min(1),
  name: z.string().nullish(),
  type: z.string(),
  function: z.string().nullish(),
  endpoint_metadata: z.object({ uid: z.string() }).nullish(),
  filter_config: z
    .object({
      event_types: z.array(z.string()).nullish(),
      filter: z.object(FilterParts).nullish(),
    })
    .nullish(),
})

/** A filter of one event type of a subscription, which newer versions have. */
const TypeFilter = z.object({ event_type: z.string(), ...FilterParts })

const EventType = z.object({
  name: z.string().min(1),
  description: z.string().nullish(),
  json_schema: z.unknown(),
  deprecated_at: z.string().nullish(),
})

const FullSubscription = z.object({
  subscription: Subscription,
  filters: z.array(TypeFilter),
})
type FullSubscription = z.infer<typeof FullSubscription>

const shapes = {
  eventType: z.object({ eventType: EventType }),
  endpoint: z.object({ endpoint: Endpoint, subscriptions: z.array(FullSubscription) }),
}
type ConvoyRecord = z.infer<(typeof shapes)[keyof typeof shapes]>
type ConvoyEndpoint = z.infer<typeof Endpoint>

const PER_PAGE = 100

function pagesOf<Item>(api: SourceApi, path: string, item: z.ZodType<Item>, more: Query = {}) {
  const Page = z.object({
    data: z.object({
      content: z.array(item).nullish(),
      pagination: z
        .object({ has_next_page: z.boolean(), next_page_cursor: z.string().nullish() })
        .nullish(),
    }),
  })
  return readPages(async (cursor) => {
    const query = { perPage: PER_PAGE, direction: 'next', ...more, next_page_cursor: cursor }
    const { content, pagination } = (await api.get(path, query, Page)).data
    const next = pagination?.has_next_page === true ? pagination.next_page_cursor : null
    return { items: content ?? [], next: next ?? null }
  })
}

async function* read(
  api: SourceApi,
  { project }: { project: string | undefined },
): AsyncGenerator<ConvoyRecord, void> {
  if (project === undefined) throw usage("say --from-project: the project's id in Convoy")
  const base = `/v1/projects/${encodeURIComponent(project)}`
  const Types = z.object({ data: z.array(EventType).nullish() })
  for (const eventType of (await api.get(`${base}/event-types`, {}, Types)).data ?? [])
    yield { eventType }
  for await (const endpoint of pagesOf(api, `${base}/endpoints`, Endpoint)) {
    const found = subscriptionsOf(api, base, endpoint.uid)
    yield { endpoint, subscriptions: await allOf(found, `the endpoint ${endpoint.uid}`) }
  }
}

async function* subscriptionsOf(
  api: SourceApi,
  base: string,
  endpointId: string,
): AsyncGenerator<FullSubscription, void> {
  const Filters = z.object({ data: z.array(TypeFilter).nullish() })
  const path = `${base}/subscriptions`
  for await (const subscription of pagesOf(api, path, Subscription, { endpointId })) {
    // A version that does not know the query answers with all of them.
    if (subscription.endpoint_metadata?.uid !== endpointId) continue
    const own = `${path}/${encodeURIComponent(subscription.uid)}/filters`
    const filters = (await api.find(own, {}, Filters))?.data ?? []
    yield { subscription, filters }
  }
}

function translate(record: ConvoyRecord, now: number): ImportBatch {
  if ('eventType' in record) return translateType(record.eventType)
  const { endpoint, subscriptions } = record
  const owner = endpoint.owner_id || null
  const endpoints: ImportedEndpoint[] = []
  const skipped: SkippedItem[] = []
  if (subscriptions.length === 0)
    skipped.push(skippedEndpoint(endpoint.url, endpoint.uid, 'it has no subscription'))
  for (const one of subscriptions) {
    const outcome = translateSubscription(endpoint, one, now)
    if ('reason' in outcome) skipped.push(outcome)
    else endpoints.push(outcome)
  }
  const metadata = { convoyOwnerId: owner }
  return {
    eventTypes: [],
    account: owner === null ? null : { externalIds: [owner], name: null, metadata, notes: [] },
    endpoints,
    skipped,
  }
}

function translateType(eventType: z.infer<typeof EventType>): ImportBatch {
  const { name, description, json_schema: schema, deprecated_at: deprecatedAt } = eventType
  // The type that stands for all of them.
  if (name === '*') return NOTHING
  const reason = deprecatedAt ? 'it is deprecated' : whyNotType(name)
  if (reason !== null) return { ...NOTHING, skipped: [{ kind: 'event type', key: name, reason }] }
  const hasSchema = isRecord(schema) && Object.keys(schema).length > 0
  const text = description ?? ''
  return {
    ...NOTHING,
    eventTypes: [{ name, description: text, ...(hasSchema ? { schema } : {}) }],
  }
}

function translateSubscription(
  endpoint: ConvoyEndpoint,
  { subscription, filters }: FullSubscription,
  now: number,
): ImportedEndpoint | SkippedItem {
  const { url } = endpoint
  const id = subscription.uid
  const filter = filterOf(subscription, filters)
  const conditions = 'conditions' in filter ? filter.conditions : []
  const valid = (endpoint.secrets ?? []).filter((one) => !one.deleted_at)
  const secret = valid.find((one) => !one.expires_at)?.value
  const former = valid.findLast((one) => one.expires_at && Date.parse(one.expires_at) > now)
  const apiKey = endpoint.authentication?.api_key
  const settings: EndpointSettings = {
    url,
    eventTypes: subscription.filter_config?.event_types ?? ['*'],
    description: describe('convoy', id, descriptionOf(endpoint)),
    status: endpoint.status === 'active' || !endpoint.status ? 'active' : 'paused',
    ...(secret === undefined ? {} : { signingSecret: secret }),
    customHeaders: apiKey ? { [apiKey.header_name]: apiKey.header_value } : null,
    rateLimitPerSec: perSecond(endpoint.rate_limit, endpoint.rate_limit_duration ?? 1),
    ...timeoutOf(endpoint.http_timeout),
    filter: conditions.length > 0 ? conditions : null,
  }
  const reason =
    subscription.type !== 'api'
      ? `it is of type ${subscription.type}`
      : subscription.function
        ? 'it has a function, whose script has another form here'
        : endpoint.authentication?.type === 'oauth2'
          ? 'it authenticates by OAuth 2, which there is no counterpart for'
          : 'reason' in filter
            ? filter.reason
            : whyNot(settings)
  if (reason !== null) return skippedEndpoint(url, id, reason)
  const missing = missingOf(endpoint)
  return {
    id: `${shownUrl(url)} (${id})`,
    fields: missing.length > 0 ? { ...settings, status: 'paused' } : settings,
    previous: previousSecret(former?.value, former?.expires_at, now),
    isIncomplete: missing.length > 0,
    unknownHeaders: endpoint.authentication?.type === 'basic_auth' ? ['Authorization'] : [],
    notes: [
      ...missing.map((what) => `paused: set ${what}, which Convoy does not tell, and resume it`),
      ...(conditions.length > 1 ? ['an event without a field of its filter does not match'] : []),
    ],
  }
}

function descriptionOf({ name, description }: ConvoyEndpoint): string {
  return [name, description].filter(Boolean).join(': ')
}

function missingOf({ authentication, mtls_client_cert: mtls }: ConvoyEndpoint): string[] {
  return [
    ...(authentication?.type === 'basic_auth' ? ['its header Authorization'] : []),
    ...(mtls && Object.keys(mtls).length > 0 ? ['its client certificate and key'] : []),
  ]
}

function timeoutOf(seconds: number | null | undefined): { timeoutMs?: number } {
  return seconds && seconds > 0 ? { timeoutMs: Math.min(60_000, seconds * 1_000) } : {}
}

/** All of its event types have to have the same filter. */
function filterOf(
  subscription: z.infer<typeof Subscription>,
  filters: FullSubscription['filters'],
): TranslatedFilter {
  const own = subscription.filter_config?.filter
  const parts = [...filters, ...(own && filters.length === 0 ? [own] : [])]
  const bodies = parts.map(({ body }) => body ?? {})
  const [body = {}] = bodies
  const isOther = (fields: Fields | null | undefined): boolean =>
    Object.keys(fields ?? {}).length > 0
  if (parts.some(({ headers, query, path }) => [headers, query, path].some(isOther)))
    return { reason: 'its filter looks at headers, query or path: only filters of bodies are kept' }
  const types = subscription.filter_config?.event_types ?? ['*']
  const isForAll = filters.length === 0 || filters.length === types.length
  const isFiltering = bodies.some(isOther)
  if (isFiltering && !(isForAll && bodies.every((one) => isDeepStrictEqual(one, body))))
    return { reason: 'its event types have different filters: make an endpoint for each of them' }
  return translateFilter(body)
}

export const convoy: SourceService<ConvoyRecord> = {
  name: 'Convoy',
  tokenVariable: 'CONVOY_API_KEY',
  defaultPath: '/api',
  shapes,
  read,
  translate,
  signatures:
    'Signatures: the secrets are the same, the algorithm is another. Convoy signs the body, or ' +
    '<timestamp>,<body>, into X-Convoy-Signature; here customers verify X-Service-Signature, which ' +
    'is v1= and the hex HMAC-SHA256 of <timestamp>.<body>, with the X-Service-Timestamp of the ' +
    'request. Secrets that begin with whsec_ also make the headers of Standard Webhooks.',
}
