/** An event type as the API shows it, and the event types that a caller can see. */
import type { EventType } from '@posthorn/contracts/event-types'
import type { Caller } from '@posthorn/http/handlers'
import type { EventType as Row } from '@posthorn/store/generated/client'

/** The event types that the caller can see. */
export function eventTypesOf(caller: Caller): { tenantId: string; projectId?: string } {
  const { tenantId, projectId } = caller
  return { tenantId, ...(projectId === null ? {} : { projectId }) }
}

export function toEventType(row: Row): EventType {
  return {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    description: row.description,
    schema: row.schema === null ? null : JSON.parse(row.schema),
    schemaVersion: row.schemaVersion,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
