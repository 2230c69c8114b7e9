/**
 * Certificates for the tests of TLS, made here because Node can read certificates and not write
 * them.
 */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

export interface Certificate {
  cert: string
  key: string
  issuer: { name: string; key: KeyObject }
}

export interface CertificateOptions {
  name: string
  /** Names and addresses that the certificate is for. */
  altNames?: readonly string[]
  signedBy?: Certificate
  /** Default: `ec`. XML signatures need `rsa`. */
  keyType?: 'ec' | 'rsa'
  validFrom?: Date
  validTo?: Date
}

const DAY_MS = 86_400_000
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const RSA_WITH_SHA256 = '1.2.840.113549.1.1.11'
const NULL = Buffer.from([0x05, 0x00])
const COMMON_NAME = '2.5.4.3'
const BASIC_CONSTRAINTS = '2.5.29.19'
const SUBJECT_ALT_NAME = '2.5.29.17'

/** Without `signedBy` it is an authority that signs itself. */
export function makeCertificate(options: CertificateOptions): Certificate {
  const { name, altNames = [], signedBy } = options
  const { publicKey, privateKey } =
    options.keyType === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = signedBy?.issuer ?? { name, key: privateKey }
  const from = options.validFrom ?? new Date(Date.now() - DAY_MS)
  const to = options.validTo ?? new Date(Date.now() + DAY_MS)
  const algorithm =
    issuer.key.asymmetricKeyType === 'rsa'
      ? sequence(oid(RSA_WITH_SHA256), NULL)
      : sequence(oid(ECDSA_WITH_SHA256))
  const constraints = signedBy ? sequence() : sequence(der(0x01, Buffer.from([0xff])))
  const extensions = [sequence(oid(BASIC_CONSTRAINTS), octets(constraints))]
  if (altNames.length > 0) {
    const names = sequence(...altNames.map(generalName))
    extensions.push(sequence(oid(SUBJECT_ALT_NAME), octets(names)))
  }
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    distinguishedName(issuer.name),
    sequence(time(from), time(to)),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, issuer.key)])
  const whole = sequence(body, algorithm, der(0x03, signature))
  const base64 = (whole.toString('base64').match(/.{1,64}/g) ?? []).join('\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    issuer: { name, key: privateKey },
  }
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content])
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts)
}

function octets(content: Buffer): Buffer {
  return der(0x04, content)
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const arc of rest) {
    const digits = [arc & 0x7f]
    for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80)
    bytes.push(...digits)
  }
  return der(0x06, Buffer.from(bytes))
}

function distinguishedName(name: string): Buffer {
  return sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(name)))))
}

function generalName(name: string): Buffer {
  if (isIP(name) === 4) return der(0x87, Buffer.from(name.split('.').map(Number)))
  return der(0x82, Buffer.from(name))
}

function time(date: Date): Buffer {
  const text = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return der(0x18, Buffer.from(text))
}
