/**
 * Scripts of transformations, loaded when a delivery needs one: a tenant may have 10,000 endpoints
 * with 64 KiB each. As many as a bound in bytes allows stay in memory; the one used longest ago
 * goes first.
 */
import type { Pool } from '@posthorn/store/pool'
import type { Transformation } from '../config/resolve-target.ts'

/** A script in the version that was found. */
export interface LoadedScript {
  /** Names endpoint and version: by it the sandbox knows what it has compiled. */
  key: string
  script: string
}

/** null: the endpoint has no script any more. Throws when Postgres can't be asked. */
export type LoadScript = (transformation: Transformation) => Promise<LoadedScript | null>

export interface LoadScriptDeps {
  /** null: there is no such endpoint, or it has no script. */
  readScript(
    tenantId: string,
    endpointId: string,
  ): Promise<{ version: number; script: string } | null>
}

/** In characters: 256 scripts of the largest size. */
const MAX_KEPT = 16 * 1024 * 1024
/** What an entry and its key take beside the script. */
const ENTRY_SIZE = 256

export function createLoadScript({ readScript }: LoadScriptDeps): LoadScript {
  /** The one used longest ago first. */
  const kept = new Map<string, LoadedScript>()
  const loading = new Map<string, Promise<LoadedScript | null>>()
  let keptSize = 0

  function keep(loaded: LoadedScript): void {
    forget(loaded.key)
    kept.set(loaded.key, loaded)
    keptSize += sizeOf(loaded)
    for (const oldest of kept.keys()) {
      if (keptSize <= MAX_KEPT) break
      forget(oldest)
    }
  }

  function forget(key: string): void {
    const known = kept.get(key)
    if (known === undefined) return
    kept.delete(key)
    keptSize -= sizeOf(known)
  }

  async function load(
    { tenantId, endpointId }: Transformation,
    key: string,
  ): Promise<LoadedScript | null> {
    try {
      const found = await readScript(tenantId, endpointId)
      if (found === null) return null
      // The version that is in force now may be a later one than that which was asked for.
      const loaded = { key: keyOf(endpointId, found.version), script: found.script }
      keep(loaded)
      return loaded
    } finally {
      loading.delete(key)
    }
  }

  return async (transformation) => {
    const key = keyOf(transformation.endpointId, transformation.endpointVersion)
    const known = kept.get(key)
    if (known !== undefined) {
      kept.delete(key)
      kept.set(key, known)
      return known
    }
    const running = loading.get(key) ?? load(transformation, key)
    loading.set(key, running)
    return await running
  }
}

export function readScriptFrom(pool: Pool): LoadScriptDeps['readScript'] {
  return async (tenantId, endpointId) => {
    const { rows } = await pool.query<{ version: number; script: string }>({
      name: 'read-script',
      text: `SELECT version, config ->> 'transformation' AS script FROM endpoints
        WHERE tenant_id = $1 AND id = $2 AND config ->> 'transformation' <> ''`,
      values: [tenantId, endpointId],
    })
    return rows[0] ?? null
  }
}

function keyOf(endpointId: string, version: number): string {
  return `${endpointId}:${version}`
}

function sizeOf({ script }: LoadedScript): number {
  return ENTRY_SIZE + script.length
}
