/**
 * The way of a job through a workspace: table after table, and in each the workspace and its
 * sub-accounts one after another. A job's position is where the next step begins; it is written
 * with each step, so that whoever takes the job over goes on there.
 */
import type { Pool } from '@posthorn/store/pool'
import {
  findReferences,
  FIRST_ID,
  type FoundRow,
  nextTenant,
  type ReferencePage,
  type SearchedTable,
  type Subject,
} from './find-references.ts'

export interface WalkPosition {
  table: number
  /** null: the first. */
  tenantId: string | null
  after: string
}

export const BEGINNING: WalkPosition = { table: 0, tenantId: null, after: FIRST_ID }

export interface WalkStep<Row extends FoundRow> {
  tenantId: string
  page: ReferencePage<Row>
  /** Where the next step begins. */
  next: WalkPosition
}

/** @returns null: the table has no more tenants */
export async function walk<Row extends FoundRow>(
  pool: Pool,
  workspaceId: string,
  { position, table }: { position: WalkPosition; table: SearchedTable },
  subject: Subject,
): Promise<WalkStep<Row> | null> {
  const tenantId = position.tenantId ?? (await nextTenant(pool, workspaceId, null))
  if (tenantId === null) return null
  const { after } = position
  const page = await findReferences<Row>(pool, table, { tenantId, after }, subject)
  if (page.after !== null) {
    return { tenantId, page, next: { table: position.table, tenantId, after: page.after } }
  }
  const following = await nextTenant(pool, workspaceId, tenantId)
  const next =
    following === null
      ? { table: position.table + 1, tenantId: null, after: FIRST_ID }
      : { table: position.table, tenantId: following, after: FIRST_ID }
  return { tenantId, page, next }
}
