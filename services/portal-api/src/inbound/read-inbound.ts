/** Reads and deletes inbound endpoints, and lists the platforms that they can be made for. */
import type { InboundPreset } from '@posthorn/contracts/inbound'
import type { Handlers } from '@posthorn/http/handlers'
import { toPage } from '@posthorn/http/page'
import { headersUsed } from '@posthorn/inbound/incoming-event'
import type { Preset } from '@posthorn/inbound/preset'
import { loadPresets } from '@posthorn/inbound/presets'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Database } from '@posthorn/store/prisma'
import type { Seal } from '@posthorn/store/seal'
import type { AnnounceChange } from '../config-changes.ts'
import { pageOf } from '../list-page.ts'
import { notFound } from '../refusals.ts'
import { inboundEndpointsOf, toInboundEndpoint } from './inbound-record.ts'

export interface ReadInboundDeps {
  database: Pick<Database, 'inboundEndpoint' | '$transaction'>
  seal: Pick<Seal, 'open'>
  announceChange: AnnounceChange
}

type ReadHandlers = Pick<
  Handlers<'portal-api'>,
  'listInboundEndpoints' | 'getInboundEndpoint' | 'deleteInboundEndpoint' | 'listInboundPresets'
>

export function createReadInbound(
  { publicUrl }: { publicUrl: string },
  { database, seal, announceChange }: ReadInboundDeps,
): ReadHandlers {
  return {
    async listInboundEndpoints({ caller, query }) {
      const rows = await database.inboundEndpoint.findMany(
        pageOf(inboundEndpointsOf(caller), query),
      )
      const { data, pagination } = toPage(rows, query.limit, (row) =>
        toInboundEndpoint(row, publicUrl, seal),
      )
      return { data: await Promise.all(data), pagination }
    },
    async getInboundEndpoint({ caller, params }) {
      const where = { ...inboundEndpointsOf(caller), id: params['id'] ?? '' }
      const row = await database.inboundEndpoint.findFirst({ where })
      if (row === null) throw notFound('inbound endpoint')
      return await toInboundEndpoint(row, publicUrl, seal)
    },
    async deleteInboundEndpoint({ caller, params, audit }) {
      const where = { ...inboundEndpointsOf(caller), id: params['id'] ?? '' }
      await database.$transaction(async (transaction) => {
        const before = await transaction.inboundEndpoint.findFirst({ where })
        const { count } = await transaction.inboundEndpoint.deleteMany({ where })
        if (before === null || count === 0) throw notFound('inbound endpoint')
        const metadata = { name: before.name, source: before.source }
        await recordAudit(transaction, audit, { resourceId: before.id, metadata })
      })
      announceChange(caller.tenantId, 'inbound')
      return undefined
    },
    async listInboundPresets() {
      const data = (await loadPresets()).map(toInboundPreset)
      return { data, pagination: { hasMore: false, cursor: null } }
    },
  }
}

function toInboundPreset(preset: Preset): InboundPreset {
  return {
    source: preset.source,
    name: preset.name,
    description: preset.description,
    mode: preset.mode,
    configKeys: preset.configKeys.map(({ name }) => name),
    signatureHeaders: headersUsed(preset.verify),
    eventTypePath: preset.eventType[0] ?? null,
    docs: preset.docs,
  }
}
