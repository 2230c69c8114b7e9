/** What one page of a search costs: rows with long texts make it short. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { startTestCompliance, type TestCompliance } from '../compliance.fixture.ts'
import {
  createSubject,
  findReferences,
  FIRST_ID,
  type FoundRow,
  type ReferencePage,
} from './find-references.ts'
import { EVENTS } from './subject-tables.ts'

let compliance: TestCompliance
beforeAll(async () => {
  compliance = await startTestCompliance()
})
afterAll(async () => {
  await compliance.close()
})

/** @returns how many rows each page had */
async function pagesOf(rows: number, payload: string): Promise<number[]> {
  const { pool } = compliance
  const { tenantId, projectId } = await compliance.addWorkspace()
  await pool.query(
    `INSERT INTO events (tenant_id, id, project_id, idempotency_key, payload, priority, trace_id,
       fanned_out_at, open_count, ended_at)
     SELECT $1, id, $2, id::text, $3, 5, '', now(), 0, now() FROM unnest($4::uuid[]) id`,
    [tenantId, projectId, payload, Array.from({ length: rows }, () => newId())],
  )
  const subject = createSubject('ann@example.com')
  const pages: number[] = []
  let after: string | null = FIRST_ID
  while (after !== null) {
    const page: ReferencePage<FoundRow> = await findReferences(
      pool,
      EVENTS,
      { tenantId, after },
      subject,
    )
    pages.push(page.scanned)
    after = page.after
  }
  return pages
}

test('a page ends with the row that makes it longer than 16 MiB', async () => {
  expect(await pagesOf(100, '{}')).toEqual([100])
  expect(await pagesOf(70, `"${'%'.repeat(256 * 1024)}"`)).toEqual([64, 6])
  // What is longer than a page is a page.
  expect(await pagesOf(2, `"${'%'.repeat(16 * 1024 * 1024)}"`)).toEqual([1, 1])
}, 60_000)
