/**
 * Sums up entries of the outbox by scope and bucket, so that what thousands of attempts add to a
 * row is written once. Pure.
 *
 * An entry counts to its endpoint, its project and its tenant, in its minute, hour and day.
 */
import type { Grain } from './read-window.ts'
import { decodeEntries, type Entry, type EntryKind, idOfBytes, NO_ID_BYTES } from './entries.ts'
import { CELLS } from './latency-cells.ts'

export const COUNT_COLUMNS = [
  'accepted',
  'succeeded',
  'acknowledged',
  'dead',
  'timeout',
  'http_4xx',
  'http_5xx',
  'dns',
  'tls',
  'refused',
  'other',
] as const
type CountColumn = (typeof COUNT_COLUMNS)[number]

export interface RollupDelta {
  tenantId: string
  scopeId: string
  /** Seconds since 1970. */
  bucket: number
  counts: Record<CountColumn, number>
  /** Seconds since 1970; null: none. */
  lastSuccessAt: number | null
  lastFailureAt: number | null
  /** Empty: there were no attempts. */
  cells: number[]
}

export interface MomentDelta {
  tenantId: string
  /** Seconds since 1970. */
  bucket: number
  accepted: number
  delivered: number
}

export interface EntrySums {
  add(tenantId: string, body: Buffer): void
  /**
   * Each in the order in which its rows are to be locked. They are made one by one, as they are
   * asked for: all of a large fold would take a second of the event loop.
   */
  rollups(): Record<Grain, Iterable<RollupDelta>>
  moments(): MomentDelta[]
}

export const SECONDS: Record<Grain, number> = { minutes: 60, hours: 3_600, days: 86_400 }
export const MOMENT_SECONDS = 5

/** By scope, and by the number of the minute. */
type Scopes = Map<string, Map<number, RollupDelta>>

export function createEntrySums(): EntrySums {
  const tenants = new Map<string, Scopes>()
  const moments = new Map<string, MomentDelta>()

  function deltaOf(tenantId: string, scope: string, minute: number): RollupDelta {
    let scopes = tenants.get(tenantId)
    if (scopes === undefined) tenants.set(tenantId, (scopes = new Map()))
    let minutes = scopes.get(scope)
    if (minutes === undefined) scopes.set(scope, (minutes = new Map()))
    let delta = minutes.get(minute)
    if (delta === undefined) {
      const scopeId = scope === '' ? tenantId : idOfBytes(scope)
      minutes.set(minute, (delta = emptyDelta(tenantId, scopeId, minute * SECONDS.minutes)))
    }
    return delta
  }

  function addMoment(tenantId: string, { kind, second, times }: Entry): void {
    const bucket = floor(second, MOMENT_SECONDS)
    const key = `${tenantId} ${bucket}`
    let moment = moments.get(key)
    if (moment === undefined) {
      moments.set(key, (moment = { tenantId, bucket, accepted: 0, delivered: 0 }))
    }
    if (kind === 'accepted') moment.accepted += times
    else moment.delivered += times
  }

  return {
    add(tenantId, body) {
      for (const entry of decodeEntries(body)) {
        const minute = Math.floor(entry.second / SECONDS.minutes)
        if (entry.endpoint !== NO_ID_BYTES) {
          addEntry(deltaOf(tenantId, entry.endpoint, minute), entry)
        }
        if (entry.kind === 'made') continue
        addEntry(deltaOf(tenantId, entry.project, minute), entry)
        addEntry(deltaOf(tenantId, '', minute), entry)
        if (IN_MOMENTS.includes(entry.kind)) addMoment(tenantId, entry)
      }
    },
    rollups: () => {
      const inOrder = [...tenants].sort(byName).map(([, scopes]) => scopes)
      return {
        minutes: deltasOf(inOrder, SECONDS.minutes),
        hours: deltasOf(inOrder, SECONDS.hours),
        days: deltasOf(inOrder, SECONDS.days),
      }
    },
    moments: () =>
      [...moments.values()].sort((a, b) =>
        a.tenantId === b.tenantId ? a.bucket - b.bucket : a.tenantId < b.tenantId ? -1 : 1,
      ),
  }
}

const IN_MOMENTS: readonly EntryKind[] = ['accepted', 'succeeded', 'acknowledged']

function emptyDelta(tenantId: string, scopeId: string, bucket: number): RollupDelta {
  const counts = Object.fromEntries(COUNT_COLUMNS.map((column) => [column, 0])) as Record<
    CountColumn,
    number
  >
  return { tenantId, scopeId, bucket, counts, lastSuccessAt: null, lastFailureAt: null, cells: [] }
}

function addEntry(delta: RollupDelta, { kind, isDead, second, cell, times }: Entry): void {
  const { counts } = delta
  if (isDead) counts.dead += times
  if (kind === 'dead') return
  if (kind === 'made') {
    counts.accepted += times
    return
  }
  counts[kind] += times
  if (kind === 'accepted') return
  if (kind === 'succeeded' || kind === 'acknowledged') {
    delta.lastSuccessAt = Math.max(delta.lastSuccessAt ?? 0, second)
  } else delta.lastFailureAt = Math.max(delta.lastFailureAt ?? 0, second)
  if (kind === 'acknowledged') return
  if (delta.cells.length === 0) delta.cells = Array.from({ length: CELLS }, () => 0)
  delta.cells[cell] = (delta.cells[cell] ?? 0) + times
}

/** @param seconds how long a bucket is */
function* deltasOf(tenants: readonly Scopes[], seconds: number): Generator<RollupDelta> {
  for (const scopes of tenants) {
    const named = [...scopes.values()].map((minutes) => [scopeOf(minutes), minutes] as const)
    for (const [, minutes] of named.sort(byName)) yield* coarser(minutes, seconds)
  }
}

function scopeOf(minutes: ReadonlyMap<number, RollupDelta>): string {
  const [first] = minutes.values()
  return first?.scopeId ?? ''
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}

/** What a scope's minutes come to in longer buckets. */
function coarser(minutes: ReadonlyMap<number, RollupDelta>, seconds: number): RollupDelta[] {
  const byBucket = new Map<number, RollupDelta>()
  for (const delta of minutes.values()) {
    const bucket = floor(delta.bucket, seconds)
    const total = byBucket.get(bucket)
    if (total === undefined) {
      const { counts, cells } = delta
      byBucket.set(bucket, { ...delta, bucket, counts: { ...counts }, cells: [...cells] })
    } else addDelta(total, delta)
  }
  return [...byBucket.values()].sort((a, b) => a.bucket - b.bucket)
}

function addDelta(total: RollupDelta, more: RollupDelta): void {
  for (const column of COUNT_COLUMNS) total.counts[column] += more.counts[column]
  total.lastSuccessAt = latest(total.lastSuccessAt, more.lastSuccessAt)
  total.lastFailureAt = latest(total.lastFailureAt, more.lastFailureAt)
  for (const [cell, count] of more.cells.entries()) {
    total.cells[cell] = (total.cells[cell] ?? 0) + count
  }
}

function latest(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b)
}

function floor(second: number, unit: number): number {
  return Math.floor(second / unit) * unit
}
