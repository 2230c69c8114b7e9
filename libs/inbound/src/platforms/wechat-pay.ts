/** The preset of WeChat Pay. */
import type { Preset } from '../preset.ts'
import { PUBLIC_KEY } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'wechat-pay',
  name: 'WeChat Pay',
  description: 'WeChat Pay API v3 payment notifications.',
  mode: 'asymmetric',
  docs: 'https://pay.weixin.qq.com/doc/v3/merchant/4012071382',
  configKeys: [
    {
      ...PUBLIC_KEY,
      meaning: 'WeChat Pay’s public key, or its platform certificate. Several while it is changed.',
    },
    {
      name: 'public_key_serial',
      secret: false,
      required: false,
      meaning:
        'The id of that key, or the certificate’s serial number; compared when it is set. Several while it is changed.',
    },
    {
      name: 'api_v3_key',
      secret: true,
      required: false,
      meaning: 'Not used: a notification goes on encrypted, for you to decrypt.',
    },
  ],
  verify: {
    kind: 'all',
    of: [
      {
        kind: 'asymmetric',
        algorithm: 'rsa-sha256',
        encoding: 'base64',
        signature: { at: { header: 'Wechatpay-Signature' } },
        signed: '{t}\n{header:Wechatpay-Nonce}\n{body}\n',
        key: { config: 'public_key' },
        timestamp: {
          at: { header: 'Wechatpay-Timestamp' },
          unit: 'seconds',
          toleranceSeconds: 300,
        },
      },
      {
        kind: 'token',
        at: { header: 'Wechatpay-Serial' },
        config: 'public_key_serial',
        needs: ['public_key_serial'],
      },
    ],
  },
  eventType: ['$.event_type'],
  deliveryId: ['$.id'],
  accepted: { status: 200 },
  notes:
    'WeChat Pay probes with signatures that must be refused, so a few rejections are no alarm.',
}
