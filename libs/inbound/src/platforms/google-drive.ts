/** The preset of Google Drive push. */
import type { Preset } from '../preset.ts'
import { WATCH_CHANNEL } from '../schemes/google-watch.ts'

export const preset: Preset = {
  source: 'google-drive',
  name: 'Google Drive push',
  description: 'Drive watch-channel pings that repeat your channel token',
  mode: 'token',
  docs: 'https://developers.google.com/workspace/drive/api/guides/push',
  ...WATCH_CHANNEL,
  notes:
    'The notification says little more than that something has changed: ask Google for it. Make the channel with a token, or nothing proves who sends.',
}
