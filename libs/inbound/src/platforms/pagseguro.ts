/** The preset of PagBank (PagSeguro). */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'pagseguro',
  name: 'PagBank (PagSeguro)',
  description: 'PagBank (PagSeguro) order and charge notifications.',
  mode: 'provider_specific',
  docs: 'https://developer.pagbank.com.br/reference/confirmar-autenticidade-da-notificacao',
  configKeys: [{ ...SECRET, meaning: 'The account’s API token.' }],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    bareHash: true,
    encoding: 'hex',
    signature: { at: { header: 'x-authenticity-token' } },
    signed: '{key}-{body}',
  },
  eventType: ['$.charges[0].status'],
  deliveryId: [],
  notes: 'The sandbox often sends no signature and is refused then.',
}
