/**
 * A workspace of a test file's own in a product that it shares with others. What belongs to the
 * whole process or cluster (its memory, its figures, a service's death, time that is measured) is
 * not for such a file.
 */
import { openPool } from '@posthorn/store/pool'
import { addWorkspace } from '../add-workspace.ts'
import { createClient, type Mode, type Product } from '../posthorn.ts'
import { type Place, PRODUCTS_VARIABLE, type Running, startProduct } from './products-service.ts'

export interface SharedProduct extends Product {
  databaseUrl: string
  storageDir: string
  tenantId: string
  /** What the product printed since it started, for whoever. */
  output(): Promise<string>
  /** The product goes on for others, unless this file alone was run and has started it. */
  leave(): Promise<void>
}

export async function joinProduct(mode: Mode): Promise<SharedProduct> {
  const service = process.env[PRODUCTS_VARIABLE]
  const own: Running | undefined = service ? undefined : await startProduct(mode)
  const place =
    own === undefined ? (JSON.parse(await ask(`${service}/${mode}`)) as Place) : own.place
  const { databaseUrl, dataDir, url } = place
  const pool = openPool({ url: databaseUrl, max: 1, name: 'test', onError: () => {} })
  const { apiKey, tenantId } = await addWorkspace(pool, dataDir, 'Test')
  await pool.end()
  return {
    ...place,
    ...createClient(() => ({ url, apiKey })),
    mode,
    apiKey,
    tenantId,
    output: async () => own?.output() ?? (await ask(`${service}/${mode}/output`)),
    leave: async () => await own?.stop(),
  }
}

/** What the owner of the shared products answers. */
export async function ask(url: string): Promise<string> {
  const response = await fetch(url)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
