/**
 * Secrets are shown when they are made and never again: not by any route, version, error, message
 * or log line.
 */
import { expect, test } from '@jest/globals'
import { makeCertificate } from '@posthorn/egress/certificate.fixture'
import { eventually } from '@posthorn/testing/eventually'
import { type Json, portal, tenant, usePortal } from './portal.fixture.ts'

usePortal('for-all-tests')

const client = makeCertificate({ name: 'client' })
const stranger = makeCertificate({ name: 'stranger' })
const ACCESS_KEY = 'AKIA-ACCESS-KEY-OF-THE-STORE'
const given: Record<string, string> = {
  'the first signing secret': 'whsec_Zmlyc3Qtc2VjcmV0LW9mLWFsbA==',
  'the second signing secret': 'whsec_c2Vjb25kLXNlY3JldC1vZi1hbGw=',
  'the key of the client certificate': keyText(client.key),
  'the key of another certificate': keyText(stranger.key),
  'the access key of the store': ACCESS_KEY,
  'the secret key of the store': 'the-secret-access-key-of-the-store',
}
const [first, second] = Object.values(given) as [string, string]

/** A line of the key that no other key has. */
function keyText(pem: string): string {
  return pem.split('\n')[2] as string
}

test('no secret is shown', async () => {
  const shown: string[] = []
  async function call(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await tenant.call(method, path, body)
    shown.push(`${method} ${path}: ${answer.text}`)
    return answer
  }
  const config = {
    url: 'https://shop.example/hook',
    eventTypes: ['order.*'],
    signingSecret: first,
    mtlsCert: client.cert,
    mtlsKey: client.key,
  }
  const created = await tenant.call('POST', '/endpoints', config)
  const id = created.body.id
  const { signingSecret, ...record } = created.body
  expect(signingSecret).toBe(first)
  shown.push(JSON.stringify(record))
  const path = `/endpoints/${id}`

  await call('PATCH', path, {
    timeoutMs: 1_000,
    signingSecret: second,
    mtlsKey: client.key,
    mtlsCert: client.cert,
  })
  const rotated = await tenant.call('POST', `${path}/rotate-secret`, { newSecret: first })
  expect(rotated.status).toBe(200)
  const made = await tenant.call('POST', `${path}/rotate-secret`)
  const secrets = { ...given, 'the secret that was made': made.body.signingSecret }
  await call('POST', `${path}/mtls`, { certPem: client.cert, keyPem: client.key })
  const storageConfig = {
    type: 's3',
    bucket: 'b',
    region: 'eu-1',
    endpoint: 'https://store.example',
    accessKeyId: ACCESS_KEY,
    secretAccessKey: given['the secret key of the store'],
  }
  expect(
    (await call('PATCH', path, { deliveryMode: 'storage', url: 'storage://mine', storageConfig }))
      .status,
  ).toBe(200)

  // These requests are refused, and their answers do not quote what was refused.
  const refusals = [
    ['PATCH', path, { mtlsCert: client.cert, mtlsKey: stranger.key }],
    ['PATCH', path, { mtlsCert: client.cert + client.key, mtlsKey: client.key }],
    ['PATCH', path, { signingSecret: `${first} ${second}`.repeat(5) }],
    ['PATCH', path, { secret: first }],
    ['POST', `${path}/mtls`, { certPem: client.key, keyPem: client.cert }],
    ['POST', `${path}/rotate-secret`, { newSecret: `${second} x`.repeat(9) }],
    ['PATCH', path, { storageConfig: { ...storageConfig, type: 'file' } }],
  ] as const
  for (const [method, url, body] of refusals) {
    expect([body, (await call(method, url, body)).status]).toEqual([body, 400])
  }

  for (const url of [
    path,
    '/endpoints',
    `${path}/versions`,
    `${path}/versions/1`,
    `${path}/versions/2`,
    `${path}/versions/3`,
    `${path}/versions/diff?v1=1&v2=3`,
    '/api-keys',
  ]) {
    expect([url, (await call('GET', url)).status]).toEqual([url, 200])
  }
  expect((await call('POST', `${path}/versions/1/rollback`)).status).toBe(200)
  const tested = await call('POST', `${path}/test`)
  await call('GET', `/events/${tested.body.id}/explain`)
  await call('GET', `/events/${tested.body.id}/deliveries`)
  const replay = await call('POST', `${path}/replay`, { since: '2020-01-01T00:00:00Z' })
  await eventually(async () => {
    expect((await call('GET', `/replays/${replay.body.id}`)).body.status).toBe('done')
  })
  for (const doing of ['pause', 'resume']) await call('POST', `${path}/${doing}`)

  const { rows } = await portal.pool.query('SELECT * FROM endpoint_versions')
  const stored = await portal.pool.query('SELECT * FROM endpoints')
  const places = {
    answers: shown.join('\n'),
    versions: JSON.stringify(rows),
    'the row': JSON.stringify(stored.rows),
    messages: JSON.stringify([portal.changes, portal.deliveries]),
    'log lines': JSON.stringify(portal.lines),
  }
  expect(places.answers).toContain('timeoutMs')
  expect(places['log lines']).toContain('event.accepted')
  const leaks = Object.entries(places).flatMap(([place, text]) =>
    Object.entries(secrets)
      .filter(([, secret]) => text.includes(secret))
      .map(([name]) => `${place}: ${name}`),
  )
  expect(leaks).toEqual([])
  // Nor is a sealed value shown, nor anything that looks like a private key or an API key.
  for (const place of ['answers', 'versions', 'messages', 'log lines'] as const) {
    expect(places[place]).not.toMatch(/s1:[0-9a-f]{8}:|PRIVATE KEY|ph_live_[A-Za-z0-9]{20}/)
  }

  await call('DELETE', `${path}/mtls`)
  expect((await tenant.call('DELETE', path)).status).toBe(204)
})
