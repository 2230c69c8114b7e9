/** Rotation of an endpoint's secret, and its client certificate. */
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { makeCertificate } from '@posthorn/egress/certificate.fixture'
import { createSeal, sealedAt } from '@posthorn/store/seal'
import { type Json, other, portal, tenant, usePortal } from '../portal.fixture.ts'

usePortal()
let id: string

const minimal = { url: 'https://shop.example/hook', eventTypes: ['order.*'] }
const OWN = 'whsec_dGhlLXNlY3JldC1vZi1vbmU='

beforeEach(async () => {
  const created = await tenant.call('POST', '/endpoints', { ...minimal, signingSecret: OWN })
  id = created.body.id
  portal.changes.length = 0
})

async function stored(endpointId = id): Promise<Json> {
  const { rows } = await portal.pool.query('SELECT * FROM endpoints WHERE id = $1', [endpointId])
  return rows[0]
}

function opened(
  row: Json,
  column: 'signing_secret' | 'previous_signing_secret' | 'mtls_key',
): string {
  return portal.seal.open(row[column], sealedAt(`endpoints.${column}`, row.tenant_id, row.id))
}

describe('a sealed text', () => {
  /** Sealed as the first version did, without binding it to a place. */
  function unbound(secret: string): string {
    const key = Buffer.alloc(32, 7)
    const name = createHash('sha256').update('posthorn master key').update(key)
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    const bytes = [iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]
    return `s1:${name.digest('hex').slice(0, 8)}:${Buffer.concat(bytes).toString('base64')}`
  }

  test('does not open in another row, column or tenant', async () => {
    await tenant.call('POST', `/endpoints/${id}/rotate-secret`, {})
    const row = await stored()
    const { body: second } = await tenant.call('POST', '/endpoints', minimal)
    const { body: foreign } = await other.call('POST', '/endpoints', minimal)
    for (const [rowId, column] of [
      [second.id, 'signing_secret'],
      [foreign.id, 'signing_secret'],
      [id, 'previous_signing_secret'],
    ] as const) {
      const move = `UPDATE endpoints SET ${column} = $1 WHERE id = $2`
      await portal.pool.query(move, [row.signing_secret, rowId])
      const moved = await stored(rowId)
      expect(() => opened(moved, column)).toThrow()
    }
    const global = sealedAt('tenants.signing_secret', tenant.tenantId)
    expect(() => portal.seal.open(row.signing_secret, global)).toThrow()
    expect(opened(await stored(), 'signing_secret')).not.toBe(OWN)
  })

  test('of the first version opens, and is bound to its place when its row is written', async () => {
    const fields = ['signing_secret', 'previous_signing_secret', 'mtls_key'] as const
    for (const [method, path, body] of [
      ['PATCH', `/endpoints/${id}`, { description: 'changed' }],
      ['POST', `/endpoints/${id}/versions/1/rollback`, undefined],
      ['DELETE', `/endpoints/${id}/mtls`, undefined],
      ['POST', `/endpoints/${id}/rotate-secret`, { gracePeriodMinutes: 5 }],
    ] as const) {
      await portal.pool.query(
        `UPDATE endpoints SET signing_secret = $1, previous_signing_secret = $2, mtls_key = $3,
          mtls_cert = 'c' WHERE id = $4`,
        [...fields.map(unbound), id],
      )
      const before = await stored()
      expect(fields.map((field) => opened(before, field))).toEqual(fields)
      expect((await tenant.call(method, path, body)).status).toBeLessThan(300)
      const row = await stored()
      const sealed = fields.map((field) => row[field]).filter((text) => text !== null)
      expect(sealed.length).toBeGreaterThan(1)
      for (const text of sealed) expect(text).toMatch(/^s2:/)
      const rotates = path.endsWith('rotate-secret')
      expect(opened(row, rotates ? 'previous_signing_secret' : 'signing_secret')).toBe(
        'signing_secret',
      )
    }
  })

  test('whose master key is lost blocks no change and no rotation', async () => {
    const former = createSeal([Buffer.alloc(32, 9).toString('base64')])
    const lost = former.seal('lost', sealedAt('endpoints.signing_secret', tenant.tenantId, id))
    await portal.pool.query('UPDATE endpoints SET signing_secret = $1 WHERE id = $2', [lost, id])
    // The key is not given, so it keeps its value, and it blocks no other change.
    const changed = await tenant.call('PATCH', `/endpoints/${id}`, { description: 'changed' })
    expect(changed.status).toBe(200)
    expect((await stored()).signing_secret).toBe(lost)
    const rotated = await tenant.call('POST', `/endpoints/${id}/rotate-secret`, {})
    expect(rotated.body.previousValidUntil).toBeNull()
    expect(opened(await stored(), 'signing_secret')).toBe(rotated.body.signingSecret)
  })
})

