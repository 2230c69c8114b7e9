/** Bodies and answers of the event-type routes. */
import { z } from 'zod'
import { EventTypeName, JsonObject, PageQuery, pageOf } from './fields.ts'

const description = z.string().max(1_000).nullable()
const schemaVersion = z.string().max(64).nullable()
/**
 * A JSON Schema, draft 2020-12 or 7. Its size, its depth and its patterns are checked before it is
 * saved.
 */
const schema = JsonObject.nullable()

export const CreateEventType = z.strictObject({
  name: EventTypeName,
  description: description.optional(),
  schema: schema.optional(),
  schemaVersion: schemaVersion.optional(),
})
export type CreateEventType = z.infer<typeof CreateEventType>

export const UpdateEventType = CreateEventType.partial()
export type UpdateEventType = z.infer<typeof UpdateEventType>

export const EventType = z.object({
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  schema: JsonObject.nullable(),
  schemaVersion: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type EventType = z.infer<typeof EventType>

export const EventTypePage = pageOf(EventType)
export const EventTypeListQuery = PageQuery
