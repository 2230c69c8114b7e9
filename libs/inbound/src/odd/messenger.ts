/** Messenger names what happened by the member beside who it was and when. */
import { noneOf, withKind } from '../schemes/member-named.ts'

const BESIDE = noneOf('sender', 'recipient', 'timestamp')

export function messengerKind(document: unknown): unknown {
  return withKind(document, BESIDE, firstMessaging)
}

function firstMessaging(document: unknown): unknown {
  const { entry } = (document ?? {}) as { entry?: { messaging?: unknown[] }[] }
  const messaging = Array.isArray(entry) ? entry[0]?.messaging : undefined
  return Array.isArray(messaging) ? messaging[0] : undefined
}
