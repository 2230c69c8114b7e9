/** The preset of Amazon Sns. */
import type { Preset } from '../preset.ts'
import { confirmSubscription, snsVerifier } from '../schemes/sns.ts'

export const preset: Preset = {
  source: 'amazon-sns',
  name: 'Amazon Sns',
  description:
    'Amazon SNS HTTPS subscriptions (used by Circle Mint, SES and other AWS notifications).',
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
  verify: { kind: 'custom', verify: snsVerifier(3600), usesJsonBody: true },
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
    'The subscription is confirmed by itself once its topic is the configured one. Leave raw message delivery off: it drops the signature. A message that is older than an hour is refused.',
}
