/**
 * An authenticator in software: it makes ES256 key pairs and signs as the Web Authentication
 * standard says, so that tests run without a browser. What it signs can be bent in each way that an
 * attacker could bend it. For tests.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export interface Ceremony {
  challenge: string
  origin: string
  rpId: string
  /** What is claimed instead of the right type. */
  type?: string
  /** Whether the person gave a PIN or a fingerprint; else only touched it. */
  userVerified?: boolean
  userHandle?: string
  counter?: number
  /** The format and the CBOR of an attestation statement instead of none. */
  attestation?: { format: string; statement: Buffer }
}

export interface SoftPasskey {
  id: string
  attest(ceremony: Ceremony): AttestedCredential
  assert(ceremony: Ceremony): AssertedCredential
}

interface AttestedCredential {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; attestationObject: string; transports: string[] }
}

interface AssertedCredential {
  id: string
  rawId: string
  type: 'public-key'
  response: {
    clientDataJSON: string
    authenticatorData: string
    signature: string
    userHandle?: string
  }
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_KEY = 0x40

export function createSoftPasskey(): SoftPasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0

  function authenticatorData(ceremony: Ceremony, attested: Buffer): Buffer {
    const flags =
      USER_PRESENT |
      (ceremony.userVerified === false ? 0 : USER_VERIFIED) |
      (attested.length > 0 ? HAS_KEY : 0)
    const count = Buffer.alloc(4)
    counter = ceremony.counter ?? counter + 1
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(ceremony.rpId), Buffer.from([flags]), count, attested])
  }

  return {
    id: id.toString('base64url'),

    attest(ceremony) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
      const { format, statement } = ceremony.attestation ?? {
        format: 'none',
        statement: Buffer.from([0xa0]),
      }
      const object = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText(format),
        cborText('attStmt'),
        statement,
        cborText('authData'),
        cborBytes(authenticatorData(ceremony, attested)),
      ])
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        response: {
          clientDataJSON: clientData(ceremony, 'webauthn.create').toString('base64url'),
          attestationObject: object.toString('base64url'),
          transports: ['internal'],
        },
      }
    },

    assert(ceremony) {
      const data = authenticatorData(ceremony, Buffer.alloc(0))
      const client = clientData(ceremony, 'webauthn.get')
      const signed = Buffer.concat([data, sha256(client)])
      const { userHandle } = ceremony
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          ...(userHandle === undefined ? {} : { userHandle }),
        },
      }
    },
  }
}

function clientData({ type, challenge, origin }: Ceremony, rightType: string): Buffer {
  return Buffer.from(JSON.stringify({ type: type ?? rightType, challenge, origin }))
}

/** `{1: 2, 3: -7, -1: 1, -2: x, -3: y}`: an ES256 key. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    cborBytes(Buffer.from(y, 'base64url')),
  ])
}

/** Fewer than 24 bytes. */
export function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
}

/** 24 to 65,535 bytes, with the shortest head, as authenticators write it. */
export function cborBytes(bytes: Buffer): Buffer {
  const [high, low] = [bytes.length >> 8, bytes.length & 0xff]
  const head = Buffer.from(high === 0 ? [0x58, low] : [0x59, high, low])
  return Buffer.concat([head, bytes])
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}
