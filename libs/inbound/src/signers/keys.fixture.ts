/**
 * Keys, certificates and JSON Web Tokens for signers of platforms that sign with a private key.
 * They are made anew in each run.
 */
import {
  createHmac,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign as signBytes,
} from 'node:crypto'

export type KeyKind = 'rsa' | 'ec' | 'ed25519'

interface Pair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const made = new Map<string, Pair>()

/** @param name as in `rsa:1` */
export function keyPairOf(name: string): Pair {
  const known = made.get(name)
  if (known !== undefined) return known
  const pair = generate(name.split(':')[0] as KeyKind)
  made.set(name, pair)
  return pair
}

function generate(kind: KeyKind): Pair {
  if (kind === 'rsa') return generateKeyPairSync('rsa', { modulusLength: 2048 })
  if (kind === 'ec') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return generateKeyPairSync('ed25519')
}

export function namesOf(kind: KeyKind): readonly [string, string] {
  return [`${kind}:1`, `${kind}:2`]
}

/** Key 3 belongs to nobody: it claims to be key 1. */
export function idOf(name: string): string {
  return name.endsWith(':3') ? 'key-1' : `key-${name.split(':')[1]}`
}

export function pem(name: string): string {
  return keyPairOf(name).publicKey.export({ type: 'spki', format: 'pem' }).toString()
}

export function spki(name: string): string {
  return keyPairOf(name).publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
}

/** The 32 bytes of an Ed25519 key. */
export function rawKey(name: string): Buffer {
  const der = keyPairOf(name).publicKey.export({ type: 'spki', format: 'der' })
  return der.subarray(der.length - 32)
}

export function signature(hash: string | null, text: string, name: string): Buffer {
  return signBytes(hash, Buffer.from(text), keyPairOf(name).privateKey)
}

export function keySet(kind: KeyKind): string {
  return JSON.stringify({ keys: namesOf(kind).map(jwkOf) })
}

export function jwkOf(name: string): Record<string, unknown> {
  const algorithms = { rsa: 'RS256', ec: 'ES256', ed25519: 'EdDSA' }
  const alg = algorithms[name.split(':')[0] as KeyKind]
  const jwk = keyPairOf(name).publicKey.export({ format: 'jwk' })
  return { ...jwk, kid: idOf(name), use: 'sig', alg }
}

function part(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return Buffer.from(text).toString('base64url')
}

const SAME = (text: string) => text

/** A token signed with a shared secret. */
export function macToken(claims: unknown, secret: string, touch = SAME, alg = 'HS256'): string {
  const content = `${part({ alg, typ: 'JWT' })}.${part(claims)}`
  const hash = alg.replace('HS', 'sha')
  return `${content}.${touch(createHmac(hash, secret).update(content).digest('base64url'))}`
}

/** A token signed with a private key: RS256, RS512, ES256 or EdDSA. */
export function keyToken(claims: unknown, name: string, touch = SAME, alg = 'RS256'): string {
  const content = `${part({ alg, typ: 'JWT', kid: idOf(name) })}.${part(claims)}`
  return `${content}.${touch(jwsSignature(content, name, alg))}`
}

export function jwsSignature(content: string, name: string, alg: string): string {
  const key = keyPairOf(name).privateKey
  const hash = alg === 'EdDSA' ? null : alg.endsWith('512') ? 'sha512' : 'sha256'
  const options = alg.startsWith('ES') ? { key, dsaEncoding: 'ieee-p1363' as const } : key
  return signBytes(hash, Buffer.from(content), options).toString('base64url')
}

function der(tag: number, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((one) => Buffer.from(one as string)))
  const { length } = content
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

/** An X.509 certificate that a key has signed for itself. */
export function certificate(name: string, commonName: string): string {
  const { publicKey } = keyPairOf(name)
  const sha256WithRsa = der(
    0x30,
    der(0x06, Buffer.from('2a864886f70d01010b', 'hex')),
    Buffer.from('0500', 'hex'),
  )
  const attribute = der(0x30, der(0x06, Buffer.from('550403', 'hex')), der(0x0c, commonName))
  const subject = der(0x30, der(0x31, attribute))
  const content = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    sha256WithRsa,
    subject,
    der(0x30, der(0x17, '200101000000Z'), der(0x17, '491231235959Z')),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signed = signBytes('sha256', content, keyPairOf(name).privateKey)
  const bits = der(0x03, Buffer.concat([Buffer.from([0]), signed]))
  const lines =
    der(0x30, content, sha256WithRsa, bits)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
