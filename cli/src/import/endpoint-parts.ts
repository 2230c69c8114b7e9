/**
 * What endpoints of all services have in common: the id that is kept in the description, what an
 * endpoint here can't have, and a rotation of the secret that is under way.
 */
import type { EndpointSettings, PreviousSecret, SkippedItem } from './records.ts'

const MAX_DESCRIPTION = 1_000
const MARKER = /\[(svix|convoy|outpost) ([^\s\]]{1,300})(?: [^\]]*)?\]$/

/** The id stands at the end of the description: an endpoint has no other place for it. */
export function describe(
  service: 'svix' | 'convoy' | 'outpost',
  id: string,
  description: string,
  uid: string | null = null,
): string {
  const more = uid === null ? '' : ` uid ${encodeURIComponent(uid)}`
  const marker = `[${service} ${encodeURIComponent(id)}${more}]`
  const room = MAX_DESCRIPTION - marker.length - 1
  // No character is cut in half.
  const text = description
    .trim()
    .slice(0, room)
    .replace(/[\uD800-\uDBFF]$/, '')
  return text === '' ? marker : `${text} ${marker}`
}

/** As `svix ep_…`; undefined: it was not imported. */
export function importedKey(description: unknown): string | undefined {
  const [, service, id] = MARKER.exec(typeof description === 'string' ? description : '') ?? []
  return service === undefined ? undefined : `${service} ${id}`
}

/** For people, without what may be a credential. */
export function shownUrl(text: string): string {
  if (!URL.canParse(text)) return '(not a URL)'
  const { origin, pathname, search, protocol } = new URL(text)
  return (/^https?:$/.test(protocol) ? origin : protocol) + pathname + (search === '' ? '' : '?…')
}

const MAX_URL_CHARACTERS = 2_048
const MAX_EVENT_TYPES = 100
const EVENT_TYPE = /^[A-Za-z0-9._\-/:]{1,255}$/
const PATTERN = /^[A-Za-z0-9._\-/:*]{1,255}$/
const SECRET = { min: 16, max: 256 }

/** Why an endpoint can't be here as it is there; null: it can. */
export function whyNot({ url, eventTypes, signingSecret }: EndpointSettings): string | null {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return 'its URL is not http or https'
  if (parsed.username + parsed.password !== '') return 'its URL has a user or a password'
  if (url.length > MAX_URL_CHARACTERS)
    return `its URL has more than ${MAX_URL_CHARACTERS} characters`
  if (eventTypes.length === 0) return 'it subscribes to no event type'
  if (eventTypes.length > MAX_EVENT_TYPES)
    return `it subscribes to more than ${MAX_EVENT_TYPES} event types: use patterns such as order.*`
  const wrong = eventTypes.find((one) => !PATTERN.test(one))
  if (wrong !== undefined) return `the event type ${JSON.stringify(wrong)} can't be subscribed to`
  if (signingSecret === undefined) return 'it has no signing secret'
  const { length } = Array.from(signingSecret)
  return length < SECRET.min || length > SECRET.max
    ? `its secret has ${length} characters: ${SECRET.min} to ${SECRET.max} are possible`
    : null
}

/** Why there can't be such an event type; null: there can. */
export function whyNotType(name: string): string | null {
  if (!EVENT_TYPE.test(name))
    return 'a name has 1 to 255 characters of letters, digits and . _ - / :'
  return name.startsWith('service.') ? 'names that begin with service. are reserved' : null
}

export function skippedEndpoint(url: string, id: string, reason: string): SkippedItem {
  return { kind: 'endpoint', key: `${shownUrl(url)} (${id})`, reason }
}

const MAX_GRACE_MINUTES = 43_200

/** @param until when the former secret ends, as the other service says it */
export function previousSecret(
  secret: string | null | undefined,
  until: string | null | undefined,
  now: number,
): PreviousSecret | null {
  const left = Date.parse(until ?? '') - now
  const { length } = Array.from(secret ?? '')
  if (!secret || !(left > 0) || length < SECRET.min || length > SECRET.max) return null
  return { secret, graceMinutes: Math.min(MAX_GRACE_MINUTES, Math.ceil(left / 60_000)) }
}

/** Messages in so many seconds as whole messages a second, at least one. 0: no limit. */
export function perSecond(count: number | null | undefined, seconds: number): number {
  if (!count || count <= 0) return 0
  return Math.max(1, Math.floor(count / Math.max(1, seconds)))
}
