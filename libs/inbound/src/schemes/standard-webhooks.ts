/**
 * Standard Webhooks (standardwebhooks.com), which many platforms have adopted, some with header
 * names of their own.
 */
import type { HmacRule, KeyAt } from '../verification-rules.ts'

/** @param prefix of the three headers: `webhook` or `svix` */
export function standardWebhooks(prefix: string, as: KeyAt['as'] = 'whsec'): HmacRule {
  return {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    signature: {
      at: { header: `${prefix}-signature` },
      format: { kind: 'list', separator: ' ', prefix: 'v1,' },
    },
    signed: `{header:${prefix}-id}.{t}.{body}`,
    key: { config: 'secret', as },
    timestamp: { at: { header: `${prefix}-timestamp` }, unit: 'seconds', toleranceSeconds: 300 },
  }
}
