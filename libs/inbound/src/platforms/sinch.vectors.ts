/** Requests of Sinch (Conversation) that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'sinch',
    from: 'sinch-sdk-python, tests/unit/domains/conversation/v1/sinch_events',
    at: 1634579353000,
    credentials: { secret: 'foo_secret1234' },
    headers: {
      'x-sinch-webhook-signature': 'Yc+3R1pIS78xLASybulhs8BsSo9BPB3Pr92QCUoczfk=',
      'x-sinch-webhook-signature-nonce': '01FJA8B4A7BM43YGWSG9GBV067',
      'x-sinch-webhook-signature-timestamp': '1634579353',
    },
    body: '{"app_id":"01EB37HMH1M6SV18BSNS3G135H","accepted_time":"2020-11-17T15:09:11.659Z","project_id":"c36f3d3d-1513-2edd-ae42-11995557ff61","message_delivery_report":{"message_id":"01EQBC1A3BEK731GY4YXEN0C2R","conversation_id":"01EPYATA64TMNZ1FV02JKF12JF","status":"QUEUED_ON_CHANNEL","contact_id":"01EXA07N79THJ20WSN6AS30TMW"}}',
  },
]
