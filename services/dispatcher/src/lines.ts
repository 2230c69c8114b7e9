/**
 * What waits in memory for a slot, in a line per target, and who goes next: round robin over the targets, and within one
 * what came just now takes turns with what was fetched from the target's backlog. What has waited for a second, or
 * finds its line full, is handed back to be parked.
 *
 * It decides by `windows.ts` and, where an endpoint has a rate limit, `rates.ts`, and keeps no timer: it is told when a
 * try ends and when time has passed.
 */
import {
  hasMore,
  hasRoomFor,
  isQuick,
  type Line,
  newLine,
  pushWaiting,
  shiftNext,
  shiftOverdue,
  takeAll,
  wantedOf,
} from './line.ts'
import { createPace } from './pace.ts'
import { createRates, keepRate, type RatesDeps } from './rates.ts'
import { createReadyLines } from './ready-lines.ts'
import type { Way } from './tenant-config.ts'
import { UNREAD_BYTES, type Windows } from './windows.ts'
import { bytesOf, type Work } from './work.ts'

export interface LinesDeps {
  windows: Windows
  takeTokens: RatesDeps['takeTokens']
  /** False: results can't be recorded as fast as they come. */
  canStart(): boolean
  /** The way as it is now; null: it does not go, and has been seen to. */
  reconsider(work: Work): Way | null
  begin(work: Work, way: Way): void
  /** It could not go in time: to be parked. */
  hold(work: Work): void
  /** A lost one is not ours any more. */
  drop(work: Work): void
  /** A try of a target has ended, or one of a rate-limited target has begun: its backlog may have room. */
  onEnded(line: Line): void
  /** `tick` may have something to do. */
  onWaiting(): void
  /** Of the event loop since the last call, in [0, 1]. */
  utilization(): number
  now(): number
}

export interface Lines {
  /** What came by message or was fetched from a backlog; call `pump` after the last of a batch. */
  enqueue(work: Work, way: Way, fetched: boolean): void
  /** Starts what may start. */
  pump(): void
  ended(work: Work): void
  /** The payload of a try under way has been read. */
  carries(work: Work, bytes: number): void
  /** Hands back what has waited for too long; called every 50 ms. False: there is nothing to do until `onWaiting`. */
  tick(): boolean
  /** Forgets targets that nothing has happened at; called every 10 s. */
  forgetIdle(): void
  lineOf(targetId: string, originKey: string): Line
  /** How many of a backlog could be fetched now. */
  wanted(line: Line): number
  /** Stops starting and gives out all that waits. */
  drain(): Work[]
  waiting(): number
  /** Of these, those that will go soon, up to `most`: they are as good as in flight. */
  waitingSoon(most: number): number
  /** How many more may be taken on when this process is what is slow. */
  roomAtPace(): number
}

/** Longer is worth a write. */
export const MAX_WAIT_MS = 1_000
/** Of all targets together: some 24 MiB of small payloads and their objects, or of large ones alone. */
const MAX_WAITING_IN_ALL = 20_000
const MAX_WAITING_BYTES_IN_ALL = 24 * 1024 * 1024
/**
 * Of a target's line, as many keep work of other targets on the bus: a share of the slots, so that 32 lines make us stop
 * and two that are flooded do not.
 */
const MAX_SOON = 64
const IDLE_MS = 60_000
/** Each some 700 bytes. Beyond it the idle ones go at once. */
const MAX_IDLE_LINES = 20_000

