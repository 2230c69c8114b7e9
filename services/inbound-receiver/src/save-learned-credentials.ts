/**
 * Some platforms tell their secret in the first request (Asana, Notion). It is kept once: whoever sends another one to a
 * receiver that has its own is a stranger, or a subscription made anew, for which the former secret is taken out by hand.
 */
import { sameText } from '@posthorn/inbound/secrets'
import { type Seal, sealedAt } from '@posthorn/store/seal'
import type { InboundSource } from './inbound-source.ts'

export interface SaveLearnedCredentialsDeps {
  seal: Pick<Seal, 'seal'>
  /** The receiver as it is stored now; null: it is gone. */
  read(receiver: InboundSource): Promise<InboundSource | null>
  /** false: they have been changed since. */
  replace(
    receiver: { tenantId: string; id: string; credentials: string },
    sealed: string,
  ): Promise<boolean>
  /** Tells every instance. */
  onChanged(tenantId: string): void
}

export type SaveLearnedCredentials = (
  receiver: InboundSource,
  learned: Readonly<Record<string, string>>,
) => Promise<'kept' | 'refused'>

/** Somebody else changed them in between, again and again: nobody does. */
const MAX_TRIES = 3

export function createSaveLearnedCredentials(
  deps: SaveLearnedCredentialsDeps,
): SaveLearnedCredentials {
  return async (receiver, learned) => {
    let current = receiver
    for (let tried = 0; tried < MAX_TRIES; tried += 1) {
      const fresh = Object.entries(learned).filter(([name]) => !isSet(current, name))
      const others = Object.entries(learned).filter(([name]) => isSet(current, name))
      if (!others.every(([name, value]) => isSame(current, name, value))) return 'refused'
      if (fresh.length === 0) return 'kept'
      const merged = { ...current.credentials, ...Object.fromEntries(fresh) }
      const { tenantId, id, sealed } = current
      const place = sealedAt('inbound_endpoints.credentials', tenantId, id)
      const next = deps.seal.seal(JSON.stringify(merged), place)
      if (await deps.replace({ tenantId, id, credentials: sealed }, next)) {
        deps.onChanged(tenantId)
        return 'kept'
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
