/**
 * Finds the events that pass some filters, newest first, in steps of bounded size.
 *
 * One filter drives: its index is read backwards, and the other filters are applied to the rows it
 * yields. Where several filters have an index, the one with the fewest events drives. Most pages
 * are full after a first step. Where they are not, few events pass both filters, so from the second
 * step on each id is looked up in the indexes of the other filters, and only the events that are in
 * all of them are read: their rows lie far apart, and reading them all takes seconds. Searching
 * stops after two seconds, and the answer then says where to go on.
 *
 * Each step sees what is committed at that time, so a page is not one snapshot.
 */
import type { EventStatus } from '@posthorn/domain/delivery-state'
import { findWaitingEvents } from './find-waiting-events.ts'
import type { Pool } from '@posthorn/store/pool'
import { HAS_STATUS } from './event-record.ts'

export interface EventFilter {
  tenantId: string
  projectId: string | null
  status?: EventStatus | undefined
  eventType?: string | undefined
  endpointId?: string | undefined
  destination?: string | undefined
  /** Ids from this one on, inclusive. */
  fromId?: string | undefined
  /** Ids below this one. */
  beforeId?: string | undefined
}

export interface FoundEvents {
  /** Newest first, and at most as many as were asked for. */
  ids: string[]
  /** Where to go on when time was up before enough events or the end were found; otherwise null. */
  stoppedAt: string | null
}

export interface FindEventsDeps {
  pool: Pool
  /** Milliseconds of a monotonic clock. */
  now(): number
}

/** How long one page may be searched for. */
const MAX_WORK_MS = 2_000
/**
 * Rows of a step. An event takes 2 us, or 10 us when it is looked up by its key, so a step takes at
 * most 160 ms.
 */
const FIRST_STEP = 500
const MAX_STEP = 16_000
const STEP_GROWTH = 4
/** Each takes 10 us, for two look-ups by key. */
const MAX_WAITING = 1_000
/**
 * How many events of each filter are counted, to find the filter with the fewest: this takes about
 * 1 ms each.
 */
const MAX_COUNTED = 5_000

/** The conditions of the partial indexes of `events`. A query must name them to use the index. */
const INDEXED_STATUS: Partial<Record<EventStatus, string>> = {
  dead: 'dead_count > 0',
  failed: 'waiting_count > 0',
}

/** Adds a value to a statement's parameters and returns its placeholder, `$n`. */
type Place = (value: unknown) => string
type SqlCondition = (place: Place) => string

/** What is read backwards: events along one of their indexes, or the deliveries of an endpoint. */
interface Driver {
  table: 'events' | 'deliveries'
  condition: SqlCondition
  /** Conditions of the other filters whose ids an index alone can tell. */
  others: readonly SqlCondition[]
}

interface IndexedCondition {
  condition: SqlCondition
  /** The index tells the ids without the rows, and a range of it is far shorter than the table. */
  hasIds: boolean
}

interface ScanStep {
  ids: string[]
  looked: number
  last: string | null
}

export function createFindEvents({ pool, now }: FindEventsDeps) {
  return async (filter: EventFilter, limit: number): Promise<FoundEvents> => {
    const endsAt = now() + MAX_WORK_MS
    const driver = await chooseDriver(pool, filter)
    const matches = restOf(filter, driver)
    const ids: string[] = []
    let rest = filter
    // Without another filter every event that is read also matches.
    for (let size = matches.length === 0 ? limit : FIRST_STEP; ; ) {
      const step = await readStep(pool, rest, driver, matches, { size, limit: limit - ids.length })
      ids.push(...step.ids)
      if (step.last === null || step.looked < size || ids.length >= limit)
        return { ids, stoppedAt: null }
      if (now() > endsAt) return { ids, stoppedAt: step.last }
      rest = { ...rest, beforeId: step.last }
      size = Math.min(size * STEP_GROWTH, MAX_STEP)
    }
  }
}

async function chooseDriver(pool: Pool, filter: EventFilter): Promise<Driver> {
  const { status, endpointId, tenantId } = filter
  if (status === 'queued' || status === 'delivering') {
    const waiting = await findWaitingEvents(pool, tenantId, MAX_WAITING)
    if (waiting !== null)
      return {
        table: 'events',
        condition: (place) => `id = ANY (${place(waiting)}::uuid[])`,
        others: [],
      }
  }
  const indexed = indexedConditions(filter)
  const othersThan = (driver: SqlCondition | null): SqlCondition[] =>
    indexed
      .filter(({ condition, hasIds }) => hasIds && condition !== driver)
      .map(({ condition }) => condition)
  if (endpointId !== undefined)
    return {
      table: 'deliveries',
      condition: (place) => `endpoint_id = ${place(endpointId)}`,
      others: othersThan(null),
    }
  const conditions = indexed.map(({ condition }) => condition)
  const condition = await rarest(pool, filter, conditions)
  return { table: 'events', condition, others: othersThan(condition) }
}

/** The conditions that have an index of their own. Of two equally rare ones the first drives. */
function indexedConditions(filter: EventFilter): IndexedCondition[] {
  const { status, eventType, destination, projectId } = filter
  const ofStatus = status === undefined ? undefined : INDEXED_STATUS[status]
  const conditions: IndexedCondition[] = []
  const add = (condition: SqlCondition, hasIds: boolean): void =>
    void conditions.push({ condition, hasIds })
  if (destination !== undefined) {
    // The index holds hashes of URLs. `restOf` compares the URLs themselves.
    const hash = (text: string): string => `hashtextextended(${text}, 0)`
    add((place) => `${hash('destination')} = ${hash(place(destination))}`, false)
  }
  if (ofStatus !== undefined) add(() => ofStatus, true)
  if (eventType !== undefined) add((place) => `event_type = ${place(eventType)}`, true)
  if (projectId !== null) add((place) => `project_id = ${place(projectId)}`, false)
  return conditions
}

