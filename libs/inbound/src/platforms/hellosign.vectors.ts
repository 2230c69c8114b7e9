/** Requests of Dropbox Sign (HelloSign) that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'hellosign',
    from: 'hellosign/dropbox-sign-python, tests/test_event_callback_helper.py',
    credentials: { secret: '324e3b0840f065eb51f3fd63231d0d33daa35d4ed10d27718839e81737065782' },
    headers: { 'content-type': 'application/json' },
    body: '{"account_guid":"63522885f9261e2b04eea043933ee7313eb674fd","event":{"event_time":"1348177752","event_type":"account_confirmed","event_hash":"6dc5b7aad93cf54915e0089d6c31d61b3833f66f51459171c69f8fa211308848","event_metadata":{"related_signature_id":"ad4d8a769b555fa5ef38691465d426682bf2c992","reported_for_account_id":"63522885f9261e2b04eea043933ee7313eb674fd"}}}',
  },
  {
    source: 'hellosign',
    from: 'hellosign/dropbox-sign-python, tests/test_event_callback_helper.py',
    credentials: { secret: '324e3b0840f065eb51f3fd63231d0d33daa35d4ed10d27718839e81737065782' },
    headers: { 'content-type': 'application/json' },
    body: '{"account_guid":"63522885f9261e2b04eea043933ee7313eb674fd","event":{"event_time":"1348177752","event_type":"unknown_error","event_hash":"c574f5d3090c2936360b4e36cf6835cf3e2206b84fdc6347e6b28ca721ae1371","event_metadata":{"related_signature_id":"ad4d8a769b555fa5ef38691465d426682bf2c992","reported_for_account_id":"63522885f9261e2b04eea043933ee7313eb674fd"}}}',
  },
]
