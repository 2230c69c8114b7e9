/**
 * Outpost: its tenants are sub-accounts here, and its destinations of type webhook are endpoints.
 * Its topics are event types.
 */
import { z } from 'zod'
import type { Fields } from '../apply/document.ts'
import { isRecord } from '../apply/document.ts'
import { describe, previousSecret, shownUrl, whyNot, whyNotType } from './endpoint-parts.ts'
import { translateFilter } from './filters.ts'
import { readPages, type SourceApi } from './read-source.ts'
import {
  type ImportBatch,
  type ImportedEndpoint,
  NOTHING,
  type SkippedItem,
  type SourceService,
} from './records.ts'

const Tenant = z.object({
  id: z.string().min(1),
  metadata: z.record(z.string(), z.string()).nullish(),
})

const TenantPage = z.object({
  models: z.array(Tenant).nullable(),
  pagination: z.object({ next: z.string().nullish() }),
})

const Webhook = z.object({
  id: z.string().min(1),
  type: z.literal('webhook'),
  topics: z.union([z.literal('*'), z.array(z.string())]),
  filter: z.record(z.string(), z.unknown()).nullish(),
  disabled_at: z.string().nullish(),
  config: z.object({ url: z.string(), custom_headers: z.string().nullish() }),
  credentials: z.object({
    secret: z.string(),
    previous_secret: z.string().nullish(),
    previous_secret_invalid_at: z.string().nullish(),
  }),
  metadata: z.record(z.string(), z.string()).nullish(),
  delivery_metadata: z.record(z.string(), z.string()).nullish(),
})
type Webhook = z.infer<typeof Webhook>

/** Only of webhooks more is read, so that nobody's queue credentials are. */
const Other = z.object({ id: z.string().min(1), type: z.string().min(1) })
const isWebhook = (one: unknown): boolean => isRecord(one) && one['type'] === 'webhook'
const Destination = z.unknown().transform((one, context): Webhook | z.infer<typeof Other> => {
  const parsed = isWebhook(one) ? Webhook.safeParse(one) : Other.safeParse(one)
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues)
    context.addIssue({ code: 'custom', path, message })
  return z.NEVER
})

const shapes = {
  topics: z.object({ topics: z.array(z.string()) }),
  tenant: z.object({ tenant: Tenant, destinations: z.array(Destination) }),
}
type OutpostRecord = z.infer<(typeof shapes)[keyof typeof shapes]>

const LIMIT = 100

async function* read(api: SourceApi): AsyncGenerator<OutpostRecord, void> {
  yield { topics: (await api.get('/topics', {}, z.array(z.string()).nullable())) ?? [] }
  const tenants = readPages(async (next) => {
    const query = { limit: LIMIT, dir: 'asc', next }
    const page = await api.get('/tenants', query, TenantPage)
    return { items: page.models ?? [], next: page.pagination.next ?? null }
  })
  for await (const tenant of tenants) {
    const path = `/tenants/${encodeURIComponent(tenant.id)}/destinations`
    const destinations = await api.get(path, {}, z.array(Destination).nullable())
    yield { tenant, destinations: destinations ?? [] }
  }
}

function translate(record: OutpostRecord, now: number): ImportBatch {
  if ('topics' in record) return translateTopics(record.topics)
  const { id, metadata } = record.tenant
  const endpoints: ImportedEndpoint[] = []
  const skipped: SkippedItem[] = []
  for (const one of record.destinations) {
    const outcome = 'config' in one ? translateWebhook(one, now) : otherType(one)
    if ('reason' in outcome) skipped.push(outcome)
    else endpoints.push(outcome)
  }
  const name = metadata?.['name']
  return {
    eventTypes: [],
    account: {
      externalIds: [id],
      name: name ? Array.from(name).slice(0, 255).join('') : null,
      metadata: { ...metadata },
      notes: [],
    },
    endpoints,
    skipped,
  }
}

function translateTopics(topics: readonly string[]): ImportBatch {
  const skipped = topics.flatMap((key) => {
    const reason = whyNotType(key)
    return reason === null ? [] : [{ kind: 'event type' as const, key, reason }]
  })
  const eventTypes = topics.filter((name) => whyNotType(name) === null).map((name) => ({ name }))
  return { ...NOTHING, eventTypes, skipped }
}

function otherType({ id, type }: z.infer<typeof Other>): SkippedItem {
  return { kind: 'endpoint', key: id, reason: `it is of type ${type}: only webhooks are imported` }
}

function translateWebhook(webhook: Webhook, now: number): ImportedEndpoint | SkippedItem {
  const { id, topics, config, credentials, metadata } = webhook
  const { url } = config
  const filter = translateDataFilter(webhook.filter ?? {})
  const customHeaders = headersOf(config.custom_headers)
  const settings = {
    url,
    eventTypes: topics === '*' ? ['*'] : topics,
    description: describe('outpost', id, ''),
    status: webhook.disabled_at ? ('paused' as const) : ('active' as const),
    signingSecret: credentials.secret,
    customHeaders: customHeaders ?? null,
    filter: 'conditions' in filter && filter.conditions.length > 0 ? filter.conditions : null,
  }
  const reason =
    'reason' in filter
      ? filter.reason
      : customHeaders === undefined
        ? 'its custom_headers are not an object of texts'
        : whyNot(settings)
  if (reason !== null) return { kind: 'endpoint', key: `${shownUrl(url)} (${id})`, reason }
  const { previous_secret: former, previous_secret_invalid_at: until } = credentials
  return {
    id: `${shownUrl(url)} (${id})`,
    fields: settings,
    previous: previousSecret(former, until, now),
    isIncomplete: false,
    unknownHeaders: [],
    notes: [
      ...(isFilled(metadata) ? ['its metadata is not kept'] : []),
      ...(isFilled(webhook.delivery_metadata) ? ['its delivery metadata is not kept'] : []),
    ],
  }
}

/** It looks at the event with its topic and metadata; here a filter looks at the payload. */
function translateDataFilter(filter: Fields): ReturnType<typeof translateFilter> {
  const { data, ...others } = filter
  const [other] = Object.keys(others)
  if (other !== undefined)
    return { reason: `its filter looks at ${other}: only filters of data are imported` }
  if (data !== undefined && !isRecord(data)) return { reason: 'its filter of data is no object' }
  return translateFilter(data ?? {})
}

/** undefined: they are no object of texts. */
function headersOf(json: string | null | undefined): Record<string, string> | null | undefined {
  if (!json) return null
  try {
    const parsed = z.record(z.string(), z.string()).safeParse(JSON.parse(json))
    if (!parsed.success) return undefined
    return Object.keys(parsed.data).length === 0 ? null : parsed.data
  } catch {
    return undefined
  }
}

function isFilled(fields: Readonly<Record<string, string>> | null | undefined): boolean {
  return Object.keys(fields ?? {}).length > 0
}

export const outpost: SourceService<OutpostRecord> = {
  name: 'Outpost',
  tokenVariable: 'OUTPOST_API_KEY',
  defaultPath: '/api/v1',
  shapes,
  read,
  translate,
  signatures:
    'Signatures: with DESTINATIONS_WEBHOOK_MODE=standard customers verify unchanged, for secrets ' +
    'and the webhook-id, webhook-timestamp and webhook-signature headers are the same. In the mode ' +
    'default they verified x-outpost-signature over the body alone: they keep their secrets, and ' +
    'verify X-Service-Signature instead, which is v1= and the hex HMAC-SHA256 of <timestamp>.<body>.',
}
