/** What the keywords of a schema are compiled with. */
import type { StepBudget } from '@posthorn/domain/step-budget'
import type { SchemaNode } from './evaluate.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

export type NameTest = (text: string, budget: StepBudget) => boolean

/** A schema at its place in the document, with what its keywords need to be compiled. */
export interface SchemaPlace {
  schema: JsonSchema
  isDraft7: boolean
  /** Compiles a schema below one of this schema's keywords. */
  within(keyword: string, ...names: (string | number)[]): SchemaNode
  /** Like `within`, for a schema that is run on the same value as this one. */
  inPlace(keyword: string, ...names: (string | number)[]): SchemaNode
  /** The target of a reference, known once the whole document has been read. */
  refer(to: string): { node: SchemaNode | undefined }
  /** A pattern's test; null if it is none, which is reported as a problem of that place. */
  pattern(source: string, ...names: string[]): NameTest | null
}
