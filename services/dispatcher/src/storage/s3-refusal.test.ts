import { expect, test } from '@jest/globals'
import { describeRefusal, withoutKey } from './s3-refusal.ts'

const PLACE = { bucket: 'events', accessKeyId: 'AKIA0000WXYZ' }

test.each([
  ['InvalidAccessKeyId', 403, 'the credentials are refused (InvalidAccessKeyId, status 403)'],
  ['SignatureDoesNotMatch', 403, 'the credentials are refused (SignatureDoesNotMatch, status 403)'],
  [
    'AccessDenied',
    403,
    'access denied: these credentials may not write to bucket events (AccessDenied, status 403)',
  ],
  [
    'Error: 403',
    403,
    'access denied: these credentials may not write to bucket events (no code, status 403)',
  ],
  ['NoSuchBucket', 404, 'there is no bucket events (NoSuchBucket, status 404)'],
  [
    'PermanentRedirect',
    301,
    'bucket events is in another region or at another endpoint (PermanentRedirect, status 301)',
  ],
  ['XMinioStorageFull', 507, 'the store is full (XMinioStorageFull, status 507)'],
  ['SlowDown', 503, 'the store is in trouble (SlowDown, status 503)'],
  ['UnknownError', 500, 'the store is in trouble (UnknownError, status 500)'],
  [
    'RequestTimeTooSkewed',
    403,
    'the clocks of the store and of this service differ (RequestTimeTooSkewed, status 403)',
  ],
  [
    'InvalidArgument',
    400,
    'the store refused the object: AWSAccessKeyId ***WXYZ is odd (InvalidArgument, status 400)',
  ],
])('%s %i: %s', (name, statusCode, told) => {
  const message = 'AWSAccessKeyId AKIA0000WXYZ is odd\nand more'
  expect(describeRefusal({ name, message }, statusCode, PLACE)).toBe(told)
})

test('without credentials, that is what it says', () => {
  const unsigned = { bucket: 'events', accessKeyId: null }
  const failure = { name: 'AccessDenied', message: '' }
  expect(describeRefusal(failure, 403, unsigned)).toBe(
    'access denied to bucket events: there are no credentials (AccessDenied, status 403)',
  )
})

test('a long message is cut', () => {
  const failure = { name: 'Odd', message: 'x'.repeat(1_000) }
  expect(describeRefusal(failure, 400, PLACE).length).toBeLessThan(400)
})

test('of a key no more is shown than its end, wherever it stands', () => {
  const body = '<Id>AKIA0000WXYZ</Id><String>AKIA0000WXYZ/x</String>'
  expect(withoutKey(body, 'AKIA0000WXYZ')).toBe('<Id>***WXYZ</Id><String>***WXYZ/x</String>')
  expect(withoutKey(body, null)).toBe(body)
})
