/** Hygraph signs a JSON object that it makes for the purpose, with the body as a text in it. */
import type { Preset } from '../preset.ts'
import { isSwelling } from '../read-json.ts'
import type { RequestView } from '../request-view.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'hygraph',
  name: 'Hygraph',
  description: 'Hygraph (formerly GraphCMS) content webhooks.',
  mode: 'provider_specific',
  docs: 'https://hygraph.com/docs/api-reference/basics/webhooks',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    signature: {
      at: { header: 'gcms-signature' },
      format: { kind: 'fields', separator: ',', signature: 'sign', timestamp: 't' },
    },
    signed: '{"Body":…,"EnvironmentName":…,"TimeStamp":…}',
    content: hygraphContent,
    timestamp: { at: 'signature', unit: 'milliseconds', toleranceSeconds: null },
  },
  eventType: ['$.operation'],
  deliveryId: [],
}

async function hygraphContent(view: RequestView, timestamp: string): Promise<string[]> {
  const text = view.request.body.toString('utf8')
  // All bytes that are no text would decode to the same replacement character: such a body was not
  // signed.
  const isText = Buffer.from(text).equals(view.request.body)
  if (!isText || !/^\d{1,15}$/.test(timestamp)) return []
  if (await isSwelling(view.request.body)) return []
  const header = view.header('gcms-signature') ?? ''
  const environment = /(?:^|,)\s*env=([^,]*)/.exec(header)?.[1]?.trim()
  return [
    JSON.stringify({ Body: text, EnvironmentName: environment, TimeStamp: Number(timestamp) }),
  ]
}
