/**
 * Creates, changes and deactivates sub-accounts: tenants of their own with a default project and a
 * signing secret, whose plan is their parent's.
 */
import type { AuditScope } from '@posthorn/contracts/audit'
import { ApiError } from '@posthorn/contracts/errors'
import type { UpdateSubAccount } from '@posthorn/contracts/sub-accounts'
import { newId } from '@posthorn/domain/ids'
import { newSigningSecret } from '@posthorn/domain/signature'
import type { ApiRequest, Caller, Handlers } from '@posthorn/http/handlers'
import { changesOf } from '@posthorn/store/audit/changes-of'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import { Prisma, type Tenant } from '@posthorn/store/generated/client'
import { type Database, isDuplicate, type Transaction } from '@posthorn/store/prisma'
import { type Seal, sealedAt } from '@posthorn/store/seal'
import { checkCount } from '../check-count.ts'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import { revokeSubAccountSessions } from './manage-sessions.ts'
import { toSubAccount } from './sub-account-record.ts'

export interface SaveSubAccountDeps {
  database: Pick<Database, 'tenant' | '$transaction'>
  seal: Seal
  /** `MAX_SUB_ACCOUNTS` */
  maxSubAccounts: number
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

type SaveHandlers = Pick<
  Handlers<'portal-api'>,
  'createSubAccount' | 'updateSubAccount' | 'deactivateSubAccount'
>

export function createSaveSubAccount(deps: SaveSubAccountDeps): SaveHandlers {
  const { database, seal, announceChange } = deps

  /** What is cached of a sub-account stands under its parent, and its sources under itself. */
  function announce(parentId: string, id: string): void {
    announceChange(parentId, 'sub-accounts')
    announceChange(id, 'inbound')
  }

  async function update(
    { caller, params, audit }: Pick<ApiRequest<unknown, undefined>, 'caller' | 'params' | 'audit'>,
    body: UpdateSubAccount,
  ) {
    const which = { id: params['id'] ?? '', parentId: caller.tenantId }
    const row = await database.$transaction((transaction) =>
      change(transaction, which, body, { audit, now: deps.now() }),
    )
    announce(which.parentId, which.id)
    return row
  }

  return {
    async createSubAccount({ caller, body, audit }) {
      const { tenantId: parentId, plan } = caller
      const externalId = body.externalId ?? (body.subID as string)
      const id = newId()
      const secret = seal.seal(newSigningSecret(), sealedAt('tenants.signing_secret', id))
      const created = await database
        .$transaction(async (transaction) => {
          const row = await transaction.tenant.create({
            data: {
              name: '',
              ...toColumns(body),
              id,
              parentId,
              externalId,
              plan,
              signingSecret: secret,
            },
          })
          await transaction.project.create({ data: defaultProject(id, caller) })
          const changes = changesOf(null, toSubAccount(row))
          await recordAudit(transaction, audit, { resourceId: id, changes })
          await checkCount(transaction, parentId, {
            name: 'sub-accounts',
            max: deps.maxSubAccounts,
            count: () => transaction.tenant.count({ where: { parentId } }),
          })
          return row
        })
        .catch(async (error: unknown) => {
          throw isDuplicate(error) ? await conflict(database, parentId, externalId) : error
        })
      announce(parentId, id)
      return toSubAccount(created)
    },

    async updateSubAccount(request) {
      return toSubAccount(await update(request, request.body))
    },

    async deactivateSubAccount(request) {
      await update(request, { status: 'deactivated' })
      return undefined
    },
  }
}

async function change(
  transaction: Transaction,
  where: { id: string; parentId: string },
  body: UpdateSubAccount,
  { audit, now }: { audit: AuditScope; now: number },
): Promise<Tenant> {
  const data = { ...toColumns(body), updatedAt: new Date(now) }
  const before = await transaction.tenant.findFirst({ where })
  const [after] = await transaction.tenant.updateManyAndReturn({ where, data })
  if (before === null || after === undefined) throw notFound('sub-account')
  const changes = changesOf(toSubAccount(before), toSubAccount(after))
  await recordAudit(transaction, audit, { resourceId: where.id, changes })
  // They stay ended when the sub-account is brought back.
  if (body.status === 'deactivated')
    await revokeSubAccountSessions(transaction, { tenantId: where.id }, now)
  return after
}

function defaultProject(tenantId: string, { environment }: Pick<Caller, 'environment'>) {
  return { tenantId, id: newId(), name: 'Default', environment, isDefault: true }
}

type Columns = Partial<{
  name: string
  email: string | null
  metadata: typeof Prisma.DbNull | Prisma.InputJsonObject
  status: string
}>

/** A name is stored as '' where there is none. */
function toColumns({ name, email, metadata, status }: UpdateSubAccount): Columns {
  return {
    ...(name === undefined ? {} : { name: name ?? '' }),
    ...(email === undefined ? {} : { email }),
    ...(metadata === undefined
      ? {}
      : {
          metadata: metadata === null ? Prisma.DbNull : (metadata as Prisma.InputJsonObject),
        }),
    ...(status === undefined ? {} : { status }),
  }
}

async function conflict(
  database: Pick<Database, 'tenant'>,
  parentId: string,
  externalId: string,
): Promise<ApiError> {
  const known = await database.tenant.findFirst({
    where: { parentId, externalId },
    select: { id: true },
  })
  const message = 'a sub-account has this externalId: its id is details.id'
  return new ApiError('CONFLICT', message, { details: { id: known?.id ?? null } })
}
