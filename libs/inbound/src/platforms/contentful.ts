/** Contentful signs method, path, the headers that it names, and the body. */
import { escape } from 'node:querystring'
import type { Preset } from '../preset.ts'
import type { RequestView } from '../request-view.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'contentful',
  name: 'Contentful',
  description: 'Contentful webhooks with request verification enabled.',
  mode: 'provider_specific',
  docs: 'https://www.contentful.com/developers/docs/webhooks/request-verification/',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'x-contentful-signature' } },
    signed: 'method, path, headers of x-contentful-signed-headers and body, a line each',
    content: contentfulContent,
    timestamp: {
      at: { header: 'x-contentful-timestamp' },
      unit: 'milliseconds',
      toleranceSeconds: 30,
    },
  },
  eventType: ['$.headers.X-Contentful-Topic'],
  deliveryId: [],
  notes:
    'Switch on request verification and enter its secret. Enter the URL of the inbound endpoint as it is shown: its path is signed.',
}

const MAX_HEADERS = 100

const NAMES = 'x-contentful-signed-headers'

const TIME = 'x-contentful-timestamp'

function contentfulContent(view: RequestView): Buffer[] {
  const { method, url, body } = view.request
  const names = (view.header(NAMES) ?? '').split(',').map((name) => name.trim().toLowerCase())
  // The time and the list of names must be among the signed headers, or they could be changed.
  if (!names.includes(TIME) || !names.includes(NAMES) || names.length > MAX_HEADERS) return []
  const headers = names
    .sort()
    .map((name) => `${name}:${(view.header(name) ?? '').trim()}`)
    .join(';')
  return pathsOf(url).map((path) =>
    Buffer.concat([Buffer.from(`${method}\n${path}\n${headers}\n`), body]),
  )
}

/**
 * Contentful's own library escapes the query before the whole path; its documents show it as it is.
 */
function pathsOf({ pathname, search }: URL): string[] {
  if (search.length < 2) return [pathname]
  return [encodeURI(`${pathname}?${escape(search.slice(1))}`), pathname + search]
}
