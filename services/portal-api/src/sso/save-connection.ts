/**
 * Creates and changes a workspace's own connections. A client's secret is sealed and never shown;
 * it goes to the issuer that it was given for and to no other.
 */
import type { AuditChange, AuditScope } from '@posthorn/contracts/audit'
import type { CreateSsoConnection, UpdateSsoConnection } from '@posthorn/contracts/sso'
import { ApiError } from '@posthorn/contracts/errors'
import { newId } from '@posthorn/domain/ids'
import { hasFeature, leastPlanWith } from '@posthorn/domain/plans'
import { badField } from '@posthorn/http/errors'
import type { Caller, Handlers } from '@posthorn/http/handlers'
import type { Prisma, SsoConnection as Row } from '@posthorn/store/generated/client'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Database, Transaction } from '@posthorn/store/prisma'
import type { Seal } from '@posthorn/store/seal'
import { checkCount } from '../check-count.ts'
import { notFound } from '../refusals.ts'
import { checkIssuer, type IssuerChecks } from './check-issuer.ts'
import {
  clientSecretPlace,
  connectionChanges,
  type StoredOidc,
  type StoredSaml,
  toConnection,
} from './connection-record.ts'
import { requireEnforceable } from './require-enforceable.ts'
import type { CheckSamlConfig } from './saml/check-saml-config.ts'

export interface SaveConnectionConfig {
  publicUrl: string
  trustedDomains: readonly string[]
}

