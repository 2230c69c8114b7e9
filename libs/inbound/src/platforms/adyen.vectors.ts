/** Requests of Adyen (standard webhooks) that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'adyen',
    from: 'Adyen’s documents, verify HMAC signatures',
    credentials: { secret: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056' },
    headers: {},
    body: '{"notificationItems":[{"NotificationRequestItem":{"pspReference":"7914073381342284","merchantAccountCode":"TestMerchant","merchantReference":"TestPayment-1407325143704","amount":{"value":1130,"currency":"EUR"},"eventCode":"AUTHORISATION","success":"true","additionalData":{"hmacSignature":"coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0="}}}]}',
  },
  {
    source: 'adyen',
    from: 'adyen-node-api-library, src/__tests__/hmacValidator.spec.ts',
    credentials: { secret: 'DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00' },
    headers: {},
    body: '{"notificationItems": [{"NotificationRequestItem": {"pspReference": "pspReference", "originalReference": "originalReference", "merchantAccountCode": "merchantAccount", "merchantReference": "reference", "amount": {"value": 1000, "currency": "EUR"}, "eventCode": "EVENT", "success": "true", "additionalData": {"hmacSignature": "ipnxGCaUZ4l8TUW75a71/ghd2Fe5ffvX0pV4TLTntIc="}}}]}',
  },
]
