/**
 * Event types and endpoints as an import plans and writes them: by `apply`'s own plan, but known by
 * the id that they have in the other service, and compared in nothing but what was imported.
 */
import type { Posthorn } from '../../../sdks/node/src/posthorn-node.ts'
import type { Fields } from '../apply/document.ts'
import { isRecord } from '../apply/document.ts'
import { CONFIG_KINDS, type Existing, type KindOfConfig } from '../apply/kinds.ts'
import { importedKey } from './endpoint-parts.ts'
import type { ImportedEndpoint } from './records.ts'

/** What the plan carries of an endpoint besides its settings. */
const CARRIED = 'imported'

/** As an item of a configuration. */
export function itemOf(endpoint: ImportedEndpoint): Fields {
  return { ...endpoint.fields, [CARRIED]: endpoint }
}

export function importedOf(item: Fields): ImportedEndpoint {
  return item[CARRIED] as ImportedEndpoint
}

const endpoints: KindOfConfig = {
  ...CONFIG_KINDS.endpoints,
  /** Those that were imported, the oldest where one was copied with its description. */
  async read(posthorn) {
    const all = await CONFIG_KINDS.endpoints.read(posthorn)
    const byKey = new Map<string, Existing>()
    for (const existing of all) {
      const key = importedKey(existing.fields['description'])
      if (key !== undefined && !byKey.has(key)) byKey.set(key, { ...existing, key })
    }
    return [...byKey.values()]
  },
  keyOf: (item) => importedKey(item['description']) ?? '',
  expand(item, existing) {
    const { [CARRIED]: _, ...settings } = item
    const all = CONFIG_KINDS.endpoints.expand(settings, existing)
    const own = Object.entries(all).filter(([name]) => name in settings)
    const desired = Object.fromEntries(own)
    return existing === undefined ? desired : withWhatIsSetHere(importedOf(item), desired, existing)
  },
  async create(posthorn, item) {
    const { previous } = importedOf(item)
    const { [CARRIED]: _, ...settings } = item
    if (previous === null) return await CONFIG_KINDS.endpoints.create(posthorn, settings)
    const former = { ...settings, signingSecret: previous.secret }
    const id = await CONFIG_KINDS.endpoints.create(posthorn, former)
    await posthorn.endpoints.rotateSecret(id, {
      newSecret: String(settings['signingSecret']),
      gracePeriodMinutes: previous.graceMinutes,
    })
    return id
  },
}

/**
 * What the other service does not tell was set by hand, and stays. An endpoint that answered 410
 * stays disabled.
 */
function withWhatIsSetHere(
  { isIncomplete, unknownHeaders }: ImportedEndpoint,
  desired: Fields,
  existing: Existing,
): Fields {
  const { status: _, ...rest } = desired
  if (!isIncomplete) return existing.fields['status'] === 'disabled' ? rest : desired
  const names = unknownHeaders.map((name) => name.toLowerCase())
  const here = isRecord(existing.fields['customHeaders']) ? existing.fields['customHeaders'] : {}
  const known = isRecord(desired['customHeaders']) ? desired['customHeaders'] : {}
  const added = Object.entries(here).filter(([name]) => names.includes(name.toLowerCase()))
  const headers = { ...known, ...Object.fromEntries(added) }
  return { ...rest, customHeaders: Object.keys(headers).length === 0 ? null : headers }
}

export const IMPORT_KINDS = {
  ...CONFIG_KINDS,
  // A description or a schema that the other service does not have is left as it is.
  eventTypes: { ...CONFIG_KINDS.eventTypes, expand: (item: Fields) => item },
  endpoints,
}

export async function readImported(
  posthorn: Posthorn,
  kind: 'eventTypes' | 'endpoints',
): Promise<Map<string, Existing>> {
  const all = await IMPORT_KINDS[kind].read(posthorn)
  return new Map(all.map((existing) => [existing.key, existing]))
}
