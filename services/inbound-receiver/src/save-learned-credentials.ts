/**
 * Some platforms send their secret in the first request (Asana, Notion). It is stored once. Whoever
 * sends another one to a source that has its own is a stranger, or a subscription that was made
 * anew: then its owner must remove the former secret by hand.
 */
import { sameText } from '@posthorn/inbound/secrets'
import { type Seal, sealedAt } from '@posthorn/store/seal'
import type { InboundSource } from './inbound-source.ts'

export interface SaveLearnedCredentialsDeps {
  seal: Pick<Seal, 'seal'>
  /** @returns the source as it is stored now; null when it has been deleted */
  read(source: InboundSource): Promise<InboundSource | null>
  /** @returns false when the credentials have been changed since */
  replace(
    source: { tenantId: string; id: string; credentials: string },
    sealed: string,
  ): Promise<boolean>
  /** Lets every instance of the service know. */
  onChanged(tenantId: string): void
}

export type SaveLearnedCredentials = (
  source: InboundSource,
  learned: Readonly<Record<string, string>>,
) => Promise<'saved' | 'refused'>

/**
 * Another attempt is made when the credentials were changed in between: nobody does that again and
 * again.
 */
const MAX_ATTEMPTS = 3

export function createSaveLearnedCredentials(
  deps: SaveLearnedCredentialsDeps,
): SaveLearnedCredentials {
  return async (source, learned) => {
    let current = source
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const fresh = Object.entries(learned).filter(([name]) => !isSet(current, name))
      const others = Object.entries(learned).filter(([name]) => isSet(current, name))
      if (!others.every(([name, value]) => isSame(current, name, value))) return 'refused'
      if (fresh.length === 0) return 'saved'
      const merged = { ...current.credentials, ...Object.fromEntries(fresh) }
      const { tenantId, id, sealed } = current
      const place = sealedAt('inbound_endpoints.credentials', tenantId, id)
      const next = deps.seal.seal(JSON.stringify(merged), place)
      if (await deps.replace({ tenantId, id, credentials: sealed }, next)) {
        deps.onChanged(tenantId)
        return 'saved'
      }
      const now = await deps.read(current)
      if (now === null) return 'refused'
      current = now
    }
    return 'refused'
  }
}

function isSet({ credentials }: InboundSource, name: string): boolean {
  const value = credentials[name]
  return value !== undefined && value.length > 0
}

function isSame({ credentials }: InboundSource, name: string, value: string): boolean {
  const known = credentials[name]
  const all = typeof known === 'string' ? [known] : (known ?? [])
  return all.map((one) => sameText(one, value)).includes(true)
}
