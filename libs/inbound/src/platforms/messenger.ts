/** Messenger names what happened by the member that stands beside sender, recipient and time. */
import type { Preset } from '../preset.ts'
import { SECRET, VERIFY_TOKEN } from '../schemes/config-keys.ts'
import { noneOf, withKind } from '../schemes/member-named.ts'
import { META_CHALLENGE, META_SIGNATURE } from '../schemes/meta.ts'

export const preset: Preset = {
  source: 'messenger',
  name: 'Messenger',
  description: 'Facebook Messenger platform events (Meta).',
  mode: 'hmac',
  docs: 'https://developers.facebook.com/docs/messenger-platform/webhooks',
  configKeys: [{ ...SECRET, meaning: 'The Meta app’s secret.' }, VERIFY_TOKEN],
  verify: META_SIGNATURE,
  handshakes: [META_CHALLENGE],
  unpack: messengerKind,
  eventType: ['$.kind', '$.object'],
  deliveryId: ['$.entry[*].messaging[*].message.mid'],
  accepted: { status: 200 },
  notes: 'A request may hold several messages of several people: they are one event.',
}

const BESIDE = noneOf('sender', 'recipient', 'timestamp')

function messengerKind(document: unknown): unknown {
  return withKind(document, BESIDE, firstMessaging)
}

function firstMessaging(document: unknown): unknown {
  const { entry } = (document ?? {}) as { entry?: { messaging?: unknown[] }[] }
  const messaging = Array.isArray(entry) ? entry[0]?.messaging : undefined
  return Array.isArray(messaging) ? messaging[0] : undefined
}
