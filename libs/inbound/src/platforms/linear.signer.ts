/** An independent signer of Linear, written from its documents. */
import { hmac, mac, type Signer } from '../signers/signer.fixture.ts'

const linearHeaders = {
  'Linear-Delivery': '234d1a4e-b617-4388-90fe-adc3633d6b72',
  'Linear-Event': 'Issue',
}

export const signers: readonly Signer[] = [linearSigner()]

/** The time stands in the signed body. */
function linearSigner(): Signer {
  const base = mac({
    source: 'linear',
    header: 'Linear-Signature',
    headers: linearHeaders,
    body: {
      action: 'create',
      type: 'Issue',
      createdAt: '2023-11-14T22:13:20.000Z',
      data: { id: '2174' },
      webhookId: 'w',
    },
    type: 'Issue',
    id: linearHeaders['Linear-Delivery'],
    time: { unit: 'ms', tolerance: 60 },
  })
  return {
    ...base,
    sign({ body, now, shown, secret, touch }) {
      const at = (time: number) => JSON.stringify({ ...JSON.parse(body), webhookTimestamp: time })
      return {
        body: at(shown),
        headers: {
          'Content-Type': 'application/json',
          ...linearHeaders,
          'Linear-Signature': touch(hmac(secret, at(now))),
        },
      }
    },
  }
}
