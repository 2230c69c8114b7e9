/** The OpenAPI document, as far as its pages tell of it. */
import type { DocumentedSchema, DocumentedSchemas } from './schema-rows.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: DocumentedSchema
}

export interface Answer {
  $ref?: string
  description?: string
  content?: Record<string, { schema?: DocumentedSchema }>
}

export interface ApiOperation {
  method: string
  path: string
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, unknown>[]
  parameters: Parameter[]
  requestBody?: {
    required: boolean
    content: Record<string, { schema?: DocumentedSchema; example?: unknown }>
  }
  responses: Record<string, Answer>
}

export interface ApiDocument {
  paths: Record<string, Record<string, ApiOperation>>
  components: { schemas: DocumentedSchemas }
}
