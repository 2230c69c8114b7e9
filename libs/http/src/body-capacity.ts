/**
 * Limits how many bytes of bodies a server has in memory at once, for each of its doors (the ingest
 * API, the management API, the inbound addresses) over all connections: each body from its reading
 * to the end of its handler. A body belongs to its known sender, an API key or a source, and no
 * sender has more than an eighth of a pool. Bodies up to 64 KiB have a pool of their own, which
 * large ones can't fill.
 *
 * Many keys and sources together can still fill a pool. A sender who then comes and has less than
 * the tenant with the most takes the place of one of that tenant's bodies that is still being read.
 * So a tenant who sends normally finds capacity whatever the others do. Bodies that a handler works
 * on are never taken away.
 */
import {
  addLast,
  createLinkedList,
  itemsOf,
  leaveList,
  type LinkedList,
  type ListEntry,
} from '@posthorn/async/linked-list'
import { unavailable } from './errors.ts'

/** Who sends a body: a key or a source, and its tenant. */
export interface BodySender {
  tenantId: string
  senderId: string
}

/** The capacity that one request takes. */
export interface BodyReservation {
  /**
   * Reserves this many bytes more. Throws UNAVAILABLE where they do not fit now, and reserves
   * nothing then.
   */
  reserve(bytes: number): void
  /**
   * From here until `atWork` the reservation may be taken away: `cut` is told why, and nothing is
   * reserved any more.
   */
  reading(cut: (error: Error) => void): void
  atWork(): void
  release(): void
}

export type BodyCapacity = (sender: BodySender) => BodyReservation

export interface BodyCapacityConfig {
  /** The largest single body of this door, in bytes. */
  largestBody: number
  /** Bytes of bodies over 64 KiB; at least eight of the largest. */
  maxBytes?: number
  maxSmallBytes?: number
}

export const SMALL_BODY_BYTES = 64 * 1024
const SHARES = 8
/**
 * As text, as parsed value and within a statement a body takes some 5 times its bytes: 320 MB while
 * all of them are at work. 256 of the largest events, or 8 of the largest batches.
 */
const MAX_BYTES = 64 * 1024 * 1024
/** A share is 2 MiB: 2,000 requests of 1 KB of one key at once. */
const MAX_SMALL_BYTES = 16 * 1024 * 1024
/**
 * This many senders and tenants keep their entries when nothing of theirs is held any more: entries
 * that come and go with each request make a chain of the Map's tables (see `linked-list.ts`).
 */
const MAX_IDLE = 1_000
/** At most this many other bodies are cut for one request. */
const MAX_CUTS = 16

interface BodyPool {
  readonly maxBytes: number
  used: number
  readonly bySender: Map<string, number>
  readonly byTenant: Map<string, number>
  /** The bodies that are still being read, by tenant. */
  readonly reading: Map<string, LinkedList<ReservedBody>>
}

export function createBodyCapacity(config: BodyCapacityConfig): BodyCapacity {
  const large = createPool(Math.max(config.maxBytes ?? MAX_BYTES, SHARES * config.largestBody))
  const small = createPool(config.maxSmallBytes ?? MAX_SMALL_BYTES)
  return ({ tenantId, senderId }) => new ReservedBody(tenantId, senderId, small, large)
}

/** A class, because there is one for each request: four closures would take 400 bytes more. */
class ReservedBody implements BodyReservation {
  readonly tenantId: string
  readonly senderId: string
  readonly #small: BodyPool
  readonly #large: BodyPool
  own = 0
  pool: BodyPool
  cut: ((error: Error) => void) | null = null
  /** Its place among those of its tenant that are being read; null: it has none. */
  entry: ListEntry<ReservedBody> | null = null

  constructor(tenantId: string, senderId: string, small: BodyPool, large: BodyPool) {
    this.tenantId = tenantId
    this.senderId = senderId
    this.#small = small
    this.#large = large
    this.pool = small
  }

