/**
 * Svix: its applications are sub-accounts here. Servers before 1.50 call the event types of an
 * endpoint `filterTypes` and its rate `rateLimit`; both spellings are read.
 */
import { z } from 'zod'
import {
  describe,
  perSecond,
  shownUrl,
  skippedEndpoint,
  whyNot,
  whyNotType,
} from './endpoint-parts.ts'
import { allOf, type Query, readPages, type SourceApi } from './read-source.ts'
import {
  type ImportBatch,
  type ImportedEndpoint,
  NOTHING,
  type SkippedItem,
  type SourceService,
} from './records.ts'

const Strings = z.record(z.string(), z.string())

const Application = z.object({
  id: z.string().min(1),
  uid: z.string().nullish(),
  name: z.string(),
  throttleRate: z.number().nullish(),
  rateLimit: z.number().nullish(),
  metadata: Strings.default({}),
})

const Endpoint = z.object({
  id: z.string().min(1),
  uid: z.string().nullish(),
  url: z.string(),
  description: z.string().default(''),
  eventTypes: z.array(z.string()).nullish(),
  filterTypes: z.array(z.string()).nullish(),
  channels: z.array(z.string()).nullish(),
  throttleRate: z.number().nullish(),
  rateLimit: z.number().nullish(),
  disabled: z.boolean().default(false),
  metadata: Strings.default({}),
})

const Secret = z.object({ key: z.string().min(1) })
const EndpointHeaders = z.object({ headers: Strings, sensitive: z.array(z.string()) })
const Transformation = z.object({ code: z.string().nullish(), enabled: z.boolean().nullish() })

const EventType = z.object({
  name: z.string().min(1),
  description: z.string().default(''),
  archived: z.boolean().nullish(),
  schemas: z.record(z.string(), z.record(z.string(), z.unknown())).nullish(),
})

const FullEndpoint = z.object({
  endpoint: Endpoint,
  secret: Secret,
  headers: EndpointHeaders,
  transformation: Transformation.nullable(),
})
type FullEndpoint = z.infer<typeof FullEndpoint>

const shapes = {
  eventType: z.object({ eventType: EventType }),
  application: z.object({ application: Application, endpoints: z.array(FullEndpoint) }),
}
type SvixRecord = z.infer<(typeof shapes)[keyof typeof shapes]>

const LIMIT = 100

function pagesOf<Item>(api: SourceApi, path: string, item: z.ZodType<Item>, more: Query = {}) {
  const Page = z.object({
    data: z.array(item),
    iterator: z.string().nullable(),
    done: z.boolean(),
  })
  return readPages(async (iterator) => {
    const query = { limit: LIMIT, order: 'ascending', ...more, iterator }
    const page = await api.get(path, query, Page)
    return { items: page.data, next: page.done ? null : page.iterator }
  })
}

async function* read(api: SourceApi): AsyncGenerator<SvixRecord, void> {
  const content = { with_content: true }
  for await (const eventType of pagesOf(api, '/api/v1/event-type', EventType, content))
    yield { eventType }
  for await (const application of pagesOf(api, '/api/v1/app', Application)) {
    const path = `/api/v1/app/${encodeURIComponent(application.id)}/endpoint`
    const endpoints = await allOf(fullEndpoints(api, path), `the application ${application.id}`)
    yield { application, endpoints }
  }
}

async function* fullEndpoints(api: SourceApi, path: string): AsyncGenerator<FullEndpoint, void> {
  for await (const endpoint of pagesOf(api, path, Endpoint)) {
    const own = `${path}/${encodeURIComponent(endpoint.id)}`
    const [secret, headers, transformation] = await Promise.all([
      api.get(`${own}/secret`, {}, Secret),
      api.get(`${own}/headers`, {}, EndpointHeaders),
      // A server of one's own has no such route.
      api.find(`${own}/transformation`, {}, Transformation),
    ])
    yield { endpoint, secret, headers, transformation }
  }
}

function translate(record: SvixRecord): ImportBatch {
  if ('eventType' in record) return translateType(record.eventType)
  const { application } = record
  const { id, uid, name, metadata } = application
  const rate = application.throttleRate ?? application.rateLimit
  const endpoints: ImportedEndpoint[] = []
  const skipped: SkippedItem[] = []
  for (const one of record.endpoints) {
    const outcome = translateEndpoint(one)
    if ('reason' in outcome) skipped.push(outcome)
    else endpoints.push(outcome)
  }
  return {
    eventTypes: [],
    account: {
      externalIds: uid ? [uid, id] : [id],
      name: name === '' ? null : Array.from(name).slice(0, 255).join(''),
      metadata: { ...metadata, svixId: id },
      notes: rate ? [`its rate of ${rate} a second for all endpoints together is not kept`] : [],
    },
    endpoints,
    skipped,
  }
}

function translateType({ name, description, archived, schemas }: z.infer<typeof EventType>) {
  const reason = archived === true ? 'it is archived' : whyNotType(name)
  if (reason !== null)
    return { ...NOTHING, skipped: [{ kind: 'event type' as const, key: name, reason }] }
  const newest = Object.keys(schemas ?? {})
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1)
  const schema = newest === undefined ? {} : { schema: schemas?.[newest], schemaVersion: newest }
  return { ...NOTHING, eventTypes: [{ name, description, ...schema }] }
}

function translateEndpoint(record: FullEndpoint): ImportedEndpoint | SkippedItem {
  const { endpoint, secret, headers, transformation } = record
  const { id, uid, url, description, channels, disabled, metadata } = endpoint
  const settings = {
    url,
    eventTypes: endpoint.eventTypes ?? endpoint.filterTypes ?? ['*'],
    description: describe('svix', id, description, uid ?? null),
    status: disabled ? ('paused' as const) : ('active' as const),
    signingSecret: /^wh[a-z0-9]+_/.test(secret.key) ? secret.key : `whsec_${secret.key}`,
    customHeaders: Object.keys(headers.headers).length === 0 ? null : headers.headers,
    rateLimitPerSec: perSecond(endpoint.throttleRate ?? endpoint.rateLimit, 1),
  }
  const isOwn = transformation?.enabled === true && Boolean(transformation.code)
  const reason = secret.key.startsWith('whpk')
    ? 'it signs with an asymmetric key, which there is no counterpart for'
    : channels && channels.length > 0
      ? 'it listens to channels, which there is no counterpart for'
      : isOwn
        ? 'it has a transformation, whose script has another form here'
        : whyNot(settings)
  if (reason !== null) return skippedEndpoint(url, id, reason)
  const { sensitive } = headers
  const isIncomplete = sensitive.length > 0
  const notes = [
    ...(isIncomplete
      ? [`paused: set its headers ${sensitive.join(', ')}, which Svix does not tell, and resume it`]
      : []),
    ...(Object.keys(metadata).length > 0 ? ['its metadata is not kept'] : []),
  ]
  return {
    id: `${shownUrl(url)} (${id})`,
    fields: isIncomplete ? { ...settings, status: 'paused' } : settings,
    previous: null,
    isIncomplete,
    unknownHeaders: sensitive,
    notes,
  }
}

export const svix: SourceService<SvixRecord> = {
  name: 'Svix',
  tokenVariable: 'SVIX_AUTH_TOKEN',
  defaultPath: '',
  shapes,
  read,
  translate,
  signatures:
    'Signatures: deliveries carry webhook-id, webhook-timestamp and webhook-signature, made with ' +
    "the same secrets. Svix's libraries and those of Standard Webhooks verify them unchanged; code " +
    'that reads svix-id, svix-timestamp and svix-signature itself has to read those names instead.',
}
