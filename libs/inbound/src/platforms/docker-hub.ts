/** The preset of Docker Hub. */
import type { Preset } from '../preset.ts'
import { URL_TOKEN } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'docker-hub',
  name: 'Docker Hub',
  description: 'Docker Hub repository push webhooks; unsigned.',
  mode: 'token',
  docs: 'https://docs.docker.com/docker-hub/repos/manage/webhooks/',
  configKeys: [URL_TOKEN],
  verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
  eventType: [],
  deliveryId: [],
  notes:
    'Docker Hub signs nothing: the token in the URL is all that protects the inbound endpoint. Every event is a push of an image.',
}
