import { expect, test } from '@jest/globals'
import { generateKeyPairSync, sign } from 'node:crypto'
import { createPlatformVerifier } from '../platform-verifier.fixture.ts'
import { preset } from './paddle-classic.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const { resultOf } = createPlatformVerifier(preset)
const config = { public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString() }

function sent(fields: Record<string, string>, serialized: string) {
  const p_signature = sign('sha1', Buffer.from(serialized), privateKey).toString('base64')
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, p_signature }).toString(),
  }
}

test('what PHP’s serialize() makes of the fields is signed, with lengths in bytes', async () => {
  const serialized = 'a:2:{s:10:"alert_name";s:4:"sent";s:4:"name";s:8:"Zoë €";}'
  const fields = { name: 'Zoë €', alert_name: 'sent' }
  expect(await resultOf(sent(fields, serialized), config)).toBe('verified')
  const changed = sent({ ...fields, name: 'Zoé €' }, serialized)
  expect(await resultOf(changed, config)).toBe('wrong_signature')
  const added = sent({ ...fields, other: '1' }, serialized)
  expect(await resultOf(added, config)).toBe('wrong_signature')
  expect(await resultOf({ body: 'p_signature=x' }, config)).toBe('no_signature')
})
