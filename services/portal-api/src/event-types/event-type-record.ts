/** An event type as the API shows it, and the event types that a caller can see. */
import type { EventType } from '@posthorn/contracts/event-types'
import { parseJson } from '@posthorn/domain/parse-json'
import type { Caller } from '@posthorn/http/handlers'
import type { EventType as Row } from '@posthorn/store/generated/client'

/** The event types that the caller can see. A sub-account has those of its parent. */
export function eventTypesOf(caller: Caller): { tenantId: string; projectId?: string } {
  const { tenantId, projectId, parent } = caller
  if (parent !== null) return { tenantId: parent.tenantId, projectId: parent.homeProjectId }
  return { tenantId, ...(projectId === null ? {} : { projectId }) }
}

export function toEventType(row: Row): EventType {
  return {
    ...withoutSchema(row),
    schema: row.schema === null ? null : (parseJson(row.schema) as EventType['schema']),
  }
}

/**
 * As JSON text: a page of large schemas has 6 MB, which would take 60 ms of the event loop to parse
 * and serialise.
 */
export function toEventTypeText(row: Row): string {
  return textOf(withoutSchema(row), row)
}

/** As a sub-account sees it in the portal: the project is its parent's. */
export function toPortalEventTypeText(row: Row): string {
  const { projectId: _, ...shown } = withoutSchema(row)
  return textOf(shown, row)
}

function textOf(fields: object, { schema }: Row): string {
  return `${JSON.stringify(fields).slice(0, -1)},"schema":${schema ?? 'null'}}`
}

function withoutSchema(row: Row): Omit<EventType, 'schema'> {
  return {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    description: row.description,
    schemaVersion: row.schemaVersion,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
