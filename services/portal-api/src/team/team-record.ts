/** Members and open invitations of a workspace, as one list. */
import type { TeamMember } from '@posthorn/contracts/team'
import { Prisma } from '@posthorn/store/generated/client'
import type { Database, Transaction } from '@posthorn/store/prisma'

export interface TeamRow {
  id: string
  email: string
  name: string | null
  role: TeamMember['role']
  status: TeamMember['status']
  source: TeamMember['source']
  lastLoginAt: Date | null
  createdAt: Date
}

/** @param where a condition on `id`, the user's or the invitation's */
function teamQuery(tenantId: string, where: Prisma.Sql, limit: number): Prisma.Sql {
  return Prisma.sql`
    SELECT * FROM (
      SELECT m.user_id AS id, u.email, u.name, m.role, m.status, m.source,
        m.last_login_at AS "lastLoginAt", m.created_at AS "createdAt"
      FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.tenant_id = ${tenantId}::uuid
      UNION ALL
      SELECT i.id, i.email, NULL, i.role, 'invited', 'invite', NULL, i.created_at
      FROM invitations i
      WHERE i.tenant_id = ${tenantId}::uuid AND i.accepted_at IS NULL AND i.revoked_at IS NULL
    ) team WHERE ${where} ORDER BY id DESC LIMIT ${limit}`
}

/** @param after the id that the page starts after; null: from the newest on */
export async function readTeam(
  database: Pick<Database, '$queryRaw'>,
  tenantId: string,
  after: string | null,
  limit: number,
): Promise<TeamRow[]> {
  const where = after === null ? Prisma.sql`true` : Prisma.sql`id < ${after}::uuid`
  return await database.$queryRaw<TeamRow[]>(teamQuery(tenantId, where, limit))
}

/** A member or an open invitation. */
export async function readTeamMember(
  transaction: Pick<Transaction, '$queryRaw'>,
  tenantId: string,
  id: string,
): Promise<TeamRow | undefined> {
  const where = Prisma.sql`id = ${id}::uuid`
  const [row] = await transaction.$queryRaw<TeamRow[]>(teamQuery(tenantId, where, 1))
  return row
}

export function toTeamMember({ id, lastLoginAt, createdAt, ...row }: TeamRow): TeamMember {
  return {
    userId: id,
    ...row,
    lastLoginAt: lastLoginAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}
