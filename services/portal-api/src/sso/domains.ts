/**
 * The e-mail domains that a workspace says are its own. A TXT record proves it; a domain belongs to
 * the one workspace that has proved it.
 */
import { randomBytes } from 'node:crypto'
import { within } from '@posthorn/async/within'
import type { SsoDomain } from '@posthorn/contracts/sso'
import { ApiError } from '@posthorn/contracts/errors'
import { newId } from '@posthorn/domain/ids'
import type { Handlers } from '@posthorn/http/handlers'
import { toPage } from '@posthorn/http/page'
import type { SsoDomain as Row } from '@posthorn/store/generated/client'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Database } from '@posthorn/store/prisma'
import { checkCount } from '../check-count.ts'
import { pageOf } from '../list-page.ts'
import { notFound } from '../refusals.ts'

/** The TXT records of a name, each as the strings that it consists of. */
export type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>

export interface DomainDeps {
  database: Database
  resolveTxt: ResolveTxt
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

type DomainHandlers = Pick<
  Handlers<'portal-api'>,
  'listSsoDomains' | 'createSsoDomain' | 'verifySsoDomain' | 'deleteSsoDomain'
>

const MAX_DOMAINS = 100
const LOOKUP_MS = 5_000
const PROOF_BYTES = 16
/** Some domains have dozens of records; nobody needs more. */
const MAX_RECORDS = 1_000

export function createDomains({ brand }: { brand: string }, deps: DomainDeps): DomainHandlers {
  const { database } = deps
  const shown = (row: Row): SsoDomain => toDomain(brand, row)

  return {
    async listSsoDomains({ caller: { tenantId }, query }) {
      const rows = await database.ssoDomain.findMany(pageOf({ tenantId }, query))
      return toPage(rows, query.limit, shown)
    },

    async createSsoDomain({ caller: { tenantId }, body: { domain }, audit }) {
      const data = {
        tenantId,
        id: newId(),
        domain,
        proof: randomBytes(PROOF_BYTES).toString('hex'),
      }
      const create = async (): Promise<Row> =>
        await database.$transaction(async (transaction) => {
          const created = await transaction.ssoDomain.create({ data })
          await recordAudit(transaction, audit, { resourceId: data.id, metadata: { domain } })
          await checkCount(transaction, tenantId, {
            name: 'domains',
            max: MAX_DOMAINS,
            count: () => transaction.ssoDomain.count({ where: { tenantId } }),
          })
          return created
        })
      return shown(await unlessTaken(create, 'the workspace has this domain already'))
    },

    async verifySsoDomain({ caller: { tenantId }, params, audit }) {
      const where = { tenantId_id: { tenantId, id: params['id'] ?? '' } }
      const row = await database.ssoDomain.findUnique({ where })
      if (row === null) throw notFound('domain')
      const { id, domain, verifiedAt } = row
      const isNew =
        verifiedAt === null && (await hasRecord(deps.resolveTxt, domain, recordOf(brand, row)))
      const verify = async (): Promise<Row | undefined> =>
        await database.$transaction(async (transaction) => {
          const metadata = { domain, verified: isNew || verifiedAt !== null }
          await recordAudit(transaction, audit, { resourceId: id, metadata })
          if (!isNew) return row
          const [verified] = await transaction.ssoDomain.updateManyAndReturn({
            where: { tenantId, id },
            data: { verifiedAt: new Date(deps.now()) },
          })
          return verified
        })
      const verified = await unlessTaken(verify, 'another workspace has proved this domain')
      if (verified === undefined) throw notFound('domain')
      return shown(verified)
    },

    async deleteSsoDomain({ caller: { tenantId }, params, audit }) {
      const where = { tenantId, id: params['id'] ?? '' }
      await database.$transaction(async (transaction) => {
        const before = await transaction.ssoDomain.findFirst({ where })
        const { count } = await transaction.ssoDomain.deleteMany({ where })
        if (before === null || count === 0) throw notFound('domain')
        const metadata = { domain: before.domain }
        await recordAudit(transaction, audit, { resourceId: before.id, metadata })
      })
      return undefined
    },
  }
}

function recordOf(brand: string, { proof }: Row): string {
  return `${brand.toLowerCase()}-domain-verification=${proof}`
}

function toDomain(brand: string, row: Row): SsoDomain {
  return {
    id: row.id,
    domain: row.domain,
    status: row.verifiedAt === null ? 'pending' : 'verified',
    txtRecord: recordOf(brand, row),
    createdAt: row.createdAt.toISOString(),
    verifiedAt: row.verifiedAt?.toISOString() ?? null,
  }
}

/** A domain that can't be looked up within the time has no record, for now. */
async function hasRecord(resolveTxt: ResolveTxt, domain: string, wanted: string): Promise<boolean> {
  const none: Awaited<ReturnType<ResolveTxt>> = []
  const looking = resolveTxt(domain).catch(() => none)
  const records = await within(LOOKUP_MS, looking, () => none)
  return records.slice(0, MAX_RECORDS).some((strings) => strings.join('').trim() === wanted)
}

async function unlessTaken<Result>(write: () => Promise<Result>, message: string): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== 'P2002') throw error
    throw new ApiError('CONFLICT', message)
  }
}
