/**
 * How many bytes of bodies a door holds at once (the ingest API, the management API, the inbound addresses), over all of
 * its connections: each from its reading to the end of its handler. A body belongs to whoever is known to send it, an API
 * key or a source, and nobody holds more than an eighth of a room. Bodies up to 64 KiB have a room of their own, which
 * large ones can't fill.
 *
 * Many keys and sources together can still fill a room. Whoever then comes and holds less than the tenant with the most
 * takes the place of one of that tenant's bodies that is still being read, so that a tenant who sends normally finds room
 * whatever the others hold back. Bodies at work in a handler are never taken away.
 */
import { unavailable } from './errors.ts'

/** Who sends a body: a key or a source, and whose it is. */
export interface BodySender {
  tenantId: string
  senderId: string
}

/** The room that one request takes. */
export interface BodyReservation {
  /** So many more are held. Throws UNAVAILABLE where they do not fit now, and takes nothing then. */
  reserve(bytes: number): void
  /** From here until `atWork` the room may be taken away: `cut` is told why, and nothing is held any more. */
  reading(cut: (error: Error) => void): void
  atWork(): void
  release(): void
}

export type BodyCapacity = (holder: BodySender) => BodyReservation

export interface BodyCapacityConfig {
  /** Of a single body on this door. */
  largestBody: number
  /** Of those over 64 KiB; at least eight of the largest. */
  maxBytes?: number
  maxSmallBytes?: number
}

export const SMALL_BODY_BYTES = 64 * 1024
const SHARES = 8
/**
 * Held as text, parsed and within a statement a body takes some 5 times its bytes: 320 MB while all of them are at work.
 * 256 of the largest events, or 8 of the largest batches.
 */
const MAX_BYTES = 64 * 1024 * 1024
/** A share is 2 MiB: 2,000 requests of 1 KB of one key at once. */
const MAX_SMALL_BYTES = 16 * 1024 * 1024
/** What one request may take from others: no more than these are cut for it. */
const MAX_CUTS = 16

interface Request extends BodySender {
  own: number
  room: Room
  cut: ((error: Error) => void) | null
}

interface Room {
  readonly maxBytes: number
  held: number
  readonly ofHolder: Map<string, number>
  readonly ofTenant: Map<string, number>
  /** By tenant, what is still being read. */
  readonly reading: Map<string, Set<Request>>
}

export function createBodyCapacity(config: BodyCapacityConfig): BodyCapacity {
  const large = createRoom(Math.max(config.maxBytes ?? MAX_BYTES, SHARES * config.largestBody))
  const small = createRoom(config.maxSmallBytes ?? MAX_SMALL_BYTES)
  return (holder) => {
    const request: Request = { ...holder, own: 0, room: small, cut: null }
    /** The room in which the request's bytes and so many more fit; one that does not fit among the small may be large. */
    function find(bytes: number): Room {
      const isSmall = request.room === small && request.own + bytes <= SMALL_BODY_BYTES
      if (isSmall && makeRoom(small, request, bytes)) return small
      if (makeRoom(large, request, bytes + (request.room === large ? 0 : request.own))) return large
      const isOwnFault = (large.ofHolder.get(request.senderId) ?? 0) > 0
      const whose = isOwnFault ? 'of yours are' : 'are'
      throw unavailable(`too many bodies ${whose} being read; try again`)
    }
    return {
      reserve(bytes) {
        const room = find(bytes)
        if (room !== request.room) moveTo(room, request)
        add(request, bytes)
      },
      reading(cut) {
        request.cut = cut
        addReading(request)
      },
      atWork() {
        request.cut = null
        removeReading(request)
      },
      release: () => leave(request),
    }
  }
}

function createRoom(maxBytes: number): Room {
  return { maxBytes, held: 0, ofHolder: new Map(), ofTenant: new Map(), reading: new Map() }
}

/** @returns whether `bytes` more of it fit now */
function makeRoom(room: Room, request: Request, bytes: number): boolean {
  const { senderId: holderId, tenantId } = request
  if ((room.ofHolder.get(holderId) ?? 0) + bytes > room.maxBytes / SHARES) return false
  for (let cut = 0; room.held + bytes > room.maxBytes; cut += 1) {
    const wanted = (room.ofTenant.get(tenantId) ?? 0) + bytes
    if (cut >= MAX_CUTS || !cutLargest(room, wanted)) return false
  }
  return true
}

/** Takes the largest body being read away from the tenant that holds the most, if that is more than `wanted`. */
function cutLargest(room: Room, wanted: number): boolean {
  let most = wanted
  let victim: Set<Request> | undefined
  for (const [tenantId, reading] of room.reading) {
    const held = room.ofTenant.get(tenantId) ?? 0
    if (held <= most) continue
    most = held
    victim = reading
  }
  let largest: Request | undefined
  for (const one of victim ?? []) if (one.own > (largest?.own ?? 0)) largest = one
  if (largest === undefined) return false
  const { cut } = largest
  leave(largest)
  cut?.(unavailable('others need the room that bodies of yours hold back; try again'))
  return true
}

function moveTo(room: Room, request: Request): void {
  const { own, cut } = request
  leave(request)
  request.room = room
  request.cut = cut
  if (cut !== null) addReading(request)
  add(request, own)
}

function leave(request: Request): void {
  removeReading(request)
  request.cut = null
  if (request.own > 0) add(request, -request.own)
}

function add(request: Request, bytes: number): void {
  const { room, senderId: holderId, tenantId } = request
  request.own += bytes
  room.held += bytes
  addTo(room.ofHolder, holderId, bytes)
  addTo(room.ofTenant, tenantId, bytes)
}

function addTo(counts: Map<string, number>, key: string, bytes: number): void {
  const next = (counts.get(key) ?? 0) + bytes
  if (next === 0) counts.delete(key)
  else counts.set(key, next)
}

function addReading(request: Request): void {
  const { reading } = request.room
  const known = reading.get(request.tenantId)
  if (known === undefined) reading.set(request.tenantId, new Set([request]))
  else known.add(request)
}

function removeReading(request: Request): void {
  const { reading } = request.room
  const known = reading.get(request.tenantId)
  if (known?.delete(request) === true && known.size === 0) reading.delete(request.tenantId)
}