export function createLines(deps: LinesDeps): Lines {
  const { windows } = deps
  const lines = new Map<string, Line>()
  const { ready, stop, wake, wakeSome, hasStopped } = createReadyLines()
  const pace = createPace(deps)
  const withWaiting = new Set<Line>()
  const inAll = createAmount()
  let closed = false
  const rates = createRates({
    takeTokens: deps.takeTokens,
    wake(line) {
      ready.add(line)
      pump()
    },
    join: (line) => holdOverdue(line, Infinity),
    now: deps.now,
  })

  function lineOf(targetId: string, originKey: string): Line {
    const known = lines.get(targetId)
    if (known !== undefined) return known
    const line = newLine(targetId, windows.add(originKey), deps.now())
    lines.set(targetId, line)
    return line
  }

  function enqueue(work: Work, way: Way, fetched: boolean): void {
    const line = lineOf(way.targetId, way.originKey)
    windows.move(line.target, way.originKey)
    keepRate(line, way.rateLimitPerSec)
    work.way = way
    work.phase = 'waiting'
    work.waitingSince = deps.now()
    deps.onWaiting()
    if (fetched) line.fetched.push(work)
    // Its backlog goes by priority; what came just now has no better right.
    else if (line.rate !== null && line.holding) return deps.hold(work)
    else if (!goesAtOnce(line, windows) && (inAll.isFull(work, line) || !hasRoomFor(line, work)))
      return deps.hold(work)
    else {
      pushWaiting(line, work)
      inAll.add(work)
      withWaiting.add(line)
    }
    ready.add(line)
  }

  function pump(): void {
    if (closed || !deps.canStart()) return
    // A line that started one goes to the end of the set, and is reached again by the same loop.
    for (const line of ready) {
      const may = hasMore(line) ? windows.mayStart(line.target) : 'nothing'
      if (may === 'slots') return
      ready.delete(line)
      if (may === 'origin' || may === 'tenant') stop(line, may)
      else if (may === 'go' && (line.rate === null || rates.spend(line))) {
        startNext(line)
        if (hasMore(line)) ready.add(line)
      }
    }
  }

  function startNext(line: Line): void {
    const size = line.waiting.size()
    const work = shiftNext(line)
    if (work === undefined) return
    if (line.waiting.size() < size) inAll.remove(work)
    if (work.lost) return deps.drop(work)
    const way = deps.reconsider(work)
    if (way === null) return
    const now = deps.now()
    line.usedAt = now
    windows.move(line.target, way.originKey)
    work.phase = 'sending'
    work.way = way
    work.flight = windows.start(line.target, now, work.message.payload?.length ?? UNREAD_BYTES)
    deps.begin(work, way)
    if (line.rate !== null && line.holding) deps.onEnded(line)
  }

  function ended(work: Work): void {
    const { flight, way } = work
    if (flight === null || way === null) return
    work.flight = null
    const now = deps.now()
    deps.onWaiting()
    windows.end(flight, now)
    wake(flight.origin)
    const line = lines.get(way.targetId)
    if (line !== undefined) {
      line.usedAt = now
      pace.ended(line)
      if (hasMore(line)) ready.add(line)
      if (line.holding) deps.onEnded(line)
    }
    pump()
  }

  function carries({ flight }: Work, bytes: number): void {
    if (flight === null) return
    windows.carries(flight, bytes)
    wake(flight.origin)
    pump()
  }

  function tick(): boolean {
    const before = deps.now() - MAX_WAIT_MS
    for (const line of withWaiting) {
      holdOverdue(line, before)
      if (line.waiting.size() === 0) withWaiting.delete(line)
    }
    wakeSome()
    rates.tick()
    const moving = pace.tick()
    pump()
    return moving || withWaiting.size > 0 || rates.waiting() || hasStopped()
  }

  function holdOverdue(line: Line, before: number): void {
    for (const work of shiftOverdue(line, before)) {
      inAll.remove(work)
      if (work.lost) deps.drop(work)
      else deps.hold(work)
    }
  }

  function forgetIdle(): void {
    const before = deps.now() - (lines.size > MAX_IDLE_LINES ? 0 : IDLE_MS)
    for (const [id, line] of lines) {
      if (line.usedAt > before || line.holding || line.target.inFlight > 0 || hasMore(line))
        continue
      lines.delete(id)
      ready.delete(line)
      pace.forget(line)
      windows.remove(line.target)
    }
  }

  function drain(): Work[] {
    closed = true
    const works = [...lines.values()].flatMap(takeAll)
    inAll.clear()
    ready.clear()
    withWaiting.clear()
    return works
  }

  return {
    enqueue,
    pump,
    ended,
    carries,
    tick,
    forgetIdle,
    lineOf,
    wanted: (line) => wantedOf(line, windows.mayStart(line.target) === 'go'),
    drain,
    waiting: inAll.size,
    waitingSoon: (most) => countSoon(withWaiting, most),
    roomAtPace: () => pace.room(withWaiting),
  }
}

/** Then it takes no room: however full memory is of what waits for others. */
function goesAtOnce(line: Line, windows: Windows): boolean {
  return !hasMore(line) && windows.mayStart(line.target) === 'go'
}

function countSoon(lines: Iterable<Line>, most: number): number {
  let count = 0
  for (const line of lines) {
    if (count >= most) break
    if (isQuick(line) && line.rate === null) count += Math.min(line.waiting.size(), MAX_SOON)
  }
  return count
}

/** What waits in all lines together, fetched from backlogs not counted. */
function createAmount() {
  let count = 0
  let bytes = 0
  return {
    size: () => count,
    /** Each line has as many as are left: two that are flooded a third each. */
    isFull: (more: Work, line: Line) =>
      line.waiting.size() >= MAX_WAITING_IN_ALL - count ||
      bytes + line.bytes + bytesOf(more) > MAX_WAITING_BYTES_IN_ALL,
    add(work: Work) {
      count += 1
      bytes += bytesOf(work)
    },
    remove(work: Work) {
      count -= 1
      // A newer message may have come for it since, of another size.
      bytes = count === 0 ? 0 : bytes - bytesOf(work)
    },
    clear() {
      count = 0
      bytes = 0
    },
  }
}
