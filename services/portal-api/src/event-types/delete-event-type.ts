/** Deletes an event type. Events of that name are still accepted, but no longer checked. */
import type { Handlers } from '@posthorn/http/handlers'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import { bumpConfigVersion } from '@posthorn/store/config-version'
import type { Database } from '@posthorn/store/prisma'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import { eventTypesOf } from './event-type-record.ts'

export interface DeleteEventTypeDeps {
  database: Pick<Database, '$transaction'>
  announceChange: AnnounceChange
}

export function createDeleteEventType(
  deps: DeleteEventTypeDeps,
): Handlers<'portal-api'>['deleteEventType'] {
  return async ({ caller, params, audit }) => {
    const where = { ...eventTypesOf(caller), id: params['id'] ?? '' }
    await deps.database.$transaction(async (transaction) => {
      const before = await transaction.eventType.findFirst({ where })
      const { count } = await transaction.eventType.deleteMany({ where })
      if (before === null || count === 0) throw notFound('event type')
      const metadata = { name: before.name }
      await recordAudit(transaction, audit, { resourceId: before.id, metadata })
      await bumpConfigVersion(transaction, caller.tenantId)
    })
    deps.announceChange(caller.tenantId, 'event-types')
    return undefined
  }
}
