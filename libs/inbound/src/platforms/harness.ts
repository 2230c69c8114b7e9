/** The preset of Harness. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, SHARED_SECRET } from '../schemes/config-keys.ts'
import { namedHeader } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'harness',
  name: 'Harness',
  description: 'Harness pipeline notification webhooks; authenticated only by headers you set.',
  mode: 'token',
  docs: 'https://developer.harness.io/docs/platform/notifications/send-notifications-using-webhook/',
  configKeys: [SHARED_SECRET, HEADER_NAME],
  verify: namedHeader(),
  eventType: ['$.eventData.eventType'],
  deliveryId: ['{$.eventData.planExecutionId}:{$.eventData.eventType}:{$.eventData.nodeStatus}'],
  notes:
    'Harness signs nothing: add a header to the notification (header_name and secret, Authorization when none is named). Not confirmed by the platform’s documents.',
}
