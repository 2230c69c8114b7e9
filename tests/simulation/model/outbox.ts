/** The model of the rollups' outbox: `entries.ts` of the rollups. */
import { ENTRY_KIND, type EntryKind } from '@posthorn/store/rollups/entries'
import type { Transaction } from './database.ts'
import type { OutboxRow } from './rows.ts'

/** The bits of an entry's code that tell no time. */
const WHAT = 2 ** 12
const CELLS = 2 ** 7

type Counted = Pick<OutboxRow, 'tenantId'> & Partial<Omit<OutboxRow, 'id' | 'what'>>

export function countEntry(db: Transaction, what: number, counted: Counted): void {
  const id = String(db.nextSeq())
  const none = { endpointId: null, projectId: null, attemptId: null, deliveryId: null }
  db.outbox.put(id, { ...none, ...counted, id, what })
}

export function countWithoutAttempt(db: Transaction, kind: EntryKind, counted: Counted): void {
  countEntry(db, ENTRY_KIND[kind] * CELLS, counted)
}

/** What the code of an attempt tells but for its time. */
export function whatOf(code: number): number {
  return code % WHAT
}
