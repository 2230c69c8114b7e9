/** Each kind of configuration: how it is read, compared and written. */
import type {
  AlertRule,
  Connector,
  Endpoint,
  EventType,
  Posthorn,
} from '../../../sdks/node/src/posthorn-node.ts'
import { ENDPOINT_DEFAULTS } from '../generated/endpoint-defaults.ts'
import { LISTENER_DESCRIPTION } from '../listen/listener-state.ts'
import { mergePatch, withoutNulls } from './compare.ts'
import type { Fields, Kind } from './document.ts'

/** What the installation has, with the fields that a file may have, defaults included. */
export interface Existing {
  id: string
  key: string
  fields: Fields
}

export interface KindOfConfig {
  /** Oldest first. */
  read(posthorn: Posthorn): Promise<Existing[]>
  /** What people know it by. */
  keyOf(item: Fields): string
  /** The fields that are compared, with defaults for those that are left out. */
  expand(item: Fields, existing: Existing | undefined): Fields
  /** As the file has it: without what is a default. */
  shorten(existing: Existing): Fields
  create(posthorn: Posthorn, item: Fields): Promise<string>
  update(posthorn: Posthorn, existing: Existing, changed: Fields): Promise<void>
  remove(posthorn: Posthorn, existing: Existing): Promise<void>
}

/** More of one kind are not read. */
const MAX_ITEMS = 10_000

const eventTypes: KindOfConfig = {
  async read(posthorn) {
    const all: EventType[] = await posthorn.eventTypes.list({ limit: 100 }).toArray(MAX_ITEMS)
    return all.toReversed().map(({ id, name, description, schema, schemaVersion }) => {
      return { id, key: name, fields: { name, description, schema, schemaVersion } }
    })
  },
  keyOf: (item) => String(item['name']),
  expand: (item) => ({ description: null, schema: null, schemaVersion: null, ...item }),
  shorten: ({ fields }) => withoutOwnNulls(fields),
  create: async (posthorn, item) => (await posthorn.eventTypes.create(bodyOf(item))).id,
  async update(posthorn, { id }, changed) {
    await posthorn.eventTypes.update(id, bodyOf(changed))
  },
  remove: async (posthorn, { id }) => await posthorn.eventTypes.delete(id),
}

/** `listen` makes and deletes its own. */
function isManaged({ description }: Endpoint): boolean {
  return description?.startsWith(LISTENER_DESCRIPTION) !== true
}

const endpoints: KindOfConfig = {
  async read(posthorn) {
    const all: Endpoint[] = await posthorn.endpoints.list({ limit: 100 }).toArray(MAX_ITEMS)
    return all
      .filter(isManaged)
      .toReversed()
      .map((endpoint) => {
        const settings = Object.keys(ENDPOINT_DEFAULTS).map((name) => [
          name,
          (endpoint as Fields)[name],
        ])
        const { id, url, status, signingSecretHint } = endpoint
        const fields = { id, url, eventTypes: endpoint.eventTypes, status, signingSecretHint }
        return { id, key: url, fields: { ...fields, ...Object.fromEntries(settings) } }
      })
  },
  keyOf: (item) => String(item['url']),
  expand(item, existing) {
    const { id: _, signingSecret, storageConfig, ...rest } = item
    const status = item['status'] ?? statusLeftAlone(existing)
    const storage = storageConfig === undefined ? null : withoutCredentials(storageConfig)
    const secret = secretChange(signingSecret, existing)
    return { ...ENDPOINT_DEFAULTS, ...rest, storageConfig: storage, ...secret, status }
  },
  shorten({ fields }) {
    const { signingSecretHint: _, status, ...rest } = fields
    const own = Object.entries(rest).filter(
      ([name, value]) =>
        !(name in ENDPOINT_DEFAULTS) ||
        JSON.stringify(value) !== JSON.stringify((ENDPOINT_DEFAULTS as Fields)[name]),
    )
    return { ...Object.fromEntries(own), ...(status === 'paused' ? { status } : {}) }
  },
  async create(posthorn, item) {
    const { id: _, ...body } = item
    return (await posthorn.endpoints.create(bodyOf(body))).id
  },
  async update(posthorn, { id }, { status, ...settings }) {
    if (Object.keys(settings).length > 0) await posthorn.endpoints.update(id, bodyOf(settings))
    if (status === 'paused') await posthorn.endpoints.pause(id)
    if (status === 'active') await posthorn.endpoints.resume(id)
  },
  remove: async (posthorn, { id }) => await posthorn.endpoints.delete(id),
}

