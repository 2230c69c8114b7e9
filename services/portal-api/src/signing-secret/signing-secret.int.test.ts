import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { request } from 'node:http'
import { sealedAt } from '@posthorn/store/seal'
import { createTestDatabase } from '@posthorn/testing/databases'
import { type Json, startTestPortal, type TestPortal } from '../portal.fixture.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await startTestPortal(await createTestDatabase())
})
afterAll(async () => await portal.close())

async function stored(tenantId: string): Promise<Json> {
  return (await portal.pool.query('SELECT * FROM tenants WHERE id = $1', [tenantId])).rows[0]
}

function opened(row: Json, column: 'signing_secret' | 'previous_signing_secret'): string {
  return portal.seal.open(row[column], sealedAt(`tenants.${column}`, row.id))
}

test('is shown to its own tenant', async () => {
  const [one, two] = [await portal.addTenant(), await portal.addTenant()]
  expect((await one.call('GET', '/signing-secret')).body).toEqual({
    signingSecret: one.secret,
    previousValidUntil: null,
  })
  expect((await two.call('GET', '/signing-secret')).body.signingSecret).toBe(two.secret)
})

test('a rotation makes one, keeps the old one for its grace, and seals both', async () => {
  const { tenantId, secret, call } = await portal.addTenant()
  portal.changes.length = 0
  const rotated = await call('POST', '/signing-secret/rotate', {})
  expect(rotated.status).toBe(200)
  expect(rotated.body.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/=]{32}$/)
  expect(rotated.body.signingSecret).not.toBe(secret)
  const graceMs = Date.parse(rotated.body.previousValidUntil) - Date.now()
  expect(Math.abs(graceMs - 3_600_000)).toBeLessThan(10_000)
  expect((await call('GET', '/signing-secret')).body).toEqual(rotated.body)

  const row = await stored(tenantId)
  expect(opened(row, 'signing_secret')).toBe(rotated.body.signingSecret)
  expect(opened(row, 'previous_signing_secret')).toBe(secret)
  expect(await portal.configVersion(tenantId)).toBe(2)
  expect(portal.changes).toEqual([{ v: 1, tenantId, what: 'secrets' }])
})

test('a given secret is taken, and without a grace the old one ends at once', async () => {
  const { tenantId, call } = await portal.addTenant()
  const newSecret = 'sixteen-characters'
  const rotated = await call('POST', '/signing-secret/rotate', { newSecret, gracePeriodMinutes: 0 })
  expect(rotated.body).toEqual({ signingSecret: newSecret, previousValidUntil: null })
  expect(await stored(tenantId)).toMatchObject({
    previous_signing_secret: null,
    previous_valid_until: null,
  })
})

test('without a body, or with an empty one without Content-Length, a rotation has a grace of an hour', async () => {
  const { call, key } = await portal.addTenant()
  const none = await call('POST', '/signing-secret/rotate')
  expect(none.status).toBe(200)
  const graceMs = Date.parse(none.body.previousValidUntil) - Date.now()
  expect(Math.abs(graceMs - 3_600_000)).toBeLessThan(10_000)

  const chunked = await new Promise<number>((resolve, reject) => {
    const url = new URL(`${portal.url}/api/v1/signing-secret/rotate`)
    const headers = { 'X-API-Key': key, 'Transfer-Encoding': 'chunked' }
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject)
    sent.end()
  })
  expect(chunked).toBe(200)
  // A body without the content type of JSON is refused rather than ignored.
  const unsaid = await call('POST', '/signing-secret/rotate', {}, { 'Content-Type': '' })
  expect(unsaid.status).toBe(415)
})

test('any characters make a secret, and its hint cuts none in half', async () => {
  const { call } = await portal.addTenant()
  const newSecret = 'ключ от двери 鍵\u{1f511}\u{1f511}\u{1f511}'
  const rotated = await call('POST', '/signing-secret/rotate', { newSecret })
  expect(rotated.body.signingSecret).toBe(newSecret)
  expect((await call('GET', '/signing-secret')).body.signingSecret).toBe(newSecret)
  const endpoint = { url: 'https://a.example/', eventTypes: ['*'], signingSecret: newSecret }
  const created = await call('POST', '/endpoints', endpoint)
  expect(created.body).toMatchObject({
    signingSecret: newSecret,
    signingSecretHint: '鍵\u{1f511}\u{1f511}\u{1f511}',
  })
})

test('a grace period that is over is not shown', async () => {
  const { tenantId, call } = await portal.addTenant()
  await call('POST', '/signing-secret/rotate', {})
  await portal.pool.query(
    `UPDATE tenants SET previous_valid_until = now() - interval '1 second' WHERE id = $1`,
    [tenantId],
  )
  expect((await call('GET', '/signing-secret')).body.previousValidUntil).toBeNull()
})

test.each([
  [{ newSecret: 'short' }],
  [{ gracePeriodMinutes: -1 }],
  [{ gracePeriodMinutes: 1.5 }],
  [{ secret: 'x' }],
])('%j is refused', async (body) => {
  const { call } = await portal.addTenant()
  expect((await call('POST', '/signing-secret/rotate', body)).status).toBe(400)
})
