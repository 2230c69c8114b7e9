/** Another workspace in a product that runs: there is no route that makes one. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiKeyPrefix, hashApiKey, newApiKey } from '@posthorn/domain/api-key'
import { newId } from '@posthorn/domain/ids'
import { newSigningSecret } from '@posthorn/domain/signature'
import type { Pool } from '@posthorn/store/pool'
import { createSeal, sealedAt } from '@posthorn/store/seal'

export interface Workspace {
  tenantId: string
  projectId: string
  apiKey: string
}

/** @param dataDir where the product keeps its generated master key */
export async function addWorkspace(pool: Pool, dataDir: string, name: string): Promise<Workspace> {
  const [tenantId, projectId, apiKey] = [newId(), newId(), newApiKey('production')]
  const seal = createSeal([(await readFile(join(dataDir, 'master-key'), 'utf8')).trim()])
  const secret = seal.seal(newSigningSecret(), sealedAt('tenants.signing_secret', tenantId))
  await pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret) VALUES ($1, $2, 'self_hosted', $3)`,
    [tenantId, name, secret],
  )
  await pool.query(
    `INSERT INTO projects (tenant_id, id, name, environment, is_default)
     VALUES ($1, $2, $3, 'production', true)`,
    [tenantId, projectId, name],
  )
  await pool.query(
    `INSERT INTO api_keys (tenant_id, id, name, key_hash, key_prefix, scopes)
     VALUES ($1, $2, $3, $4, $5, '{*}')`,
    [tenantId, newId(), name, hashApiKey(apiKey), apiKeyPrefix(apiKey)],
  )
  return { tenantId, projectId, apiKey }
}
