/** What `posthorn migrate --plan` prints. */
import type { LockMode, LockedWork } from '@posthorn/store/migration-locks'
import type { MigrationPlan, PlannedLock, PlannedMigration } from '@posthorn/store/plan-migrations'

const WAITING: Record<LockMode, string> = {
  'ROW EXCLUSIVE': 'only writers of the same rows wait',
  'SHARE UPDATE EXCLUSIVE': 'nobody who reads or writes waits',
  SHARE: 'writes wait',
  'SHARE ROW EXCLUSIVE': 'writes wait',
  'ACCESS EXCLUSIVE': 'reads and writes wait',
}
const WORK: Record<LockedWork, string> = {
  brief: 'for a moment, whatever the size',
  scan: 'while all rows are read',
  rows: 'while rows are written',
  rewrite: 'while all rows are written anew',
}

export function planText({ pending, unknown, changed }: MigrationPlan): string {
  const lines = [
    pending.length === 0
      ? 'Nothing to do: every migration of this version has run.'
      : `${pending.length} ${pending.length === 1 ? 'migration' : 'migrations'} would run, each in a transaction of its own.`,
    ...pending.flatMap(migrationLines),
    '',
    ...changed.map((name) => `REFUSED: ${name} has changed since it ran on this database.`),
    ...unknown.map(
      (name) => `${name} ran here and is not of this version: a newer one works here.`,
    ),
    ...(pending.length === 0 ? [] : [conclusion(pending)]),
  ]
  return `${lines.join('\n').trim()}\n`
}

function migrationLines({ name, locks, faults }: PlannedMigration): string[] {
  return [
    '',
    name,
    ...(locks.length === 0 ? ['  locks nothing that was there before'] : locks.map(lockLine)),
    ...faults.map((fault) => `  THE VERSION BEFORE CANNOT GO ON: ${fault}`),
  ]
}

function lockLine({ statement, mode, work, relation, table }: PlannedLock): string {
  if (mode === null) return `  ${statement}\n    locks unknown: read the migration`
  const size =
    table === null
      ? `${relation} (new)`
      : `${table.name} (${rowsText(table.rows)}, ${bytesText(table.bytes)})`
  return `  ${statement}\n    ${mode} on ${size}: ${WAITING[mode]}, ${WORK[work]}`
}

/** The figure comes from statistics, which a table has only once it was analysed. */
function rowsText(rows: number): string {
  return rows === 0 ? 'few rows' : `about ${rows.toLocaleString('en-US')} rows`
}

function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const at = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${Math.round(bytes / 1024 ** at)} ${units[at]}`
}

function conclusion(pending: readonly PlannedMigration[]): string {
  return pending.every(({ faults }) => faults.length === 0)
    ? 'The version before can go on during and after this.'
    : 'Stop the version before first: it cannot go on after this.'
}
