/** The handshake of WebSub's hubs. */
import type { Handshake } from './signer.fixture.ts'

export const hubQuestion = (extra = ''): Handshake => ({
  of: 'the subscription',
  request: {
    method: 'GET',
    url: `?hub.mode=subscribe&hub.topic=https%3A%2F%2Fexample.com%2Ffeed&hub.challenge=9263&hub.lease_seconds=432000${extra}`,
    headers: {},
    body: '',
  },
  config: extra === '' ? { secret: 's' } : { secret: 's', verify_token: 'v' },
  answer: { status: 200, body: '9263' },
})
