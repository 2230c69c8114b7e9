import { createPrivateKey } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { makeCertificate } from '@posthorn/egress/certificate.fixture'
import { checkMtlsPair } from './mtls-pair.ts'

const HOUR_MS = 3_600_000
const now = Date.now()
const authority = makeCertificate({ name: 'Authority' })
const client = makeCertificate({ name: 'client', signedBy: authority })
const other = makeCertificate({ name: 'other', signedBy: authority })

function refusal(cert: string, key: string): unknown {
  const check = checkMtlsPair(cert, key, now)
  return check.outcome === 'invalid' ? [check.part, check.reason] : check
}

describe('a pair that is accepted', () => {
  test('is kept as it was parsed', () => {
    expect(checkMtlsPair(client.cert, client.key, now)).toEqual({
      outcome: 'ok',
      pair: { cert: client.cert, key: client.key },
    })
  })

  test('may have a chain, and text around its blocks, which is not kept', () => {
    const chain = `Bag Attributes: x\r\n${client.cert}\n\nsubject=y\n${authority.cert}tail`
    const check = checkMtlsPair(chain, `\n${client.key}\n`, now)
    expect(check).toEqual({
      outcome: 'ok',
      pair: { cert: client.cert + authority.cert, key: client.key },
    })
  })

  test('may have its key in another form', () => {
    const key = createPrivateKey(client.key).export({ type: 'sec1', format: 'pem' }).toString()
    expect(key).toContain('EC PRIVATE KEY')
    expect(checkMtlsPair(client.cert, key, now)).toMatchObject({ pair: { key: client.key } })
  })
})

describe('a certificate is refused', () => {
  const at = (from: number, to: number): string =>
    makeCertificate({
      name: 'client',
      signedBy: authority,
      validFrom: new Date(now + from),
      validTo: new Date(now + to),
    }).cert

  test.each([
    ['that is none', 'nonsense', 'must be a certificate in PEM'],
    ['that is empty', '', 'must be a certificate in PEM'],
    [
      'that is cut short',
      client.cert.replace(/\n.*\n-----END/, '\n-----END'),
      'is not a certificate that can be read',
    ],
    [
      'with its key beside it',
      client.cert + client.key,
      'must contain certificates only, and no private key',
    ],
    [
      'with too many above it',
      client.cert + authority.cert.repeat(10),
      'must contain at most 10 certificates',
    ],
    ['that has expired', at(-2 * HOUR_MS, -HOUR_MS), expect.stringContaining('has expired: 20')],
    [
      'that is not in force yet',
      at(HOUR_MS, 2 * HOUR_MS),
      expect.stringContaining('is not valid before 20'),
    ],
  ])('%s', (_, cert, reason) => {
    expect(refusal(cert, client.key)).toEqual(['cert', reason])
  })
})

describe('a key is refused', () => {
  const sealed = createPrivateKey(client.key)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
    .toString()
  const unreadable = 'must be a private key in PEM that can be read, without a passphrase'

  test.each([
    ['that is none', 'nonsense', unreadable],
    ['that is a certificate', client.cert, unreadable],
    ['that is cut short', client.key.slice(0, 90), unreadable],
    ['with a passphrase', sealed, unreadable],
    ['of another certificate', other.key, 'is not the key of the certificate'],
  ])('%s', (_, key, reason) => {
    expect(refusal(client.cert, key)).toEqual(['key', reason])
  })
})
