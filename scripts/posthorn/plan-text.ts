/** What `posthorn migrate --plan` prints. */
import type { LockMode, LockedWork } from '@posthorn/store/migration-locks'
import type { MigrationPlan, PlannedLock, PlannedMigration } from '@posthorn/store/plan-migrations'

type PlannedTable = NonNullable<PlannedLock['table']>

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
/**
 * Bytes a second, tables and indexes together, on one slow disk: an order of magnitude, so that
 * seconds are told from hours. An index is sorted and written, a new column's check only read.
 */
const BYTES_PER_SECOND: Partial<Record<LockedWork, number>> = { scan: 100e6, rewrite: 25e6 }
/** Statistics of a table that nobody has analysed have no rows, whatever its size. */
const HARDLY_ANY_BYTES = 1e6

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
      : `${table.name} (${rowsText(table)}, ${bytesText(table.bytes)})`
  return `  ${statement}\n    ${mode} on ${size}: ${WAITING[mode]}, ${WORK[work]}${timeText(work, table)}`
}

/** The figure comes from statistics, which a table has only once it was analysed. */
function rowsText({ rows, bytes }: PlannedTable): string {
  if (rows > 0) return `about ${rows.toLocaleString('en-US')} rows`
  return bytes > HARDLY_ANY_BYTES ? 'rows not counted' : 'few rows'
}

function timeText(work: LockedWork, table: PlannedTable | null): string {
  const rate = BYTES_PER_SECOND[work]
  if (rate === undefined || table === null) return ''
  const seconds = table.bytes / rate
  if (seconds < 1) return ', for less than a second'
  const [amount, unit] = seconds < 120 ? [seconds, 'seconds'] : [seconds / 60, 'minutes']
  return `, for about ${Math.ceil(amount)} ${unit}`
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
