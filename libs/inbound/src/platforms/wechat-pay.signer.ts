/** An independent signer of WeChat Pay, written from its documents. */
import { asymmetric } from '../signers/asymmetric.fixture.ts'
import { certificate } from '../signers/keys.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

const wechat = {
  id: '3119dfba',
  create_time: '2023-11-14T22:13:20+08:00',
  event_type: 'TRANSACTION.SUCCESS',
  resource_type: 'encrypt-resource',
  resource: {},
}

const wechatEvent = {
  source: 'wechat-pay',
  kind: 'rsa',
  hash: 'sha256',
  header: 'Wechatpay-Signature',
  headers: { 'Wechatpay-Nonce': 'EcZ9Cmy4', 'Wechatpay-Serial': 'D7CE59D1F522D701' },
  config: { public_key_serial: 'D7CE59D1F522D701' },
  pinned: { public_key_serial: 'D7CE59D1F522D701' },
  signed: (body: string, t: string) => `${t}\nEcZ9Cmy4\n${body}\n`,
  time: { unit: 's', header: 'Wechatpay-Timestamp', tolerance: 300 },
  body: wechat,
  type: 'TRANSACTION.SUCCESS',
  id: '3119dfba',
} as const

export const signers: readonly Signer[] = [
  asymmetric({ ...wechatEvent }),
  asymmetric({
    ...wechatEvent,
    variant: 'by a certificate',
    shown: (name) => certificate(name, 'Tenpay.com'),
  }),
]
