/**
 * Creates and changes inbound endpoints. A change takes effect in every receiver process within a
 * second.
 */
import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '@posthorn/contracts/errors'
import type { CreateInboundEndpoint, SourceConfig } from '@posthorn/contracts/inbound'
import { newId } from '@posthorn/domain/ids'
import type { Caller, Handlers } from '@posthorn/http/handlers'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Database } from '@posthorn/store/prisma'
import type { Seal } from '@posthorn/store/seal'
import { checkCount } from '../check-count.ts'
import type { AnnounceChange } from '../config-changes.ts'
import { isGoneParent, notFound } from '../refusals.ts'
import { checkTransformation, type Compile } from '../transformations/check-transformation.ts'
import { checkDestinations, checkSettings, presetOf } from './check-inbound.ts'
import {
  credentialsAt,
  inboundChanges,
  inboundEndpointsOf,
  openConfig,
  toInboundEndpoint,
} from './inbound-record.ts'
import { unmaskedConfig } from './source-config.ts'

export interface SaveInboundDeps {
  database: Pick<Database, 'inboundEndpoint' | 'endpoint' | '$transaction'>
  seal: Seal
  compile: Compile
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

type SaveHandlers = Pick<Handlers<'portal-api'>, 'createInboundEndpoint' | 'updateInboundEndpoint'>

/** 144 bits: nobody finds a source's URL by guessing. */
const PATH_BYTES = 18

export function createSaveInbound(
  { publicUrl, maxInboundEndpoints }: { publicUrl: string; maxInboundEndpoints: number },
  deps: SaveInboundDeps,
): SaveHandlers {
  const { database, seal } = deps
  return {
    async createInboundEndpoint({ caller, body, audit }) {
      const { tenantId } = caller
      const id = newId()
      const sourceConfig = body.sourceConfig ?? {}
      checkSettings(await presetOf(body.source), sourceConfig, body.eventTypeMapping ?? null)
      const destinationIds = unique(body.destinationIds)
      await checkDestinations(database, caller, caller.homeProjectId, destinationIds)
      await checkTransformation(caller, body.transformation, deps.compile)
      const credentials = sealConfig(seal, sourceConfig, { tenantId, id })
      const data = { ...toColumns(caller, body), id, credentials, destinationIds }
      const row = await database
        .$transaction(async (transaction) => {
          const created = await transaction.inboundEndpoint.create({ data })
          const changes = inboundChanges(null, created, body.sourceConfig === undefined)
          await recordAudit(transaction, audit, { resourceId: id, changes })
          await checkCount(transaction, tenantId, {
            name: 'inbound endpoints',
            max: maxInboundEndpoints,
            count: () => transaction.inboundEndpoint.count({ where: { tenantId } }),
          })
          return created
        })
        .catch(throwRefusal)
      deps.announceChange(tenantId, 'inbound')
      return await toInboundEndpoint(row, publicUrl, seal)
    },

    async updateInboundEndpoint({ caller, params, body, audit }) {
      const where = { ...inboundEndpointsOf(caller), id: params['id'] ?? '' }
      const former = await database.inboundEndpoint.findFirst({ where })
      if (former === null) throw notFound('inbound endpoint')
      const { sourceConfig, destinationIds, ...plain } = body
      const preset = await presetOf(plain.source ?? former.source)
      const kept = openConfig(seal, former)
      const config = sourceConfig === undefined ? kept : unmaskedConfig(preset, sourceConfig, kept)
      checkSettings(preset, config, plain.eventTypeMapping ?? null)
      const destinations = destinationIds === undefined ? undefined : unique(destinationIds)
      await checkDestinations(database, caller, former.projectId, destinations ?? [])
      await checkTransformation(caller, plain.transformation, deps.compile)
      const data = {
        ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
        ...(sourceConfig === undefined ? {} : { credentials: sealConfig(seal, config, former) }),
        ...(destinations === undefined ? {} : { destinationIds: destinations }),
        updatedAt: new Date(deps.now()),
      }
      const row = await database
        .$transaction(async (transaction) => {
          const [updated] = await transaction.inboundEndpoint.updateManyAndReturn({ where, data })
          if (updated === undefined) throw notFound('inbound endpoint')
          const changes = inboundChanges(former, updated, isDeepStrictEqual(config, kept))
          await recordAudit(transaction, audit, { resourceId: where.id, changes })
          return updated
        })
        .catch(throwRefusal)
      if (sourceConfig === undefined) await renewCredentials(database, seal, former)
      deps.announceChange(caller.tenantId, 'inbound')
      return await toInboundEndpoint(row, publicUrl, seal)
    },
  }
}

function toColumns({ tenantId, homeProjectId: projectId }: Caller, body: CreateInboundEndpoint) {
  return {
    tenantId,
    projectId,
    name: body.name,
    pathSuffix: body.pathSuffix ?? randomBytes(PATH_BYTES).toString('base64url'),
    source: body.source,
    eventTypeMapping: body.eventTypeMapping ?? null,
    description: body.description ?? null,
    transformation: body.transformation ?? null,
    status: body.status ?? 'active',
  }
}

function sealConfig(
  seal: Seal,
  config: SourceConfig,
  row: { tenantId: string; id: string },
): string {
  return seal.seal(JSON.stringify(config), credentialsAt(row))
}

/** Skipped where the receiver has learned a secret in between: that one is newer. */
async function renewCredentials(
  database: SaveInboundDeps['database'],
  seal: Seal,
  row: { tenantId: string; id: string; credentials: string },
): Promise<void> {
  const credentials = seal.renew(row.credentials, credentialsAt(row))
  if (credentials === row.credentials) return
  const { tenantId, id } = row
  await database.inboundEndpoint.updateMany({
    where: { tenantId, id, credentials: row.credentials },
    data: { credentials },
  })
}

function unique(ids: readonly string[] | null | undefined): string[] {
  return [...new Set((ids ?? []).map((id) => id.toLowerCase()))]
}

function throwRefusal(error: unknown): never {
  if (isGoneParent(error)) throw notFound('project')
  // A path is unique over all tenants. The answer does not tell which tenant has it.
  if ((error as { code?: unknown } | null)?.code !== 'P2002') throw error
  throw new ApiError('CONFLICT', 'the pathSuffix is taken: choose another, or leave it out', {
    details: [{ path: 'pathSuffix', message: 'is taken' }],
  })
}
