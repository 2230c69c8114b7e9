/** The platforms from Harness to Heroku. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { verifyHelloSign } from '../platforms/hellosign.verifier.ts'
import { HEADER_NAME, SECRET, SHARED_SECRET } from '../schemes/config-keys.ts'
import { namedHeader } from '../schemes/static-credentials.ts'

export const haHe: readonly Preset[] = [
  {
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
  },
  {
    source: 'hcp-terraform',
    name: 'HCP Terraform',
    description: 'HCP Terraform / Terraform Enterprise run notifications.',
    mode: 'hmac',
    docs: 'https://developer.hashicorp.com/terraform/cloud-docs/workspaces/settings/notifications#notification-authenticity',
    configKeys: [SECRET],
    verify: bodyHmac('X-TFE-Notification-Signature', { algorithm: 'sha512' }),
    eventType: ['$.notifications[*].trigger'],
    deliveryId: ['{$.run_id}:{$.notifications[*].trigger}:{$.notifications[*].run_status}'],
    notes:
      'Give the notification a token and enter it as secret. The first, a verification, is an event like any other.',
  },
  {
    source: 'hcp-terraform-run-task',
    name: 'HCP Terraform Run Tasks',
    description: 'HCP Terraform run-task requests.',
    mode: 'hmac',
    docs: 'https://developer.hashicorp.com/terraform/cloud-docs/api-docs/run-tasks/run-tasks-integration',
    configKeys: [SECRET],
    verify: bodyHmac('X-TFC-Task-Signature', { algorithm: 'sha512' }),
    eventType: ['$.stage'],
    deliveryId: ['$.task_result_id'],
    accepted: { status: 200 },
    notes:
      'Give the run task an HMAC key and enter it as secret. Its result must be sent to HCP Terraform by whoever gets the event.',
  },
  {
    source: 'hellosign',
    name: 'Dropbox Sign (HelloSign)',
    description: 'Signature-request events with a hash of time and type inside the payload',
    mode: 'provider_specific',
    docs: 'https://developers.hellosign.com/docs/events/walkthrough/',
    configKeys: [
      {
        name: 'secret',
        secret: true,
        required: true,
        meaning: 'The API key of the account, or of the owner of the app.',
      },
    ],
    verify: { kind: 'odd', verify: verifyHelloSign },
    eventType: ['$.event.event_type'],
    deliveryId: [
      '{$.event.event_hash}:{$.signature_request.signature_request_id}:{$.event.event_metadata.related_signature_id}',
      '{$.event.event_hash}:{$.signature_request.signature_request_id}',
    ],
    accepted: { status: 200, body: 'Hello API Event Received', type: 'text/plain; charset=utf-8' },
    notes:
      'The signature covers the time and the type of the event, not the documents that it names: ask Dropbox Sign for these. The test that Dropbox Sign sends is an event like any other.',
  },
  {
    source: 'helpscout',
    name: 'Help Scout',
    description: 'Help Scout conversation, customer and tag webhooks.',
    mode: 'hmac',
    docs: 'https://developer.helpscout.com/webhooks/',
    configKeys: [SECRET],
    verify: bodyHmac('X-HelpScout-Signature', { algorithm: 'sha1', encoding: 'base64' }),
    eventType: ['$.headers.X-HelpScout-Event'],
    deliveryId: [],
  },
  {
    source: 'heroku',
    name: 'Heroku',
    description: 'Heroku app webhooks (releases, builds, formation, add-ons and so on).',
    mode: 'hmac',
    docs: 'https://devcenter.heroku.com/articles/app-webhooks',
    configKeys: [SECRET],
    verify: bodyHmac('Heroku-Webhook-Hmac-SHA256', { encoding: 'base64' }),
    eventType: ['$.webhook_metadata.event.include'],
    deliveryId: ['$.webhook_metadata.event.id'],
  },
]
