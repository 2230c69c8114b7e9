import { expect, test } from '@jest/globals'
import { createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { createPlatformVerifier, NOW, requestOf } from '../platform-verifier.fixture.ts'
import { payloadOf } from '../payload.fixture.ts'
import { preset } from './quicknode.ts'

const { resultOf, answerTo } = createPlatformVerifier(preset)
const AT = String(NOW / 1000)

function sent(plain: string | Buffer, body: string | Buffer, encoding?: string) {
  const signature = createHmac('sha256', 's').update(`n${AT}`).update(plain).digest('hex')
  return {
    headers: {
      'x-qn-nonce': 'n',
      'x-qn-timestamp': AT,
      'x-qn-signature': signature,
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
    body,
  }
}

test('the body is signed before it is compressed', async () => {
  const config = { secret: 's' }
  expect(await resultOf(sent('{}', '{}'), config)).toBe('verified')
  expect(await resultOf(sent('{}', gzipSync('{}'), 'gzip'), config)).toBe('verified')
  expect(await resultOf(sent('{}', gzipSync('{ }'), 'gzip'), config)).toBe('wrong_signature')
  expect(await resultOf(sent('{}', '{}', 'gzip'), config)).toBe('wrong_signature')
})

test('a body that would unpack to over a megabyte is not unpacked', async () => {
  const large = Buffer.alloc(1024 * 1024 + 1)
  const swelling = sent(large, gzipSync(large), 'gzip')
  expect(await resultOf(swelling, { secret: 's' })).toBe('wrong_signature')
})

test('a ping is answered, and makes nothing else pass', () => {
  expect(answerTo({ body: '{"message":"PING"}' }, {})).toMatchObject({ status: 200 })
  expect(answerTo({ body: '{}' }, {})).toBeNull()
})

test('its event is the unpacked body, unless that would be too large', async () => {
  const read = async (body: Buffer) => {
    const request = requestOf({ headers: { 'content-encoding': 'GZIP' }, body })
    return (await payloadOf(request, preset)).text
  }
  expect(await read(gzipSync('{"block":1}'))).toBe('{"block":1}')
  expect(await read(Buffer.from('{"block":1}'))).toBe('{"block":1}')
  const swelling = gzipSync(Buffer.alloc(1024 * 1024 + 1))
  expect(await read(swelling)).toContain(swelling.toString('base64'))
})
