/** An independent signer of SurveyMonkey, written from its documents. */
import { hmac, mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [surveyMonkey()]

function surveyMonkey(): Signer {
  const base = mac({
    source: 'surveymonkey',
    header: 'Sm-Signature',
    digest: ['sha1', 'base64'],
    headers: { 'Sm-Apikey': 'client-1' },
    body: {
      name: 'My Webhook',
      filter_type: 'survey',
      event_type: 'response_completed',
      event_id: '123456789',
    },
    type: 'response_completed',
    id: '123456789',
    handshakes: [
      {
        of: 'the URL',
        request: { method: 'HEAD', headers: {}, body: '' },
        answer: { status: 200 },
      },
    ],
  })
  return {
    ...base,
    config: (secret) => ({ client_id: 'client-1', secret }),
    pinned: { client_id: 'client-1' },
    sign: (ask) => {
      const sealed = ask.touch(hmac(`client-1&${ask.secret}`, ask.body, ['sha1', 'base64']))
      return {
        body: ask.body,
        headers: {
          'Content-Type': 'application/json',
          'Sm-Apikey': 'client-1',
          'Sm-Signature': sealed,
        },
      }
    },
  }
}
