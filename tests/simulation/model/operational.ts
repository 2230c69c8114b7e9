/** The model of `operational-events.ts` of the pipeline. */
import { SERVICE_PREFIX } from '@posthorn/domain/match-type'
import type { Transaction } from './database.ts'
import type { EventRow } from './rows.ts'
import type { Statement } from './statements.ts'

interface ProjectKey {
  tenantId: string
  projectId: string
}

export function asksForService(eventTypes: readonly string[]): boolean {
  return eventTypes.some((pattern) => pattern.startsWith(SERVICE_PREFIX))
}

export function hasSubscriber(
  db: Pick<Transaction, 'endpoints'>,
  { tenantId, projectId }: ProjectKey,
): boolean {
  return db.endpoints
    .all()
    .some(
      (row) =>
        row.tenantId === tenantId &&
        row.projectId === projectId &&
        !row.isDeleted &&
        asksForService(row.config.eventTypes),
    )
}

function write(
  db: Transaction,
  project: ProjectKey,
  type: string,
  fact: string,
  payload: string,
): void {
  if (!hasSubscriber(db, project)) return
  const { tenantId, projectId } = project
  const id = String(db.nextSeq())
  db.operational.put(id, { tenantId, projectId, id, type, fact, payload })
}

/** As `publishDead` of the pipeline, for an event whose last open delivery has ended. */
export function publishDead(db: Transaction, event: EventRow): void {
  if (event.eventType?.startsWith(SERVICE_PREFIX) === true) return
  if (!db.keeps('ending: who subscribes is told')) return
  write(db, event, 'service.event.dead', event.id, JSON.stringify({ eventId: event.id }))
}

interface WrittenEvent {
  tenant_id: string
  project_id: string
  event_type: string
  fact: string
  payload: string
}

function writeAll(db: Transaction, [json]: readonly unknown[]): unknown[] {
  for (const row of JSON.parse(json as string) as WrittenEvent[]) {
    const project = { tenantId: row.tenant_id, projectId: row.project_id }
    write(db, project, row.event_type, row.fact, row.payload)
  }
  return []
}

/** There is one tenant, so there are no shares. */
function take(db: Transaction, [, limit]: readonly unknown[]): unknown[] {
  const rows = db.operational.all().slice(0, limit as number)
  return rows.filter(({ id }) => {
    db.lock('operational', id)
    const isThere = db.operational.get(id) !== undefined
    if (db.keeps('relaying: a row goes with its event')) db.operational.delete(id)
    return isThere
  })
}

function patterns(db: Transaction): unknown[] {
  return db.endpoints
    .all()
    .filter((row) => !row.isDeleted)
    .flatMap(({ tenantId, projectId, config }) =>
      config.eventTypes
        .filter((pattern) => pattern.startsWith(SERVICE_PREFIX))
        .map((pattern) => ({ tenantId, projectId, pattern })),
    )
}

export const OPERATIONAL: Record<string, Statement> = {
  'any-operational-events': (db) => [{ any0: db.operational.all().length > 0 }],
  'write-operational-events': writeAll,
  'take-operational-events': take,
  'operational-patterns': patterns,
}