  reserve(bytes: number): void {
    const pool = this.#find(bytes)
    if (pool !== this.pool) moveTo(pool, this)
    add(this, bytes)
  }

  reading(cut: (error: Error) => void): void {
    this.cut = cut
    addReading(this)
  }

  atWork(): void {
    this.cut = null
    removeReading(this)
  }

  release(): void {
    leave(this)
  }

  /**
   * Finds the pool in which the request's bytes and `bytes` more fit. A body that does not fit
   * among the small ones may be a large one.
   */
  #find(bytes: number): BodyPool {
    const isSmall = this.pool === this.#small && this.own + bytes <= SMALL_BODY_BYTES
    if (isSmall && makeCapacity(this.#small, this, bytes)) return this.#small
    if (makeCapacity(this.#large, this, bytes + (this.pool === this.#large ? 0 : this.own)))
      return this.#large
    const isOwnFault = (this.#large.bySender.get(this.senderId) ?? 0) > 0
    const whose = isOwnFault ? 'of yours are' : 'are'
    throw unavailable(`too many bodies ${whose} being read; try again`)
  }
}

function createPool(maxBytes: number): BodyPool {
  return { maxBytes, used: 0, bySender: new Map(), byTenant: new Map(), reading: new Map() }
}

/** @returns whether `bytes` more of this request fit now */
function makeCapacity(pool: BodyPool, request: ReservedBody, bytes: number): boolean {
  const { senderId, tenantId } = request
  if ((pool.bySender.get(senderId) ?? 0) + bytes > pool.maxBytes / SHARES) return false
  for (let cut = 0; pool.used + bytes > pool.maxBytes; cut += 1) {
    const wanted = (pool.byTenant.get(tenantId) ?? 0) + bytes
    if (cut >= MAX_CUTS || !cutLargest(pool, wanted)) return false
  }
  return true
}

/**
 * Takes the largest body being read away from the tenant that has the most, if that is more than
 * `wanted`.
 */
function cutLargest(pool: BodyPool, wanted: number): boolean {
  let most = wanted
  let victim: LinkedList<ReservedBody> | undefined
  for (const [tenantId, reading] of pool.reading) {
    const used = pool.byTenant.get(tenantId) ?? 0
    if (used <= most || reading.first === null) continue
    most = used
    victim = reading
  }
  let largest: ReservedBody | undefined
  if (victim === undefined) return false
  for (const one of itemsOf(victim)) if (one.own > (largest?.own ?? 0)) largest = one
  if (largest === undefined) return false
  const { cut } = largest
  leave(largest)
  cut?.(unavailable('others need the room that bodies of yours hold back; try again'))
  return true
}

function moveTo(pool: BodyPool, request: ReservedBody): void {
  const { own, cut } = request
  leave(request)
  request.pool = pool
  request.cut = cut
  if (cut !== null) addReading(request)
  add(request, own)
}

function leave(request: ReservedBody): void {
  removeReading(request)
  request.cut = null
  if (request.own > 0) add(request, -request.own)
}

function add(request: ReservedBody, bytes: number): void {
  const { pool, senderId, tenantId } = request
  request.own += bytes
  pool.used += bytes
  addTo(pool.bySender, senderId, bytes)
  addTo(pool.byTenant, tenantId, bytes)
}

function addTo(counts: Map<string, number>, key: string, bytes: number): void {
  const next = (counts.get(key) ?? 0) + bytes
  if (next === 0 && counts.size > MAX_IDLE) counts.delete(key)
  else counts.set(key, next)
}

function addReading(request: ReservedBody): void {
  const { reading } = request.pool
  let known = reading.get(request.tenantId)
  if (known === undefined) reading.set(request.tenantId, (known = createLinkedList()))
  request.entry = addLast(known, request)
}

function removeReading(request: ReservedBody): void {
  const { entry, tenantId } = request
  if (entry === null) return
  const { reading } = request.pool
  leaveList(entry)
  request.entry = null
  if (reading.size > MAX_IDLE && reading.get(tenantId)?.first === null) reading.delete(tenantId)
}
