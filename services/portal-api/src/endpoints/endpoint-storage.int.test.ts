/**
 * Endpoints in storage mode: what their configuration must have, and that their credentials are
 * never shown.
 */
import { expect, test } from '@jest/globals'
import { sealedAt } from '@posthorn/store/seal'
import { createTestDatabase } from '@posthorn/testing/databases'
import {
  type ApiResponse,
  type Json,
  portal,
  startTestPortal,
  tenant,
  usePortal,
} from '../portal.fixture.ts'

const KEYS = { accessKeyId: 'AKIA-ONE-1234', secretAccessKey: 'first-secret-of-the-store' }
const S3 = { type: 's3', bucket: 'events', region: 'eu-west-1', prefix: 'shop' }
const STORED = {
  url: 'storage://archive',
  eventTypes: ['*'],
  deliveryMode: 'storage',
  storageConfig: { ...S3, ...KEYS },
}

usePortal()

async function create(body: object = STORED): Promise<Json> {
  const answer = await tenant.call('POST', '/endpoints', body)
  expect([answer.status, answer.text]).toEqual([201, answer.text])
  return answer.body
}

async function patch(id: string, body: object): Promise<ApiResponse> {
  return await tenant.call('PATCH', `/endpoints/${id}`, body)
}

async function credentials(id: string): Promise<unknown> {
  const { rows } = await portal.pool.query<{ sealed: string | null }>(
    'SELECT storage_credentials AS sealed FROM endpoints WHERE id = $1',
    [id],
  )
  const sealed = rows[0]?.sealed ?? null
  return sealed === null
    ? null
    : JSON.parse(
        portal.seal.open(sealed, sealedAt('endpoints.storage_credentials', tenant.tenantId, id)),
      )
}

function pathOf(answer: ApiResponse): unknown {
  return [answer.status, answer.body.details?.[0]?.path]
}