export interface SaveConnectionDeps extends IssuerChecks {
  database: Database
  seal: Pick<Seal, 'seal'>
  checkSaml: CheckSamlConfig
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

type ConnectionWrites = Pick<Handlers<'portal-api'>, 'createSsoConnection' | 'updateSsoConnection'>

const MAX_CONNECTIONS = 20

export function createSaveConnection(
  { publicUrl, trustedDomains }: SaveConnectionConfig,
  deps: SaveConnectionDeps,
): ConnectionWrites {
  return {
    async createSsoConnection({ caller, body, audit }) {
      const { tenantId } = caller
      requirePlan(caller, body.type)
      const id = newId()
      const part = await createPart(deps, { tenantId, id }, body)
      const row = await unlessTaken(async () =>
        deps.database.$transaction(async (transaction) => {
          const created = await transaction.ssoConnection.create({
            data: {
              tenantId,
              id,
              type: body.type,
              name: body.name,
              slug: body.slug ?? `${slugOf(body.name)}-${id.slice(-4)}`,
              domains: [...new Set(body.domains)],
              enforced: body.enforced ?? false,
              defaultRole: body.defaultRole ?? 'viewer',
              breakGlassUserId: body.breakGlassUserId ?? defaultBreakGlass(caller, body.enforced),
              status: body.status ?? 'active',
              ...part,
            },
          })
          await requireEnforceable(transaction, created, trustedDomains)
          await record(transaction, audit, connectionChanges(publicUrl, null, created), id)
          await checkCount(transaction, tenantId, {
            name: 'connections',
            max: MAX_CONNECTIONS,
            count: () => transaction.ssoConnection.count({ where: { tenantId } }),
          })
          return created
        }),
      )
      return toConnection(publicUrl, row)
    },

    async updateSsoConnection({ caller, params, body, audit }) {
      const { tenantId } = caller
      const key = { tenantId, id: params['id'] ?? '' }
      const known = await deps.database.ssoConnection.findFirst({ where: key })
      if (known === null) throw notFound('connection')
      requirePlan(caller, known.type)
      const part = await changePart(deps, known, body)
      const row = await unlessTaken(async () =>
        deps.database.$transaction(async (transaction) => {
          const before = await lockConnection(transaction, key)
          const { oidc, saml, idpMetadata, domains, ...rest } = body
          const breakGlass = before.breakGlassUserId ?? defaultBreakGlass(caller, body.enforced)
          const after = await transaction.ssoConnection.update({
            where: { tenantId_id: key },
            data: {
              breakGlassUserId: breakGlass,
              ...given(rest),
              ...(domains === undefined ? {} : { domains: [...new Set(domains)] }),
              ...part,
              updatedAt: new Date(deps.now()),
            },
          })
          await requireEnforceable(transaction, after, trustedDomains)
          await record(transaction, audit, connectionChanges(publicUrl, before, after), key.id)
          return after
        }),
      )
      return toConnection(publicUrl, row)
    },
  }
}

async function record(
  transaction: Transaction,
  audit: AuditScope,
  changes: readonly AuditChange[],
  resourceId: string,
): Promise<void> {
  await recordAudit(transaction, audit, { resourceId, changes })
}

type Key = Pick<Row, 'tenantId' | 'id'>
/** The columns of a connection's type. */
type PartColumns = { config: Prisma.InputJsonValue; clientSecret?: string }

async function createPart(
  deps: SaveConnectionDeps,
  key: Key,
  { oidc, saml, idpMetadata }: CreateSsoConnection,
): Promise<PartColumns> {
  if (oidc === undefined) {
    const { tenantId } = key
    return samlColumns(await deps.checkSaml({ tenantId, saml, idpMetadata, before: null }))
  }
  checkIssuer(oidc.issuer, deps)
  const { issuer, clientId, clientSecret } = oidc
  return {
    config: { issuer, clientId },
    clientSecret: deps.seal.seal(clientSecret, clientSecretPlace(key)),
  }
}

/** What a change makes of the part of the connection's type; nothing where it does not name it. */
async function changePart(
  deps: SaveConnectionDeps,
  known: Row,
  { oidc, saml, idpMetadata }: UpdateSsoConnection,
): Promise<PartColumns | Record<string, never>> {
  if (known.type === 'saml') {
    if (oidc !== undefined) throw badField('oidc', 'is not of a connection by SAML')
    if (saml === undefined && idpMetadata === undefined) return {}
    const before = known.config as unknown as StoredSaml
    const { tenantId } = known
    return samlColumns(await deps.checkSaml({ tenantId, saml, idpMetadata, before }))
  }
  if (saml !== undefined) throw badField('saml', 'is not of a connection by OIDC')
  if (idpMetadata !== undefined) throw badField('idpMetadata', 'is not of a connection by OIDC')
  if (oidc === undefined) return {}
  const before = known.config as unknown as StoredOidc
  const { issuer = before.issuer, clientId = before.clientId, clientSecret } = oidc
  checkIssuer(issuer, deps)
  if (issuer !== before.issuer && clientSecret === undefined) {
    throw badField('oidc.clientSecret', 'must be given anew for another issuer')
  }
  const config = { issuer, clientId }
  if (clientSecret === undefined) return { config }
  return { config, clientSecret: deps.seal.seal(clientSecret, clientSecretPlace(known)) }
}

function samlColumns(saml: StoredSaml): PartColumns {
  return { config: { ...saml } }
}

async function lockConnection(transaction: Transaction, key: Key): Promise<Row> {
  await transaction.$queryRaw`SELECT FROM sso_connections WHERE tenant_id = ${key.tenantId}::uuid
    AND id = ${key.id}::uuid FOR UPDATE`
  const row = await transaction.ssoConnection.findFirst({ where: key })
  if (row === null) throw notFound('connection')
  return row
}

function requirePlan({ plan }: Caller, type: string): void {
  if (type !== 'saml' || hasFeature(plan, 'saml')) return
  const needed = leastPlanWith('saml')
  const message = `the plan ${plan} does not have saml: it needs ${needed} or more`
  throw new ApiError('PLAN_REQUIRED', message, { details: { plan: needed, feature: 'saml' } })
}

/** Whoever enforces a connection can go on signing in, should it not work. */
function defaultBreakGlass({ user }: Caller, enforced: boolean | undefined): string | null {
  return enforced === true ? (user?.id ?? null) : null
}

function given<Fields extends object>(fields: Fields): Partial<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<Fields>
}

function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
  return slug === '' ? 'sso' : slug
}

async function unlessTaken<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== 'P2002') throw error
    throw new ApiError('CONFLICT', 'another connection of the workspace has this slug')
  }
}