describe('a rotation', () => {
  async function rotate(body?: unknown, endpointId = id): Promise<Json> {
    return await tenant.call('POST', `/endpoints/${endpointId}/rotate-secret`, body)
  }

  test('makes a secret, and keeps the former one sealed for its grace', async () => {
    const rotated = await rotate({ gracePeriodMinutes: 5 })
    expect(rotated.status).toBe(200)
    const { signingSecret, previousValidUntil, ...shown } = rotated.body
    expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/=]{32}$/)
    expect(Math.abs(Date.parse(previousValidUntil) - Date.now() - 300_000)).toBeLessThan(10_000)
    expect(shown).toMatchObject({ version: 1, signingSecretHint: signingSecret.slice(-4) })
    expect((await tenant.call('GET', `/endpoints/${id}`)).body).toEqual(shown)

    const row = await stored()
    expect(opened(row, 'signing_secret')).toBe(signingSecret)
    expect(opened(row, 'previous_signing_secret')).toBe(OWN)
    expect(row.previous_valid_until.toISOString()).toBe(previousValidUntil)
    expect((await tenant.call('GET', `/endpoints/${id}/versions`)).body.data).toHaveLength(1)
    expect(portal.changes).toEqual([{ v: 1, tenantId: tenant.tenantId, what: 'secrets' }])
    expect(await portal.configVersion(tenant.tenantId)).toBe(3)
  })

  test('without a body has a grace of an hour', async () => {
    const { status, body } = await rotate()
    expect(status).toBe(200)
    expect(Math.abs(Date.parse(body.previousValidUntil) - Date.now() - 3_600_000)).toBeLessThan(
      10_000,
    )
  })

  test('takes the secret that is given, and without a grace ends the former one at once', async () => {
    const newSecret = 'sixteen-characters'
    const { body } = await rotate({ newSecret, gracePeriodMinutes: 0 })
    expect(body).toMatchObject({ signingSecret: newSecret, previousValidUntil: null })
    expect(await stored()).toMatchObject({
      previous_signing_secret: null,
      previous_valid_until: null,
    })
  })

  test('leads from the global secret to one of the endpoint’s own', async () => {
    const { body } = await tenant.call('POST', '/endpoints', minimal)
    const rotated = await rotate({}, body.id)
    const row = await stored(body.id)
    expect(opened(row, 'signing_secret')).toBe(rotated.body.signingSecret)
    expect(opened(row, 'previous_signing_secret')).toBe(tenant.secret)
    expect((await tenant.call('GET', '/signing-secret')).body.signingSecret).toBe(tenant.secret)
  })

  test('within the grace of another one keeps the last two', async () => {
    const first = await rotate({ gracePeriodMinutes: 60 })
    await rotate({ gracePeriodMinutes: 60 })
    const row = await stored()
    expect(opened(row, 'previous_signing_secret')).toBe(first.body.signingSecret)
  })

  test('two at once end with one secret and the other one before it', async () => {
    const answers = await Promise.all([rotate({}), rotate({})])
    const made = answers.map(({ body }: Json) => body.signingSecret)
    const row = await stored()
    const kept = (['previous_signing_secret', 'signing_secret'] as const).map((column) =>
      opened(row, column),
    )
    expect(kept.toSorted()).toEqual(made.toSorted())
  })

  test.each([
    [{ newSecret: 'short' }],
    [{ gracePeriodMinutes: -1 }],
    [{ gracePeriodMinutes: 43_201 }],
    [{ gracePeriodMinutes: '5' }],
    [{ secret: 'sixteen-characters' }],
  ])('with %j is refused', async (body) => {
    expect(await rotate(body)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
  })

  test('of another tenant’s endpoint there is none', async () => {
    expect((await other.call('POST', `/endpoints/${id}/rotate-secret`, {})).status).toBe(404)
  })
})

