import { expect, test } from '@jest/globals'
import { generateKeyPairSync, sign } from 'node:crypto'
import { createPlatformVerifier } from '../platform-verifier.fixture.ts'
import { preset } from './circle.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const shown = JSON.stringify({
  data: { publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') },
})
const ADDRESS = 'https://api.circle.com/v2'
const { resultOf, answerTo } = createPlatformVerifier(preset, {
  [`${ADDRESS}/notifications/publicKey/wallet`]: (asking) => {
    if (asking?.headers['authorization'] !== 'Bearer api') throw new Error('401')
    return shown
  },
  [`${ADDRESS}/cpn/notifications/publicKey/network`]: shown,
})
const config = { api_key: 'api' }

function sent(id: string, body = '{}') {
  const signature = sign('sha256', Buffer.from('{}'), privateKey).toString('base64')
  return { headers: { 'X-Circle-Signature': signature, 'X-Circle-Key-Id': id }, body }
}

test('keys of both products are found, for whoever has an API key', async () => {
  expect(await resultOf(sent('wallet'), config)).toBe('verified')
  expect(await resultOf(sent('network'), config)).toBe('verified')
  expect(await resultOf(sent('wallet', '{ }'), config)).toBe('wrong_signature')
  expect(await resultOf(sent('wallet'), { api_key: 'other' })).toBe('unavailable')
  expect(await resultOf(sent('../../keys'), config)).toBe('unknown_key')
  expect(await resultOf({ body: '{}' }, config)).toBe('no_signature')
})

test('a handshake by HEAD is answered', () => {
  expect(answerTo({ method: 'HEAD' }, config)?.status).toBe(200)
})
