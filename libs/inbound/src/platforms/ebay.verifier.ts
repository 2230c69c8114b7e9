/**
 * eBay signs with a key that it shows, by its id, to applications with an access token; and it asks
 * for a handshake.
 */
import { createHash, type KeyObject, verify } from 'node:crypto'
import {
  type HandshakeAnswer,
  missing,
  rejected,
  step,
  unavailable,
  verified,
} from '../verification-result.ts'
import type { CustomVerifier, VerifierTools } from '../custom-verifier.ts'
import { readPublicKey } from '../public-keys.ts'
import { textsAt, type RequestView } from '../request-view.ts'
import { decode } from '../secrets.ts'

const HEADER = 'x-ebay-signature'
const TOKENS = new URL('https://api.ebay.com/identity/v1/oauth2/token')
const KEYS = 'https://api.ebay.com/commerce/notification/v1/public_key/'
const SCOPE = 'https://api.ebay.com/oauth/api_scope'
const HASH: Record<string, string> = { SHA1: 'sha1', SHA256: 'sha256' }

export const verifyEbay: CustomVerifier = async (view, tools) => {
  const text = view.header(HEADER)
  if (text === undefined) return rejected('no_signature', missing('signature', `header ${HEADER}`))
  const { kid, signature, digest } = fieldsOf(text)
  const hash = HASH[digest]
  const given = decode(signature, 'base64')
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(kid) || hash === undefined || given === null) {
    const found = step('signature', 'base64 of kid, signature and digest', 'not so', false)
    return rejected('malformed_signature', found)
  }
  const key = await findKey(kid, view, tools).catch(() => undefined)
  if (key === undefined) {
    const asked = step('public key', 'from eBay, with client_id', 'not to be had', false)
    return unavailable(asked)
  }
  const ok = key?.asymmetricKeyType === 'ec' && verify(hash, view.request.body, key, given)
  const compared = step('match', 'signature of the body', ok ? 'the same' : 'another', ok)
  return ok ? verified(compared) : rejected('wrong_signature', compared)
}

export function answerEbay(view: RequestView): HandshakeAnswer | null {
  const code = view.values({ query: 'challenge_code' })[0]
  const token = view.configured('verification_token')[0]
  if (code === undefined || token === undefined) return null
  const { origin, pathname } = view.request.url
  const endpoint = view.configured('endpoint_url')[0] ?? origin + pathname
  const hash = createHash('sha256').update(code).update(token).update(endpoint)
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ challengeResponse: hash.digest('hex') }),
  }
}

function fieldsOf(text: string): { kid: string; signature: string; digest: string } {
  const fields = parsed(Buffer.from(text, 'base64').toString('utf8'))
  const field = (name: string) => textsAt(`$.${name}`, fields)[0] ?? ''
  return { kid: field('kid'), signature: field('signature'), digest: field('digest') }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An access token of eBay's lasts two hours, twice as long as it is cached. */
async function findKey(
  kid: string,
  view: RequestView,
  tools: VerifierTools,
): Promise<KeyObject | null> {
  const pair = ['client_id', 'client_secret'].map((name) => view.configured(name)[0] ?? '')
  const credentials = Buffer.from(pair.join(':')).toString('base64')
  const granted = await tools.keys.text(TOKENS, {
    headers: {
      authorization: `Basic ${credentials}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: `grant_type=client_credentials&scope=${encodeURIComponent(SCOPE)}`,
  })
  const token = textsAt('$.access_token', JSON.parse(granted))[0] ?? ''
  const headers = { authorization: `Bearer ${token}` }
  const answer = await tools.keys.text(new URL(KEYS + kid), { headers })
  const text = textsAt('$.key', JSON.parse(answer))[0]
  return text === undefined ? null : readPublicKey(text)
}
