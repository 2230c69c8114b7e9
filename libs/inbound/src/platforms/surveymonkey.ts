/** The preset of SurveyMonkey. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'surveymonkey',
  name: 'SurveyMonkey',
  description: 'SurveyMonkey webhook callbacks.',
  mode: 'hmac',
  docs: 'https://api.surveymonkey.com/v3/docs#webhook-callbacks',
  configKeys: [
    {
      name: 'client_id',
      secret: false,
      required: true,
      meaning: 'The app’s client id; of an old app its API key.',
    },
    { ...SECRET, meaning: 'The app’s secret.' },
  ],
  verify: {
    kind: 'hmac',
    algorithm: 'sha1',
    encoding: 'base64',
    signature: { at: { header: 'Sm-Signature' } },
    signed: '{body}',
    key: { config: 'secret', prefix: '{config:client_id}&' },
  },
  handshakes: [{ when: { method: 'HEAD' }, answer: { status: 200 } }],
  eventType: ['$.event_type'],
  deliveryId: ['$.event_id'],
}
