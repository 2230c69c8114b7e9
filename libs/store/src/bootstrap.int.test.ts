import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { argon2Sync, randomBytes } from 'node:crypto'
import { apiKeyDigest, hashApiKey, newApiKey } from '@posthorn/domain/api-key'
import { newId } from '@posthorn/domain/ids'
import { bootstrap } from './bootstrap.ts'
import { findApiKeys, type FoundKey } from './find-api-key.ts'
import { createSeal, sealedAt } from './seal.ts'
import { countRows, openTestStore, type TestStore } from './store.fixture.ts'

let stage: TestStore
beforeAll(async () => {
  stage = await openTestStore()
})
afterAll(async () => {
  await stage.close()
})

const seal = createSeal([randomBytes(32).toString('base64')])
const keys = Array.from({ length: 4 }, () => newApiKey('production'))
const admin = { email: 'Admin@Example.com', password: 'correct horse battery' }

/** Asked for beside one that nobody has. */
async function findApiKey(key: string): Promise<FoundKey | null> {
  const digest = apiKeyDigest(key)
  const found = await findApiKeys(stage.pool, [apiKeyDigest('nobody’s'), digest])
  expect(found.size).toBeLessThanOrEqual(1)
  return found.get(digest) ?? null
}

function verify(phc: string, password: string): boolean {
  const [, kind, version, parameters, salt, hash] = phc.split('$')
  expect([kind, version]).toEqual(['argon2id', 'v=19'])
  const given = Object.fromEntries((parameters ?? '').split(',').map((pair) => pair.split('=')))
  const expected = Buffer.from(hash ?? '', 'base64')
  const made = argon2Sync('argon2id', {
    message: password,
    nonce: Buffer.from(salt ?? '', 'base64'),
    memory: Number(given['m']),
    passes: Number(given['t']),
    parallelism: Number(given['p']),
    tagLength: expected.length,
  })
  return made.equals(expected)
}

test('by several at once one workspace is made, and by none after that', async () => {
  const made = await Promise.all(
    keys.map((apiKey) => bootstrap(stage.pool, seal, { apiKey, plan: 'self_hosted', admin })),
  )
  expect(made.filter(Boolean)).toHaveLength(1)
  expect(
    await bootstrap(stage.pool, seal, { apiKey: keys[0] ?? '', plan: 'free', admin: null }),
  ).toBe(false)
  for (const table of ['tenants', 'projects', 'api_keys', 'users', 'memberships']) {
    expect([table, await countRows(stage.pool, table)]).toEqual([table, 1])
  }
  const found = await findApiKey(keys[made.indexOf(true)] ?? '')
  const { rows } = await stage.pool.query(
    'SELECT id, signing_secret, plan, config_version FROM tenants',
  )
  expect(found).toEqual({
    tenantId: rows[0].id,
    keyId: expect.any(String),
    name: 'First key',
    createdByUser: null,
    scopes: ['*'],
    rateLimit: null,
    expiresAt: null,
    revoked: false,
    keyProjectId: null,
    plan: null,
    projects: [{ id: expect.any(String), environment: 'production' }],
  })
  expect(rows[0]).toMatchObject({ plan: 'self_hosted', config_version: '1' })
  expect(seal.open(rows[0].signing_secret, sealedAt('tenants.signing_secret', rows[0].id))).toMatch(
    /^whsec_/,
  )
})

test('the admin’s password can be verified by whoever knows argon2', async () => {
  const { rows } = await stage.pool.query(
    `SELECT email, password_hash, role, email_verified_at IS NOT NULL AS verified
     FROM users u JOIN memberships m ON m.user_id = u.id`,
  )
  expect(rows).toMatchObject([{ email: admin.email, role: 'admin', verified: true }])
  expect(verify(rows[0].password_hash, admin.password)).toBe(true)
  expect(verify(rows[0].password_hash, 'another password')).toBe(false)
})

test('a key is found with its tenant’s projects, the default one first, and what limits it', async () => {
  expect(await findApiKey('ph_live_unknown')).toBeNull()
  const { rows } = await stage.pool.query('SELECT tenant_id, id FROM projects')
  const [projectId, keyId] = [newId(), newId()]
  await stage.pool.query(
    `INSERT INTO projects (tenant_id, id, name, environment) VALUES ($1, $2, 'S', 'staging')`,
    [rows[0].tenant_id, projectId],
  )
  await stage.pool.query(
    `INSERT INTO api_keys (tenant_id, id, project_id, name, key_hash, key_prefix, scopes,
     rate_limit, expires_at, revoked_at)
     VALUES ($1, $2, $3, 'k', $4, 'ph_test_', '{events:read}', 7, '2030-01-01T00:00:00.5Z', now())`,
    [rows[0].tenant_id, keyId, projectId, hashApiKey('ph_test_k')],
  )
  expect(await findApiKey('ph_test_k')).toEqual({
    tenantId: rows[0].tenant_id,
    keyId,
    name: 'k',
    createdByUser: null,
    scopes: ['events:read'],
    rateLimit: 7,
    expiresAt: Date.UTC(2030, 0, 1) + 500,
    revoked: true,
    keyProjectId: projectId,
    plan: null,
    projects: [
      { id: rows[0].id, environment: 'production' },
      { id: projectId, environment: 'staging' },
    ],
  })
})
