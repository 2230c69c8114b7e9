/** Google’s notifications of changes to a watched resource, alike for its products. */
import { type Signer, token } from './signer.fixture.ts'

const channel = {
  'X-Goog-Channel-ID': '4ba78bf0-6a47-11e2-bcfd-0800200c9a66',
  'X-Goog-Message-Number': '10',
  'X-Goog-Resource-ID': 'ret08u3rv24htgh289g',
  'X-Goog-Resource-State': 'exists',
  'X-Goog-Resource-URI': 'https://www.googleapis.com/calendar/v3/calendars/a/events',
}
/** A message's number counts within its channel: without the channel it is no id. */
export function googleWatch(source: string): Signer {
  return token({
    source,
    header: 'X-Goog-Channel-Token',
    headers: channel,
    config: { channel_id: channel['X-Goog-Channel-ID'] },
    pinned: { channel_id: channel['X-Goog-Channel-ID'] },
    body: '',
    contentType: 'application/json',
    type: 'exists',
    id: `${channel['X-Goog-Channel-ID']}:10`,
  })
}
