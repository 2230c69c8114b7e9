/**
 * What the product's processes have used, from /proc (Linux only): processor seconds and memory by
 * class. A class is a service's name, `standalone`, `gateway`, `postgres`, `redis`, `kafka` or
 * `other`.
 *
 * Seconds include those of children that have ended and were waited for, such as Postgres's
 * sessions and workers.
 */
import { readdirSync, readFileSync } from 'node:fs'

export interface ProductProcesses {
  root: number
  rootClass: string
  /** Services' names by process id. */
  services: ReadonlyMap<number, string>
}

export type ByClass = Record<string, number>

interface Stat {
  pid: number
  parent: number
  command: string
  ticks: number
}

/** USER_HZ, which Linux fixes for what it shows. */
const TICKS_PER_SECOND = 100
const STORES: Record<string, string> = {
  postgres: 'postgres',
  'redis-server': 'redis',
  java: 'kafka',
}
const MEBIBYTE_IN_KIB = 1024

/** Parses one line of /proc/<pid>/stat. The command stands in brackets and may contain anything. */
export function parseStat(text: string): Stat {
  const open = text.indexOf('(')
  const close = text.lastIndexOf(')')
  const rest = text.slice(close + 2).split(' ')
  const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(rest[at]), 0)
  return {
    pid: Number(text.slice(0, open - 1)),
    parent: Number(rest[1]),
    command: text.slice(open + 1, close),
    ticks,
  }
}

export function secondsByClass(known: ProductProcesses): ByClass {
  const sums: ByClass = {}
  for (const [{ ticks }, name] of family(known))
    sums[name] = (sums[name] ?? 0) + ticks / TICKS_PER_SECOND
  return sums
}

/** Processor seconds of one process and its children that have ended. */
export function secondsOf(pid: number): number {
  const text = readOrEmpty(`/proc/${pid}/stat`)
  return text === '' ? 0 : parseStat(text).ticks / TICKS_PER_SECOND
}

export function difference(after: ByClass, before: ByClass): ByClass {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]),
  )
}

export function sum(values: ByClass): number {
  return Object.values(values).reduce((total, value) => total + value, 0)
}

/**
 * Memory in MiB. A class with several processes has that of the largest; Postgres has its private
 * memory in all, and its shared memory once.
 */
export function memoryByClass(known: ProductProcesses): ByClass {
  const memory: ByClass = {}
  let shared = 0
  for (const [{ pid }, name] of family(known)) {
    const status = readOrEmpty(`/proc/${pid}/status`)
    const field = (label: string): number =>
      Number(new RegExp(`^${label}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / MEBIBYTE_IN_KIB
    if (name === 'postgres') {
      memory[name] = (memory[name] ?? 0) + field('RssAnon')
      shared = Math.max(shared, field('RssShmem'))
    } else memory[name] = Math.max(memory[name] ?? 0, field('VmRSS'))
  }
  if (memory['postgres'] !== undefined) memory['postgres'] += shared
  return memory
}

/** Keeps the highest values of `memoryByClass`, read twice a second. */
export function watchMemory(known: () => ProductProcesses): { stop(): ByClass } {
  const peak: ByClass = {}
  const look = (): void => {
    for (const [name, value] of Object.entries(memoryByClass(known())))
      peak[name] = Math.max(peak[name] ?? 0, value)
  }
  const timer = setInterval(look, 500)
  return {
    stop() {
      clearInterval(timer)
      look()
      return peak
    },
  }
}

function family(known: ProductProcesses): [Stat, string][] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readOrEmpty(`/proc/${name}/stat`))
    .filter((text) => text !== '')
    .map(parseStat)
  const children = Map.groupBy(all, ({ parent }) => parent)
  const below = (stat: Stat): Stat[] => [stat, ...(children.get(stat.pid) ?? []).flatMap(below)]
  return all
    .filter(({ pid }) => pid === known.root)
    .flatMap(below)
    .map((stat) => [stat, classOf(stat, known)])
}

function classOf({ pid, command }: Stat, known: ProductProcesses): string {
  if (pid === known.root) return known.rootClass
  return known.services.get(pid) ?? STORES[command] ?? 'other'
}

/** A process may end between being listed and being read. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