async function rarest(
  pool: Pool,
  filter: EventFilter,
  conditions: readonly SqlCondition[],
): Promise<SqlCondition> {
  const [first = () => 'true'] = conditions
  if (conditions.length < 2) return first
  const { place, values } = createValues()
  const counts = conditions.map((condition) => {
    const where = `${inRange(filter, 'id', place)} AND ${condition(place)}`
    return `(SELECT count(*) FROM (SELECT FROM events WHERE ${where}
      LIMIT ${MAX_COUNTED}) counted)::int`
  })
  const { rows } = await pool.query<{ counts: number[] }>(
    `SELECT ARRAY[${counts.join(', ')}] AS counts`,
    values,
  )
  const found = rows[0]?.counts ?? []
  return conditions[found.indexOf(Math.min(...found))] ?? first
}

/** The conditions that are left to check for an event that the driver yields. */
function restOf(filter: EventFilter, driver: Driver): SqlCondition[] {
  const { endpointId, destination, eventType, projectId, status } = filter
  const conditions: SqlCondition[] = []
  if (destination !== undefined) conditions.push((place) => `e.destination = ${place(destination)}`)
  if (eventType !== undefined) conditions.push((place) => `e.event_type = ${place(eventType)}`)
  if (projectId !== null) conditions.push((place) => `e.project_id = ${place(projectId)}`)
  if (status !== undefined) conditions.push(() => HAS_STATUS[status])
  // Here the driver yields at most 1,000 waiting events.
  if (endpointId !== undefined && driver.table === 'events') {
    conditions.push(
      (place) => `EXISTS (SELECT FROM deliveries d WHERE d.tenant_id = e.tenant_id
        AND d.event_id = e.id AND d.endpoint_id = ${place(endpointId)})`,
    )
  }
  return conditions
}

/**
 * Reads one step of the driver.
 * @returns the events of it that pass, and how far it came
 */
async function readStep(
  pool: Pool,
  filter: EventFilter,
  driver: Driver,
  matches: readonly SqlCondition[],
  { size, limit }: { size: number; limit: number },
): Promise<ScanStep> {
  const { place, values } = createValues()
  const isRare = size > FIRST_STEP && driver.others.length > 0
  const passes = matches.map((condition) => condition(place)).join(' AND ') || 'true'
  const column = driver.table === 'events' ? 'id' : 'event_id'
  const driven = `FROM ${driver.table}
    WHERE ${inRange(filter, column, place)} AND ${driver.condition(place)}
    ORDER BY ${column} DESC LIMIT ${size}`
  const looked = isRare
    ? `SELECT ${column} AS id ${driven}`
    : driver.table === 'events'
      ? `SELECT id, ${passes} AS passes FROM (SELECT * ${driven}) e`
      : `SELECT d.event_id AS id, e.id IS NOT NULL AND ${passes} AS passes
         FROM (SELECT tenant_id, event_id ${driven}) d
         LEFT JOIN events e ON e.tenant_id = d.tenant_id AND e.id = d.event_id`
  // An unnamed statement is planned with its values, so partitions outside of their range are
  // skipped.
  const { rows } = await pool.query<ScanStep>(
    `WITH looked AS MATERIALIZED (${looked}),
       passing AS (${isRare ? inAllIndexes(filter, driver.others, place, passes) : PASSING})
     SELECT (SELECT count(*)::int FROM looked) AS looked,
       (SELECT id FROM looked ORDER BY id LIMIT 1) AS last,
       ARRAY(SELECT id FROM passing ORDER BY id DESC LIMIT ${limit}) AS ids`,
    values,
  )
  return rows[0] ?? { ids: [], looked: 0, last: null }
}

const PASSING = 'SELECT id FROM looked WHERE passes'

/**
 * The events that the driver yields, that are in the other indexes too, and that pass. OFFSET 0
 * keeps the look-ups single: as a join Postgres would read all that the other indexes have between
 * the first and the last of the step, which may be millions.
 */
function inAllIndexes(
  filter: EventFilter,
  others: readonly SqlCondition[],
  place: Place,
  passes: string,
): string {
  const inOthers = others.map(
    (condition) => `EXISTS (SELECT FROM events o WHERE o.tenant_id = ${place(filter.tenantId)}
       AND o.id = looked.id AND ${condition(place)} OFFSET 0)`,
  )
  return `SELECT e.id FROM events e WHERE e.tenant_id = ${place(filter.tenantId)}
     AND e.id = ANY (ARRAY(SELECT id FROM looked WHERE ${inOthers.join(' AND ')})) AND ${passes}`
}

/**
 * Only the conditions that are given: an `OR $n IS NULL` would keep Postgres from using the range
 * of the index.
 */
function inRange(
  { tenantId, fromId, beforeId }: EventFilter,
  column: string,
  place: Place,
): string {
  const conditions = [`tenant_id = ${place(tenantId)}`]
  if (beforeId !== undefined) conditions.push(`${column} < ${place(beforeId)}`)
  if (fromId !== undefined) conditions.push(`${column} >= ${place(fromId)}`)
  return conditions.join(' AND ')
}

function createValues(): { place: Place; values: unknown[] } {
  const values: unknown[] = []
  return { values, place: (value) => `$${values.push(value)}` }
}
