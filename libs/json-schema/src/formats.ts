/**
 * The formats that are checked, as far as a pattern or a few lines can: those of the drafts and of
 * OpenAPI. Other formats assert nothing.
 *
 * The patterns run on JavaScript's own engine, which may take exponential time, so each is anchored
 * and has one way to go on at every character. Texts over 2,048 characters have no format but
 * `byte`, and each character is paid for. `bounded-cost.test.ts` shows that they take linear time.
 */
import { isIPv4, isIPv6 } from 'node:net'
import { type StepBudget, spend } from '@posthorn/domain/step-budget'

/** True for values that the format says nothing about. */
export type Format = (value: unknown, budget: StepBudget) => boolean

const MAX_CHARACTERS = 2_048

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME = /^(\d{2}):(\d{2}):(\d{2}(?:\.\d+)?)(z|([+-])(\d{2})(?::?(\d{2}))?)?$/i
const DURATION =
  /^P(?!$)(?:(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|(?:\d+W)?)$/
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i
const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const UUID = /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const POINTER = /^(?:\/(?:[^~/]|~0|~1)*)*$/
const POINTER_FRAGMENT = /^#(?:\/(?:[a-z0-9_\-.!$&'()*+,;:=@]|%[0-9a-f]{2}|~0|~1)*)*$/i
const RELATIVE_POINTER = /^(?:0|[1-9][0-9]*)(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/
const TEMPLATE =
  /^(?:(?:[!#$&(-;=?-[\]_a-z~\u007f-\uffff]|%[0-9a-f]{2})|\{[+#./;?&=,!@|]?(?:[a-z0-9_]|%[0-9a-f]{2})+(?::[1-9][0-9]{0,3}|\*)?(?:,(?:[a-z0-9_]|%[0-9a-f]{2})+(?::[1-9][0-9]{0,3}|\*)?)*\})*$/i
const BYTE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/m

/** RFC 3986, appendix B: any text has these five parts, or lacks some. */
const URI_PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s
const SCHEME = /^[a-z][a-z0-9+\-.]*$/i
const AUTHORITY =
  /^(?:(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?(\[[^\]]*\]|(?:[a-z0-9\-._~!$&'"()*+,;=]|%[0-9a-f]{2})*)(?::\d*)?$/i
const PATH = /^(?:[a-z0-9\-._~!$&'"()*+,;=:@/]|%[0-9a-f]{2})*$/i
const QUERY = /^(?:[a-z0-9\-._~!$&'"()*+,;=:@/?]|%[0-9a-f]{2})*$/i
const FUTURE_ADDRESS = /^v[0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+$/i

const URL_PARTS = /^(?:https?|ftp):\/\/([^/\s]*)(?:\/\S*)?$/i
const URL_HOST = /^(.*?)(?::\d{2,5})?$/s
const URL_LABEL = /^[a-z0-9\u00a1-\uffff]+(?:-[a-z0-9\u00a1-\uffff]+)*$/i
const URL_TOP_LABEL = /^[a-z\u00a1-\uffff]{2,}$/i

function date(text: string): boolean {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? []
  const days = DAYS[Number(month) - 1]
  if (days === undefined) return false
  const isLeap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0)
  return Number(day) >= 1 && Number(day) <= (month === '02' && isLeap ? 29 : days)
}

function time(text: string, needsZone: boolean): boolean {
  const parts = TIME.exec(text)
  if (parts === null) return false
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const [zoneHour, zoneMinute] = [Number(parts[6] ?? 0), Number(parts[7] ?? 0)]
  if (zoneHour > 23 || zoneMinute > 59 || (needsZone && parts[4] === undefined)) return false
  if (hour <= 23 && minute <= 59 && second < 60) return true
  // A leap second is at the end of a day of UTC.
  const sign = parts[5] === '-' ? -1 : 1
  const utcMinute = minute - zoneMinute * sign
  const utcHour = hour - zoneHour * sign - (utcMinute < 0 ? 1 : 0)
  return (utcHour === 23 || utcHour === -1) && (utcMinute === 59 || utcMinute === -1) && second < 61
}

function dateTime(text: string, needsZone: boolean): boolean {
  return /^.{10}[t\s]/is.test(text) && date(text.slice(0, 10)) && time(text.slice(11), needsZone)
}

function uri(text: string, mustBeWhole: boolean): boolean {
  const [, scheme, authority, path = '', query = '', fragment = ''] = URI_PARTS.exec(text) ?? []
  if (scheme === undefined ? mustBeWhole : !SCHEME.test(scheme)) return false
  if (authority !== undefined && !isAuthority(authority)) return false
  if (mustBeWhole && authority === undefined && path === '') return false
  return PATH.test(path) && QUERY.test(query) && QUERY.test(fragment)
}

function isAuthority(text: string): boolean {
  const host = AUTHORITY.exec(text)?.[1]
  if (host === undefined || !host.startsWith('[')) return host !== undefined
  const address = host.slice(1, -1)
  return FUTURE_ADDRESS.test(address) || ipv6(address)
}

function ipv6(text: string): boolean {
  return isIPv6(text) && !text.includes('%')
}

function hostname(text: string): boolean {
  const name = text.endsWith('.') ? text.slice(0, -1) : text
  return name.length <= 253 && name.split('.').every((label) => HOST_LABEL.test(label))
}

/** The name or address of a host that the public can reach. */
function url(text: string): boolean {
  const authority = URL_PARTS.exec(text)?.[1]
  if (authority === undefined || authority.startsWith('@')) return false
  const host = URL_HOST.exec(authority.slice(authority.lastIndexOf('@') + 1))?.[1] ?? ''
  if (isIPv4(host)) return isPublic(host.split('.').map(Number))
  const labels = host.split('.')
  const top = labels.pop() as string
  return labels.length > 0 && URL_TOP_LABEL.test(top) && labels.every((one) => URL_LABEL.test(one))
}

function isPublic([a = 0, b = 0, , d = 0]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a > 223 || d === 0 || d === 255) return false
  if ((a === 169 && b === 254) || (a === 192 && b === 168)) return false
  return !(a === 172 && b >= 16 && b <= 31)
}

function regex(text: string): boolean {
  if (/[^\\]\\Z/.test(text)) return false
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}

function ofText(test: (text: string) => boolean, most = MAX_CHARACTERS): Format {
  return (value, budget) => {
    if (typeof value !== 'string') return true
    if (value.length > most) return false
    spend(budget, 8 + value.length)
    return test(value)
  }
}

function ofNumber(test: (value: number) => boolean): Format {
  return (value) => typeof value !== 'number' || test(value)
}

function matching(pattern: RegExp): Format {
  return ofText((text) => pattern.test(text))
}

export const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['byte', ofText((text) => BYTE.test(text), Number.POSITIVE_INFINITY)],
  ['date', ofText(date)],
  ['date-time', ofText((text) => dateTime(text, true))],
  ['duration', matching(DURATION)],
  ['email', matching(EMAIL)],
  ['hostname', ofText(hostname)],
  ['int32', ofNumber((value) => Number.isInteger(value) && value === (value | 0))],
  ['int64', ofNumber(Number.isInteger)],
  ['ipv4', ofText(isIPv4)],
  ['ipv6', ofText(ipv6)],
  ['iso-date-time', ofText((text) => dateTime(text, false))],
  ['iso-time', ofText((text) => time(text, false))],
  ['json-pointer', matching(POINTER)],
  ['json-pointer-uri-fragment', matching(POINTER_FRAGMENT)],
  ['regex', ofText(regex)],
  ['relative-json-pointer', matching(RELATIVE_POINTER)],
  ['time', ofText((text) => time(text, true))],
  ['uri', ofText((text) => uri(text, true))],
  ['uri-reference', ofText((text) => uri(text, false))],
  ['uri-template', matching(TEMPLATE)],
  ['url', ofText(url)],
  ['uuid', matching(UUID)],
])
