/**
 * Mercado Pago signs the id in the query, the id of the request, and the time; a missing part is
 * left out. Its documents write the id in lower case, its library as it came: either is accepted.
 * The body is not signed.
 */
import type { Preset } from '../preset.ts'
import type { RequestView } from '../request-view.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'mercado-pago',
  name: 'Mercado Pago',
  description: 'Mercado Pago payment, order and subscription notifications.',
  mode: 'provider_specific',
  docs: 'https://www.mercadopago.com/developers/en/docs/your-integrations/notifications/webhooks',
  configKeys: [{ ...SECRET, meaning: 'The secret signature of the application.' }],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'x-signature' },
      format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 'ts' },
    },
    signed: 'id:{query:data.id};request-id:{header:x-request-id};ts:{t};',
    content: mercadoPagoContent,
    timestamp: { at: 'signature', unit: 'auto', toleranceSeconds: 300 },
  },
  eventType: ['$.action', '$.type', '$.topic'],
  deliveryId: ['$.id', '$.headers.x-request-id'],
  accepted: { status: 200 },
  notes:
    'Mercado Pago signs the id in the URL and not the body: read what you need from its API. Notifications of QR codes are not signed and are refused.',
}

function mercadoPagoContent(view: RequestView, timestamp: string): string[] {
  const id = view.request.url.searchParams.get('data.id') ?? ''
  const ids = [...new Set([id, id.toLowerCase()])]
  return ids.map((one) =>
    [
      ['id', one],
      ['request-id', view.header('x-request-id') ?? ''],
      ['ts', timestamp],
    ]
      .flatMap(([name, value]) => (value === '' ? [] : `${name}:${value};`))
      .join(''),
  )
}