describe('a client certificate', () => {
  const authority = makeCertificate({ name: 'Authority' })
  const client = makeCertificate({ name: 'client', signedBy: authority })
  const second = makeCertificate({ name: 'second', signedBy: authority })
  const expired = makeCertificate({ name: 'late', validTo: new Date(Date.now() - 1_000) })
  const pair = { certPem: client.cert, keyPem: client.key }
  const fields = { mtlsCert: client.cert, mtlsKey: client.key }

  async function set(body: unknown): Promise<Json> {
    return await tenant.call('POST', `/endpoints/${id}/mtls`, body)
  }

  test('is set, shown without its key, which is sealed, and removed', async () => {
    const done = await set(pair)
    expect(done).toMatchObject({
      status: 200,
      body: { version: 1, hasMtls: true, mtlsCert: client.cert },
    })
    expect(done.body).not.toHaveProperty('mtlsKey')
    const row = await stored()
    expect(row.mtls_cert).toBe(client.cert)
    expect(row.mtls_key).not.toContain('PRIVATE KEY')
    expect(opened(row, 'mtls_key')).toBe(client.key)
    expect((await tenant.call('GET', `/endpoints/${id}/versions`)).body.data).toHaveLength(1)
    expect(portal.changes).toEqual([{ v: 1, tenantId: tenant.tenantId, what: 'secrets' }])

    for (let times = 0; times < 2; times += 1) {
      const removed = await tenant.call('DELETE', `/endpoints/${id}/mtls`)
      expect([removed.status, removed.text]).toEqual([204, ''])
    }
    expect(await stored()).toMatchObject({ mtls_cert: null, mtls_key: null })
    expect((await tenant.call('GET', `/endpoints/${id}`)).body).toMatchObject({
      hasMtls: false,
      mtlsCert: null,
    })
  })

  test('is taken by create and change, and removed by null', async () => {
    const created = await tenant.call('POST', '/endpoints', { ...minimal, ...fields })
    expect(created).toMatchObject({ status: 201, body: { hasMtls: true, mtlsCert: client.cert } })
    const path = `/endpoints/${created.body.id}`
    const versions = async (): Promise<number> =>
      (await tenant.call('GET', `${path}/versions`)).body.data.length
    const replaced = await tenant.call('PATCH', path, {
      mtlsCert: second.cert,
      mtlsKey: second.key,
    })
    expect(replaced.body).toMatchObject({ version: 1, hasMtls: true, mtlsCert: second.cert })
    expect(opened(await stored(created.body.id), 'mtls_key')).toBe(second.key)
    const removed = await tenant.call('PATCH', path, { mtlsCert: null, mtlsKey: null })
    expect(removed.body).toMatchObject({ version: 1, hasMtls: false, mtlsCert: null })
    expect(await versions()).toBe(1)
  })

  test('that is there already changes nothing', async () => {
    await set(pair)
    const before = (await tenant.call('GET', `/endpoints/${id}`)).body
    expect((await tenant.call('PATCH', `/endpoints/${id}`, fields)).body).toEqual(before)
  })

  test.each<[string, object, string]>([
    ['no PEM', { certPem: 'x', keyPem: client.key }, 'certPem'],
    ['a key that is none', { certPem: client.cert, keyPem: 'x' }, 'keyPem'],
    ['the key of another', { certPem: client.cert, keyPem: second.key }, 'keyPem'],
    ['one that has expired', { certPem: expired.cert, keyPem: expired.key }, 'certPem'],
    ['no key', { certPem: client.cert }, 'keyPem'],
    ['a null', { certPem: null, keyPem: null }, 'certPem'],
  ])('%s is refused, and the field named', async (_, body, field) => {
    const refused = await set(body)
    expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(refused.body.details[0].path).toBe(field)
    expect(refused.text).not.toContain('PRIVATE KEY')
    expect(await stored()).toMatchObject({ mtls_cert: null })
  })

  test.each<[object, string]>([
    [{ mtlsCert: client.cert }, 'mtlsKey'],
    [{ mtlsKey: client.key }, 'mtlsCert'],
    [{ mtlsCert: client.cert, mtlsKey: null }, 'mtlsKey'],
    [{ mtlsCert: client.cert, mtlsKey: second.key }, 'mtlsKey'],
    [{ mtlsCert: expired.cert, mtlsKey: expired.key }, 'mtlsCert'],
  ])('half of it, or one that is none, is refused by create and change %#', async (body, field) => {
    for (const refused of [
      await tenant.call('POST', '/endpoints', { ...minimal, ...body }),
      await tenant.call('PATCH', `/endpoints/${id}`, body),
    ]) {
      expect(refused.status).toBe(400)
      expect(refused.body.details.map(({ path }: Json) => path)).toEqual([field])
    }
  })

  test('of another tenant’s endpoint there is none', async () => {
    expect((await other.call('POST', `/endpoints/${id}/mtls`, pair)).status).toBe(404)
    expect((await other.call('DELETE', `/endpoints/${id}/mtls`)).status).toBe(404)
  })
})
