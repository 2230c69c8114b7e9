/** An independent signer of Slack, written from its documents. */
import { FORM, type Handshake, mac, type Signer } from '../signers/signer.fixture.ts'

const slackChallenge: Handshake = {
  of: 'the URL',
  signed: true,
  request: {
    headers: {},
    body: '{"token":"J","challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P","type":"url_verification"}',
  },
  answer: { status: 200, body: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P' },
}

export const signers: readonly Signer[] = [
  mac({
    source: 'slack',
    header: 'X-Slack-Signature',
    signed: (body, t) => `v0:${t}:${body}`,
    show: (s) => `v0=${s}`,
    time: { unit: 's', header: 'X-Slack-Request-Timestamp', tolerance: 300 },
    body: {
      token: 'z',
      team_id: 'T',
      type: 'event_callback',
      event_id: 'Ev08MFMKH6',
      event: { type: 'app_mention', user: 'U' },
    },
    type: 'app_mention',
    id: 'Ev08MFMKH6',
    handshakes: [slackChallenge],
  }),
  mac({
    source: 'slack',
    variant: 'of a command',
    header: 'X-Slack-Signature',
    contentType: FORM,
    signed: (body, t) => `v0:${t}:${body}`,
    show: (s) => `v0=${s}`,
    time: { unit: 's', header: 'X-Slack-Request-Timestamp', tolerance: 300 },
    body: 'token=g&team_id=T0001&command=%2Fweather&text=94070&trigger_id=13345224609.738474920',
    type: '/weather',
  }),
]
