/** Wix wraps JSON in a text in JSON: the event's own JSON is opened as `event`. */
import type { Preset } from '../preset.ts'
import { readJson } from '../read-json.ts'
import { PUBLIC_KEY } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'wix',
  name: 'Wix',
  description: 'Wix app webhooks (orders, contacts, app instance events).',
  mode: 'jwt',
  docs: 'https://dev.wix.com/docs/build-apps/develop-your-app/api-integrations/events-and-webhooks/about-webhooks',
  configKeys: [
    { ...PUBLIC_KEY, meaning: 'The app’s public key in its dashboard: PEM, or its base64.' },
  ],
  verify: {
    kind: 'jwt',
    at: { wholeBody: true },
    algorithms: ['RS256'],
    key: { config: 'public_key' },
    event: { claim: 'data' },
  },
  unpack: wixEvent,
  eventType: ['$.eventType'],
  deliveryId: ['$.event.id'],
  accepted: { status: 200 },
  notes:
    'The event is what the token says: eventType, instanceId, and data, which is JSON in a text.',
}

async function wixEvent(document: unknown): Promise<unknown> {
  const { data, eventType } = (document ?? {}) as { data?: unknown; eventType?: unknown }
  if (typeof data !== 'string') return { eventType, event: data }
  const read = await readJson(data)
  return read.outcome === 'ok' ? { eventType, event: read.value } : document
}
