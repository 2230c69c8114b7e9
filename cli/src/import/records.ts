/** What an import is made of, whichever service it comes from. */
import type { z } from 'zod'
import type { Fields } from '../apply/document.ts'
import type { SourceApi } from './read-source.ts'

/** A service that can be left. Its records are those of its API, and the lines of an export. */
export interface SourceService<SourceRecord = unknown> {
  name: string
  /** The variable that holds its token. */
  tokenVariable: string
  /** The path of its API, where `--from-url` has none. */
  defaultPath: string
  /** The shapes of its records, by the field that tells them apart. */
  shapes: Readonly<Record<string, z.ZodType<SourceRecord>>>
  read(api: SourceApi, options: { project: string | undefined }): AsyncIterable<SourceRecord>
  /** @param now milliseconds since 1970 */
  translate(record: SourceRecord, now: number): ImportBatch
  /** What goes on to verify, and what does not. */
  signatures: string
}

export interface ImportBatch {
  eventTypes: Fields[]
  /** null: the endpoints belong to the workspace itself. */
  account: ImportedAccount | null
  endpoints: ImportedEndpoint[]
  skipped: SkippedItem[]
}

export interface ImportedAccount {
  /** The first is the `externalId`; by any of them it is found again. */
  externalIds: readonly [string, ...string[]]
  name: string | null
  metadata: Fields
  notes: readonly string[]
}

export interface ImportedEndpoint {
  /** Its id there, which is kept in the description. */
  id: string
  fields: EndpointSettings
  /** A secret that is still valid for a while. */
  previous: PreviousSecret | null
  /** Something that the other service does not tell is missing: it is made paused. */
  isIncomplete: boolean
  /** Headers whose values it does not tell. */
  unknownHeaders: readonly string[]
  notes: readonly string[]
}

export interface EndpointSettings {
  url: string
  eventTypes: string[]
  description: string
  status: 'active' | 'paused'
  signingSecret?: string
  customHeaders?: Record<string, string> | null
  rateLimitPerSec?: number
  timeoutMs?: number
  filter?: FilterConditions | null
}

export type FilterConditions = { field: string; operator: string; value: unknown }[]

export interface PreviousSecret {
  secret: string
  graceMinutes: number
}

export interface SkippedItem {
  kind: 'event type' | 'endpoint' | 'sub-account'
  key: string
  reason: string
}

export const NOTHING: ImportBatch = { eventTypes: [], account: null, endpoints: [], skipped: [] }
