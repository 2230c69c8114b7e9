/**
 * A source (inbound endpoint) with its platform's preset and its opened credentials, made once for
 * each time that its row is read.
 */
import type { SourceConfig } from '@posthorn/contracts/inbound'
import type { Preset } from '@posthorn/inbound/preset'
import { findPreset } from '@posthorn/inbound/presets'
import type { SourceRow } from '@posthorn/store/find-source'
import { type Seal, sealedAt } from '@posthorn/store/seal'

export interface InboundSource extends Omit<SourceRow, 'credentials'> {
  preset: Preset
  credentials: SourceConfig
  /** The credentials as they are stored. */
  sealed: string
}

/**
 * @throws when no configured master key opens it, or this process is too old to know its platform
 */
export async function openInboundSource(
  row: SourceRow,
  seal: Pick<Seal, 'open'>,
): Promise<InboundSource> {
  const preset = await findPreset(row.source)
  if (preset === null)
    throw new Error(`inbound endpoint ${row.id} is of no platform: ${row.source}`)
  const place = sealedAt('inbound_endpoints.credentials', row.tenantId, row.id)
  const credentials = JSON.parse(seal.open(row.credentials, place)) as SourceConfig
  return { ...row, preset, credentials, sealed: row.credentials }
}
