/** The preset of Atlassian Connect app webhooks. */
import type { Preset } from '../preset.ts'
import { learnInstallation, verifyConnect } from './atlassian-connect.verifier.ts'

export const preset: Preset = {
  source: 'atlassian-connect',
  name: 'Atlassian Connect app webhooks',
  description: 'Webhooks to Connect apps, authenticated by a JWT bound to the request line',
  mode: 'jwt',
  docs: 'https://developer.atlassian.com/cloud/jira/platform/understanding-jwt-for-connect-apps/',
  configKeys: [
    {
      name: 'shared_secret',
      secret: true,
      required: false,
      meaning:
        'Handed over when the app is installed, and kept then. Enter it only for an app that is installed already.',
    },
    {
      name: 'client_key',
      secret: false,
      required: false,
      meaning: 'The key of the site that may send here; kept when the app is installed.',
    },
    {
      name: 'base_url',
      secret: false,
      required: false,
      meaning:
        'The base URL of the app’s descriptor: the inbound endpoint’s URL, or a beginning of it. Needed for the installation.',
    },
  ],
  verify: { kind: 'custom', verify: verifyConnect, usesJsonBody: true, headers: ['Authorization'] },
  handshakes: [
    {
      when: { method: 'POST', equals: [{ at: { json: '$.eventType' }, text: 'installed' }] },
      signed: true,
      custom: learnInstallation,
    },
  ],
  eventType: ['$.webhookEvent', '$.event'],
  deliveryId: [],
  notes:
    'The first site that installs the app is the one that may send; others need inbound endpoints of their own. The token binds method, path and query, not the body.',
}
