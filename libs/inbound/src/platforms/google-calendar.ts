/** The preset of Google Calendar push. */
import type { Preset } from '../preset.ts'
import { WATCH_CHANNEL } from '../schemes/google-watch.ts'

export const preset: Preset = {
  source: 'google-calendar',
  name: 'Google Calendar push',
  description: 'Calendar watch-channel pings that repeat your channel token',
  mode: 'token',
  docs: 'https://developers.google.com/workspace/calendar/api/guides/push',
  ...WATCH_CHANNEL,
  notes:
    'The notification has no body: ask Google for what has changed. Make the channel with a token, or nothing proves who sends.',
}
