/** The preset of Jumio. */
import type { Preset } from '../preset.ts'
import { URL_TOKEN } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'jumio',
  name: 'Jumio',
  description: 'Jumio verification callbacks; authenticated by source IP, not signed.',
  mode: 'token',
  docs: 'https://documentation.jumio.ai/',
  configKeys: [URL_TOKEN],
  verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
  eventType: ['$.workflowExecution.status', '$.callbackType', '$.verificationStatus'],
  deliveryId: ['{$.workflowExecution.id}:{$.workflowExecution.status}'],
  accepted: { status: 200 },
  notes:
    'Jumio signs nothing: the token in the URL is all that protects the inbound endpoint, for the sender’s address is not checked here. Ask Jumio for the result before you trust it.',
}
