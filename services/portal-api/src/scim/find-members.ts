/** Reads members as SCIM shows them, one or a page; a workspace sees its own alone. */
import type { Database, Transaction } from '@posthorn/store/prisma'
import { isUuid } from '@posthorn/domain/ids'
import type { FilterComparison } from './parse-filter.ts'
import { scimRefusal } from './scim-refusals.ts'
import type { ScimMember } from './user-resource.ts'

export interface MemberRow extends ScimMember {
  role: string
  emailVerified: boolean
}

/** What a member is called to their identity provider. */
const USER_NAME = `COALESCE(m.scim_attributes->>'userName', u.email)`
const COLUMNS = `u.id::text, u.email, COALESCE(u.name, '') AS name, m.status = 'active' AS active,
  m.role, u.email_verified_at IS NOT NULL AS "emailVerified",
  m.scim_external_id AS "scimExternalId", m.scim_attributes AS "scimAttributes",
  m.created_at AS "createdAt", GREATEST(m.updated_at, u.updated_at) AS "updatedAt"`
const MEMBERS = 'FROM memberships m JOIN users u ON u.id = m.user_id'

type Reader = Pick<Database | Transaction, '$queryRawUnsafe'>

export async function findMember(
  database: Reader,
  tenantId: string,
  userId: string,
  lock: 'for update' | 'only read' = 'only read',
): Promise<MemberRow | null> {
  const rows = await database.$queryRawUnsafe<MemberRow[]>(
    `SELECT ${COLUMNS} ${MEMBERS} WHERE m.tenant_id = $1::uuid AND m.user_id = $2::uuid
      ${lock === 'for update' ? 'FOR UPDATE' : ''}`,
    tenantId,
    userId,
  )
  return rows[0] ?? null
}

/** @param exceptId the member who may have the name: themselves */
export async function isUserNameTaken(
  database: Reader,
  tenantId: string,
  userName: string,
  exceptId: string | null,
): Promise<boolean> {
  const rows = await database.$queryRawUnsafe<unknown[]>(
    `SELECT 1 ${MEMBERS} WHERE m.tenant_id = $1::uuid AND lower(${USER_NAME}) = lower($2)
      AND m.user_id IS DISTINCT FROM $3::uuid LIMIT 1`,
    tenantId,
    userName,
    exceptId,
  )
  return rows.length > 0
}

export interface MemberPage {
  filter: readonly FilterComparison[]
  offset: number
  limit: number
}

/** Members who joined first come first, so that a page stays what it is when others join. */
export async function findMembers(
  database: Reader,
  tenantId: string,
  { filter, offset, limit }: MemberPage,
): Promise<{ total: number; members: MemberRow[] }> {
  const values: unknown[] = [tenantId]
  const conditions = filter.map((comparison) => conditionOf(comparison, values))
  const where = ['m.tenant_id = $1::uuid', ...conditions].join(' AND ')
  const [counted] = await database.$queryRawUnsafe<{ total: number }[]>(
    `SELECT count(*)::int AS total ${MEMBERS} WHERE ${where}`,
    ...values,
  )
  const total = counted?.total ?? 0
  if (limit === 0 || offset >= total) return { total, members: [] }
  const members = await database.$queryRawUnsafe<MemberRow[]>(
    `SELECT ${COLUMNS} ${MEMBERS} WHERE ${where}
      ORDER BY m.created_at, m.user_id OFFSET $${values.length + 1} LIMIT $${values.length + 2}`,
    ...values,
    offset,
    limit,
  )
  return { total, members }
}

/** The condition in SQL; its value is added to `values`. */
function conditionOf({ attribute, value }: FilterComparison, values: unknown[]): string {
  if (attribute === 'active') {
    const isActive = String(value).toLowerCase() === 'true'
    if (typeof value === 'string' && !/^(?:true|false)$/i.test(value)) return 'false'
    return `(m.status = 'active') = ${isActive}`
  }
  if (typeof value !== 'string')
    throw scimRefusal('invalidFilter', `${attribute} is compared with a text in quotes`)
  if (attribute === 'id' && !isUuid(value)) return 'false'
  values.push(value)
  const given = `$${values.length}`
  if (attribute === 'id') return `m.user_id = ${given}::uuid`
  if (attribute === 'externalid') return `m.scim_external_id = ${given}`
  if (attribute === 'username') return `lower(${USER_NAME}) = lower(${given})`
  if (attribute !== 'emails.value' && attribute !== 'emails')
    throw scimRefusal('invalidFilter', `users are not found by ${attribute}`)
  return `(lower(u.email) = lower(${given}) OR EXISTS (
    SELECT 1 FROM jsonb_array_elements(
      CASE WHEN jsonb_typeof(m.scim_attributes->'emails') = 'array'
        THEN m.scim_attributes->'emails' ELSE '[]' END
    ) e WHERE lower(e->>'value') = lower(${given})
  ))`
}
