/**
 * The first workspace: made once, when there is none, under a lock, by whichever process is first.
 */
import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { apiKeyPrefix, hashApiKey } from '@posthorn/domain/api-key'
import { newId } from '@posthorn/domain/ids'
import { newSigningSecret } from '@posthorn/domain/signature'
import type pg from 'pg'
import type { Pool } from './pool.ts'
import { type Seal, sealedAt } from './seal.ts'

export interface Bootstrap {
  apiKey: string
  plan: string
  admin: { email: string; password: string } | null
}

/** @returns whether it was made now; false when there was a workspace already */
export async function bootstrap(pool: Pool, seal: Seal, first: Bootstrap): Promise<boolean> {
  const client = await pool.connect()
  let broken = true
  try {
    await client.query('BEGIN')
    await client.query('LOCK TABLE tenants IN SHARE ROW EXCLUSIVE MODE')
    const { rowCount } = await client.query('SELECT 1 FROM tenants LIMIT 1')
    if (rowCount === 0) await makeWorkspace(client, seal, first)
    await client.query('COMMIT')
    broken = false
    return rowCount === 0
  } finally {
    client.release(broken)
  }
}

async function makeWorkspace(client: pg.PoolClient, seal: Seal, first: Bootstrap): Promise<void> {
  const tenantId = newId()
  await client.query(
    'INSERT INTO tenants (id, name, plan, signing_secret) VALUES ($1, $2, $3, $4)',
    [
      tenantId,
      'Default',
      first.plan,
      seal.seal(newSigningSecret(), sealedAt('tenants.signing_secret', tenantId)),
    ],
  )
  await client.query(
    `INSERT INTO projects (tenant_id, id, name, environment, is_default)
     VALUES ($1, $2, 'Default', 'production', true)`,
    [tenantId, newId()],
  )
  await client.query(
    `INSERT INTO api_keys (tenant_id, id, name, key_hash, key_prefix, scopes)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [tenantId, newId(), 'First key', hashApiKey(first.apiKey), apiKeyPrefix(first.apiKey), ['*']],
  )
  if (first.admin === null) return
  const userId = newId()
  // Whoever sets the settings vouches for the address.
  await client.query(
    `INSERT INTO users (id, email, password_hash, email_verified_at) VALUES ($1, $2, $3, now())`,
    [userId, first.admin.email, await hashPassword(first.admin.password)],
  )
  await client.query(
    `INSERT INTO memberships (tenant_id, user_id, role) VALUES ($1, $2, 'admin')`,
    [tenantId, userId],
  )
}

/** OWASP's recommendation for argon2id: 19 MiB, 2 passes, 1 lane. */
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const derive = promisify(argon2)

/**
 * In the PHC string format, so that every library that knows argon2 can verify it. The password is
 * normalised as the portal normalises those that it verifies.
 */
async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const parameters = {
    message: password.normalize('NFKC'),
    nonce: salt,
    parallelism: LANES,
    tagLength: 32,
    memory: MEMORY_KIB,
    passes: PASSES,
  }
  const hash = await derive('argon2id', parameters)
  const encode = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${encode(salt)}$${encode(hash)}`
}
