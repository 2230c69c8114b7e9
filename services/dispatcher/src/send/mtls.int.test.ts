/** An endpoint that lets in only whom it knows by their certificate. */
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type Certificate, makeCertificate } from '@posthorn/egress/certificate.fixture'
import { createEgress, type Egress } from '@posthorn/egress/egress'
import { closeServers, startHttps, type TestServer } from '@posthorn/egress/servers.fixture'
import { createSeal, sealedAt } from '@posthorn/store/seal'
import { eventually } from '@posthorn/testing/eventually'
import { createRig, type Rig } from '../dispatcher.fixture.ts'

const authority = makeCertificate({ name: 'Test authority' })
const own = makeCertificate({ name: 'hook', altNames: ['127.0.0.1'], signedBy: authority })
const clients = ['client 1', 'client 2'].map((name) =>
  makeCertificate({ name, signedBy: authority }),
) as [Certificate, Certificate]

let rig: Rig
let egress: Egress
let server: TestServer
/** Whom the server let in, by the names in their certificates. */
const seen: string[] = []
beforeAll(async () => {
  rig = await createRig()
  egress = createEgress({ allowCidrs: ['127.0.0.0/8'], ca: [authority.cert] })
  await rig.start({ egress })
  const { cert, key } = own
  const demanding = { cert, key, ca: authority.cert, requestCert: true, rejectUnauthorized: true }
  server = await startHttps(demanding, (request, response) => {
    seen.push((request.socket as TLSSocket).getPeerCertificate().subject.CN as string)
    request.resume().on('end', () => response.end('ok'))
  })
})
afterAll(async () => {
  await rig.close()
  await egress.close()
  await closeServers()
})
beforeEach(() => {
  seen.length = 0
})

/** As the API does; the last statement makes the dispatcher hear of it. */
async function present(
  endpointId: string,
  client: Certificate | null,
  seal = rig.seal,
): Promise<void> {
  await rig.pool.query('UPDATE endpoints SET mtls_cert = $2, mtls_key = $3 WHERE id = $1', [
    endpointId,
    client?.cert ?? null,
    client === null
      ? null
      : seal.seal(client.key, sealedAt('endpoints.mtls_key', rig.tenantId, endpointId)),
  ])
  await rig.setStatus(endpointId, 'active')
}

async function firstTry(endpointId: string): Promise<{ status_code: number; error: string }> {
  const { deliveryId } = await rig.deliver({ endpointId })
  return await eventually(async () => {
    const [attempt] = await rig.attempts(deliveryId)
    if (attempt === undefined) throw new Error('not tried yet')
    return attempt
  })
}

test('is shown the certificate that is set at the moment, and none that is not', async () => {
  const endpointId = await rig.addEndpoint({ url: server.origin })
  expect((await firstTry(endpointId)).error).toMatch(/^(tls|reset): /)
  expect(seen).toEqual([])

  await present(endpointId, clients[0])
  expect(await firstTry(endpointId)).toMatchObject({ status_code: 200, error: '' })
  expect(await firstTry(endpointId)).toMatchObject({ status_code: 200, error: '' })
  await present(endpointId, clients[1])
  expect(await firstTry(endpointId)).toMatchObject({ status_code: 200, error: '' })
  expect(seen).toEqual(['client 1', 'client 1', 'client 2'])

  await present(endpointId, null)
  expect((await firstTry(endpointId)).error).toMatch(/^(tls|reset): /)
  expect(seen).toHaveLength(3)
})

test('two endpoints at one server are two clients', async () => {
  const endpoints = [
    await rig.addEndpoint({ url: server.origin }),
    await rig.addEndpoint({ url: server.origin }),
  ]
  for (const [index, endpointId] of endpoints.entries()) {
    await present(endpointId, clients[index] as Certificate)
  }
  for (const endpointId of [...endpoints, ...endpoints]) await firstTry(endpointId)
  expect(seen).toEqual(['client 1', 'client 2', 'client 1', 'client 2'])
})

test('a key that can not be opened is our own failure, and said so', async () => {
  const endpointId = await rig.addEndpoint({ url: server.origin })
  await present(endpointId, clients[0], createSeal([Buffer.alloc(32, 9).toString('base64')]))
  expect((await firstTry(endpointId)).error).toMatch(/^internal: .*MASTER_KEY/)
  expect(seen).toEqual([])
})

test('no key was logged', () => {
  const logged = JSON.stringify(rig.lines, (_, value) =>
    value instanceof Error ? `${value.stack} ${String(value.cause)}` : value,
  )
  expect(logged).toContain('attempt.finished')
  expect(logged).toContain('secret.not-opened')
  expect(logged).not.toContain('PRIVATE KEY')
  for (const { key } of clients) expect(logged).not.toContain(key.split('\n')[1])
})