/** An endpoint that answered 410 stays disabled until somebody says that it is active. */
function statusLeftAlone(existing: Existing | undefined): string {
  return existing?.fields['status'] === 'disabled' ? 'disabled' : 'active'
}

/** The installation shows the last four characters of a secret, and nothing else. */
function secretChange(secret: unknown, existing: Existing | undefined): Fields {
  if (typeof secret !== 'string') return {}
  const hint = Array.from(secret.slice(-8)).slice(-4).join('')
  return existing?.fields['signingSecretHint'] === hint ? {} : { signingSecret: secret }
}

function withoutCredentials(storage: unknown): unknown {
  if (typeof storage !== 'object' || storage === null) return storage
  const { accessKeyId: _id, secretAccessKey: _key, ...target } = storage as Fields
  return target
}

const connectors: KindOfConfig = {
  async read(posthorn) {
    const all: Connector[] = await posthorn.connectors.list({ limit: 100 }).toArray(MAX_ITEMS)
    return all.toReversed().map(({ id, name, type, config, template, eventTypes: types }) => {
      const shown = template === null ? null : withoutNulls(template)
      return { id, key: name, fields: { name, type, config, template: shown, eventTypes: types } }
    })
  },
  keyOf: (item) => String(item['name']),
  expand: (item) => ({
    template: null,
    eventTypes: [],
    ...item,
    config: withoutNulls(item['config'] as Fields),
  }),
  shorten({ fields }) {
    const { eventTypes: types, ...rest } = withoutOwnNulls(fields)
    return { ...rest, ...((types as string[]).length > 0 ? { eventTypes: types } : {}) }
  },
  create: async (posthorn, item) => (await posthorn.connectors.create(bodyOf(item))).id,
  async update(posthorn, { key, fields }, changed) {
    // A connector's type cannot be changed: it is made again.
    if ('type' in changed) {
      await posthorn.connectors.delete(key)
      await posthorn.connectors.create(bodyOf({ ...fields, ...changed }))
      return
    }
    const patch = Object.entries(changed).map(([name, to]) => [name, mergePatch(fields[name], to)])
    await posthorn.connectors.update(key, bodyOf(Object.fromEntries(patch)))
  },
  remove: async (posthorn, { key }) => await posthorn.connectors.delete(key),
}

const RULE_DEFAULTS = {
  description: null,
  enabled: true,
  action: null,
  connectorName: null,
  cooldown: '5m',
  endpointId: null,
}

const alertRules: KindOfConfig = {
  async read(posthorn) {
    const all: AlertRule[] = await posthorn.alerting
      .listAlertRules({ limit: 100 })
      .toArray(MAX_ITEMS)
    return all.toReversed().map((rule) => {
      const { id, name, condition, enabled, description, connectorName, cooldown, endpointId } =
        rule
      const action = rule.action === null ? null : withoutNulls(rule.action)
      const more = { action, connectorName, cooldown, endpointId }
      return { id, key: name, fields: { name, description, enabled, condition, ...more } }
    })
  },
  keyOf: (item) => String(item['name']),
  expand: (item) => ({
    ...RULE_DEFAULTS,
    ...item,
    condition: { window: '5m', ...(item['condition'] as Fields) },
  }),
  shorten({ fields }) {
    const own = Object.entries(fields).filter(
      ([name, value]) => !(name in RULE_DEFAULTS) || value !== (RULE_DEFAULTS as Fields)[name],
    )
    return Object.fromEntries(own)
  },
  create: async (posthorn, item) => (await posthorn.alerting.createAlertRule(bodyOf(item))).id,
  async update(posthorn, { id }, changed) {
    await posthorn.alerting.updateAlertRule(id, bodyOf(changed))
  },
  remove: async (posthorn, { id }) => await posthorn.alerting.deleteAlertRule(id),
}

/** The installation checks a body, and names each field at fault. */
function bodyOf(fields: Fields): never {
  return fields as never
}

function withoutOwnNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

export const CONFIG_KINDS: Readonly<Record<Kind, KindOfConfig>> = {
  eventTypes,
  endpoints,
  connectors,
  alertRules,
}
