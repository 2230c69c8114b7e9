/** Circle shows its public keys, by their id, to customers with an API key. */
import type { KeyObject } from 'node:crypto'
import { isSigned } from '../asymmetric.ts'
import { verifySigned } from '../hmac.ts'
import { missing, rejected, step, unavailable } from '../verification-result.ts'
import type { CustomVerifier } from '../custom-verifier.ts'
import { readPublicKey } from '../public-keys.ts'
import { textsAt } from '../request-view.ts'

const SIGNATURE = 'X-Circle-Signature'
const KEY_ID = 'X-Circle-Key-Id'
/**
 * The addresses of keys for wallets and for the payments network: nothing in the request says which
 * of the two it is.
 */
const ADDRESSES = [
  'https://api.circle.com/v2/notifications/publicKey/',
  'https://api.circle.com/v2/cpn/notifications/publicKey/',
]

export const verifyCircle: CustomVerifier = async (view, tools) => {
  if (view.header(SIGNATURE) === undefined) {
    return rejected('no_signature', missing('signature', `header ${SIGNATURE}`))
  }
  const id = view.header(KEY_ID) ?? ''
  if (!/^[A-Za-z0-9-]{1,64}$/.test(id)) {
    return rejected('unknown_key', missing('key id', `header ${KEY_ID}`))
  }
  const headers = { authorization: `Bearer ${view.configured('api_key')[0] ?? ''}` }
  let key: KeyObject | null | undefined
  for (const address of ADDRESSES) {
    key ??= await tools.keys.text(new URL(address + id), { headers }).then(keyIn, () => undefined)
  }
  if (key === undefined) {
    return unavailable(step('public key', 'from Circle, with api_key', 'not to be had', false))
  }
  return await verifySigned(
    { signature: { at: { header: SIGNATURE } }, encoding: 'base64', signed: '{body}' },
    view,
    async (signatures) => {
      if (key?.asymmetricKeyType !== 'ec') return false
      const contents = [view.request.body]
      return await isSigned({ hash: 'sha256', contents, keys: [key], signatures }, view.yieldAfter)
    },
  )
}

function keyIn(answer: string): KeyObject | null {
  const text = textsAt('$.data.publicKey', JSON.parse(answer))[0]
  return text === undefined ? null : readPublicKey(text)
}
