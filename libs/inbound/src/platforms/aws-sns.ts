/** The preset of Amazon SNS. */
import type { Preset } from '../preset.ts'
import { confirmSubscription, snsVerifier } from '../schemes/sns.ts'

export const preset: Preset = {
  source: 'aws-sns',
  name: 'Amazon SNS',
  description:
    'Amazon SNS HTTP/S subscriptions with RSA-signed messages and a subscription-confirmation handshake.',
  mode: 'asymmetric',
  docs: 'https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html',
  configKeys: [
    {
      name: 'topic_arn',
      secret: false,
      required: true,
      meaning:
        'The ARN of the topic that may send here: Amazon signs for everybody’s topics. Several for several topics.',
    },
  ],
  verify: { kind: 'custom', verify: snsVerifier(null), usesJsonBody: true },
  handshakes: [
    {
      when: {
        method: 'POST',
        equals: [{ at: { json: '$.Type' }, text: 'SubscriptionConfirmation' }],
      },
      signed: true,
      custom: confirmSubscription,
    },
  ],
  eventType: ['$.headers.x-amz-sns-message-type', '$.Type'],
  deliveryId: ['$.headers.x-amz-sns-message-id', '$.MessageId'],
  notes:
    'The subscription is confirmed by itself once its topic is the configured one. Leave raw message delivery off: it drops the signature.',
}
