/** Changes the role of a member or of an invitation, removes a member, revokes an invitation. */
import type { Handlers } from '@posthorn/http/handlers'
import { changesOf } from '@posthorn/store/audit/changes-of'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Database, Transaction } from '@posthorn/store/prisma'
import { recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { endSessions, originOf } from '../auth/start-session.ts'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import { refuseLastAdmin } from './last-admin.ts'
import { readTeamMember, toTeamMember } from './team-record.ts'

export interface ChangeMemberDeps {
  database: Pick<Database, '$transaction'>
  announceChange: AnnounceChange
}

export function createChangeMember({
  database,
  announceChange,
}: ChangeMemberDeps): Pick<Handlers<'portal-api'>, 'updateMember' | 'removeMember'> {
  return {
    async updateMember({ caller, params, body, audit }) {
      const { tenantId } = caller
      const { role } = body
      const id = params['userId'] ?? ''
      const row = await database.$transaction(async (transaction) => {
        const before = await readTeamMember(transaction, tenantId, id)
        if (role !== 'admin') await refuseLastAdmin(transaction, tenantId, id)
        const { count } = await transaction.membership.updateMany({
          where: { tenantId, userId: id },
          data: { role, updatedAt: new Date() },
        })
        if (count === 0) {
          const open = { tenantId, id, acceptedAt: null, revokedAt: null }
          await transaction.invitation.updateMany({ where: open, data: { role } })
        }
        const after = await readTeamMember(transaction, tenantId, id)
        if (before === undefined || after === undefined) throw notFound('member')
        const changes = changesOf(toTeamMember(before), toTeamMember(after))
        const metadata = { email: after.email }
        await recordAudit(transaction, audit, { resourceId: id, changes, metadata })
        return after
      })
      announceChange(tenantId, 'sessions')
      return toTeamMember(row)
    },

    async removeMember(request) {
      const { tenantId } = request.caller
      const id = request.params['userId'] ?? ''
      await database.$transaction(async (transaction) => {
        const row = await readTeamMember(transaction, tenantId, id)
        if (row === undefined) throw notFound('member')
        const { email, role, status } = row
        const metadata = { email, role, status }
        await recordAudit(transaction, request.audit, { resourceId: id, metadata })
        if (row.status === 'invited') {
          const open = { tenantId, id, acceptedAt: null, revokedAt: null }
          const data = { revokedAt: new Date() }
          const { count } = await transaction.invitation.updateMany({ where: open, data })
          if (count === 0) throw notFound('member')
          return
        }
        await refuseLastAdmin(transaction, tenantId, id)
        const ended = await endSessions(transaction, id, { tenantId })
        const { count } = await transaction.membership.deleteMany({
          where: { tenantId, userId: id },
        })
        if (count === 0) throw notFound('member')
        if (ended.length > 0) {
          const who = { tenantId, userId: id, subject: row.email, ...originOf(request) }
          const reason = { reason: 'member removed' }
          await recordAuthEvent(transaction, { event: 'session.revoke', ...who, metadata: reason })
        }
        await forgetHomeless(transaction, id)
      })
      announceChange(tenantId, 'sessions')
      return undefined
    },
  }
}

/**
 * Deletes the record of a person who is no member of any workspace any more, with all that signs
 * them in. The lock makes a membership that is being added count: its row refers to this one.
 */
async function forgetHomeless(transaction: Transaction, userId: string): Promise<void> {
  await transaction.$queryRaw`SELECT FROM users WHERE id = ${userId}::uuid FOR UPDATE`
  await transaction.$executeRaw`
    DELETE FROM users u WHERE id = ${userId}::uuid
      AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)`
}
