import { expect, test } from '@jest/globals'
import { createHmac } from 'node:crypto'
import { createPlatformVerifier } from '../platform-verifier.fixture.ts'
import { preset } from './hygraph.ts'

const { resultOf } = createPlatformVerifier(preset)

function sent(body: string | Buffer, text: string, environment = 'master', t = '1700000000000') {
  const content = `{"Body":${JSON.stringify(text)},"EnvironmentName":"master","TimeStamp":${t}}`
  const signature = createHmac('sha256', 'key').update(content).digest('base64')
  const header = `sign=${signature}, env=${environment}, t=${t}`
  return { headers: { 'gcms-signature': header }, body }
}

test('body, environment and time are bound by the signature', async () => {
  const key = { secret: 'key' }
  const body = '{ "operation": "publish", "é": 1 }'
  expect(await resultOf(sent(body, body), key)).toBe('verified')
  expect(await resultOf(sent(`${body} `, body), key)).toBe('wrong_signature')
  expect(await resultOf(sent(body, body, 'other'), key)).toBe('wrong_signature')
  expect(await resultOf(sent(body, body), { secret: 'other' })).toBe('wrong_signature')
  const bytes = Buffer.from([0x22, 0xff, 0x22])
  expect(await resultOf(sent(bytes, bytes.toString('utf8')), key)).toBe('wrong_signature')
})
