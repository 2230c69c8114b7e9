/**
 * A platform of the test's own that publishes the key set by which one sender's tokens are
 * verified. The product trusts its certificate by `NODE_EXTRA_CA_CERTS`.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { makeCertificate } from '@posthorn/egress/certificate.fixture'

export interface KeyServer {
  /** Where the key set stands: at any path below, so that each can be a new one. */
  url: string
  /** A file with the authority that signed its certificate. */
  authorityPath: string
  /** A JSON Web Token of a FusionAuth webhook with this body. */
  tokenFor(body: string): string
  close(): Promise<void>
}

const KEY_ID = 'published'

/** @param dir where the authority's certificate is written */
export async function startKeyServer(dir: string): Promise<KeyServer> {
  const authority = makeCertificate({ name: 'adversary authority' })
  const names = { name: '127.0.0.1', altNames: ['127.0.0.1'] }
  const { cert, key } = makeCertificate({ ...names, signedBy: authority })
  const authorityPath = join(dir, 'authority.pem')
  await writeFile(authorityPath, authority.cert)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keySet = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: KEY_ID }] })
  const server = createServer({ cert, key }, (_, response) => response.end(keySet))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authorityPath,
    tokenFor(body) {
      const hash = createHash('sha256').update(body).digest('base64')
      const parts = [{ alg: 'ES256', kid: KEY_ID, typ: 'JWT' }, { request_body_sha256: hash }]
      const signed = parts.map(inBase64).join('.')
      const signature = sign('sha256', Buffer.from(signed), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      })
      return `${signed}.${signature.toString('base64url')}`
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

export function inBase64(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