test('a store’s credentials are sealed apart, hinted at, and shown in no answer', async () => {
  const created = await create()
  expect(created).toMatchObject({
    url: 'storage://archive',
    deliveryMode: 'storage',
    storageConfig: S3,
    storageKeyHint: '1234',
  })
  expect(created.storageConfig).toEqual(S3)
  expect(await credentials(created.id)).toEqual(KEYS)

  const other = { ...KEYS, secretAccessKey: 'second-secret-of-the-store' }
  expect(
    (await patch(created.id, { storageConfig: { ...S3, bucket: 'b2', ...other } })).status,
  ).toBe(200)
  const answers = await Promise.all(
    ['', '/versions', '/versions/1', '/versions/diff?v1=1&v2=2'].map(
      async (path) => await tenant.call('GET', `/endpoints/${created.id}${path}`),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const { rows } = await portal.pool.query('SELECT * FROM endpoints, endpoint_versions')
  const shown = JSON.stringify([created, ...answers.map(({ text }) => text), rows])
  for (const secret of [KEYS.accessKeyId, KEYS.secretAccessKey, other.secretAccessKey]) {
    expect(shown).not.toContain(secret)
  }
})

test.each([
  [{ storageConfig: undefined }, 'storageConfig'],
  [{ storageConfig: null }, 'storageConfig'],
  [{ deliveryMode: 'push', url: 'https://shop.example/' }, 'storageConfig'],
  [{ deliveryMode: 'poll', url: 'poll://shop' }, 'storageConfig'],
  [{ url: 'https://shop.example/' }, 'url'],
  [{ url: 'storage://' }, 'url'],
  [{ url: 'storage://a?b' }, 'url'],
  [{ storageConfig: { type: 'ftp' } }, 'storageConfig.type'],
  [{ storageConfig: { ...S3, colour: 'red' } }, 'storageConfig.colour'],
  [{ storageConfig: { ...S3, bucket: 'a/../b' } }, 'storageConfig.bucket'],
  [{ storageConfig: { ...S3, bucket: 'arn:aws:s3:::b' } }, 'storageConfig.bucket'],
  [{ storageConfig: { ...S3, region: 'x.evil.example/' } }, 'storageConfig.region'],
  [{ storageConfig: { ...S3, prefix: 'a/../b' } }, 'storageConfig.prefix'],
  [{ storageConfig: { type: 'file', prefix: '../b' } }, 'storageConfig.prefix'],
  [{ storageConfig: { type: 'file', bucket: 'b' } }, 'storageConfig.bucket'],
  [{ storageConfig: { ...S3, accessKeyId: 'a' } }, 'storageConfig.secretAccessKey'],
  [{ storageConfig: { ...S3, secretAccessKey: 'a' } }, 'storageConfig.accessKeyId'],
  [
    { storageConfig: { ...S3, accessKeyId: null, secretAccessKey: 'a' } },
    'storageConfig.accessKeyId',
  ],
  [{ storageConfig: { ...S3, endpoint: 'ftp://store.example' } }, 'storageConfig.endpoint'],
  [{ storageConfig: { ...S3, endpoint: 'https://store.example/?a=b' } }, 'storageConfig.endpoint'],
  [{ storageConfig: { ...S3, endpoint: 'http://127.0.0.1:9000' } }, 'storageConfig.endpoint'],
  [{ storageConfig: { ...S3, endpoint: 'http://169.254.169.254' } }, 'storageConfig.endpoint'],
])('%j is refused at %s', async (over, path) => {
  expect(pathOf(await tenant.call('POST', '/endpoints', { ...STORED, ...over }))).toEqual([
    400,
    path,
  ])
})

test('credentials that are left out stay, while the store is the same', async () => {
  const { id } = await create()
  const elsewhere = { ...S3, bucket: 'other', prefix: 'new' }
  const moved = await patch(id, { storageConfig: elsewhere })
  expect(moved.body).toMatchObject({ version: 2, storageConfig: elsewhere, storageKeyHint: '1234' })
  expect(await credentials(id)).toEqual(KEYS)

  const { accessKeyId } = KEYS
  expect((await patch(id, { storageConfig: { ...elsewhere, accessKeyId } })).body.version).toBe(2)
  expect(await credentials(id)).toEqual(KEYS)

  const endpoint = 'https://store.example'
  const refused = await patch(id, { storageConfig: { ...S3, endpoint, accessKeyId } })
  expect(pathOf(refused)).toEqual([400, 'storageConfig.secretAccessKey'])
  const other = await patch(id, { storageConfig: { ...S3, endpoint } })
  expect(other.body).toMatchObject({ version: 3, storageKeyHint: null })
  expect(await credentials(id)).toBeNull()
})

test('new credentials make no version and take effect; null for both removes them', async () => {
  const { id } = await create()
  const before = await portal.configVersion(tenant.tenantId)
  const secretAccessKey = 'another-secret'
  const changed = await patch(id, { storageConfig: { ...S3, ...KEYS, secretAccessKey } })
  expect(changed.body).toMatchObject({ version: 1, storageKeyHint: '1234' })
  expect(await credentials(id)).toEqual({ ...KEYS, secretAccessKey })
  expect(await portal.configVersion(tenant.tenantId)).toBe(before + 1)

  const none = { accessKeyId: null, secretAccessKey: null }
  expect((await patch(id, { storageConfig: { ...S3, ...none } })).body.storageKeyHint).toBeNull()
  expect(await credentials(id)).toBeNull()
})

test('the same again changes nothing', async () => {
  const { id, updatedAt } = await create()
  const before = await portal.configVersion(tenant.tenantId)
  expect((await patch(id, STORED)).body).toMatchObject({ version: 1, updatedAt })
  expect(await portal.configVersion(tenant.tenantId)).toBe(before)
})

test('its sink and credentials go with the mode, and a rollback brings the sink back', async () => {
  const { id } = await create()
  expect(pathOf(await patch(id, { deliveryMode: 'push' }))).toEqual([400, 'url'])
  const pushed = await patch(id, { deliveryMode: 'push', url: 'https://shop.example/' })
  expect(pushed.body).toMatchObject({
    deliveryMode: 'push',
    storageConfig: null,
    storageKeyHint: null,
  })
  expect(await credentials(id)).toBeNull()

  const back = await tenant.call('POST', `/endpoints/${id}/versions/1/rollback`)
  expect(back.body).toMatchObject({ version: 3, storageConfig: S3, storageKeyHint: null })
})

test('a file sink needs STORAGE_DIR', async () => {
  const file = { ...STORED, storageConfig: { type: 'file', prefix: 'shop' } }
  expect(await create(file)).toMatchObject({
    storageConfig: file.storageConfig,
    storageKeyHint: null,
  })

  const without = await startTestPortal(await createTestDatabase(), undefined, {
    hasStorageDir: false,
  })
  try {
    const answer = await (await without.addTenant()).call('POST', '/endpoints', file)
    expect(pathOf(answer)).toEqual([400, 'storageConfig.type'])
    expect(answer.text).toContain('STORAGE_DIR')
  } finally {
    await without.close()
  }
})
