/**
 * Writes one wide line of JSON for each unit of work, in blocks: at thousands of lines a second one
 * write for each line costs more than the work. For the same reason a line is one `JSON.stringify`:
 * pino, whose levels and file writer are used here, assembles it from a dozen pieces, at three
 * times the price.
 *
 * A process that is killed loses what it logged in the last half second. Where nobody reads the
 * log, as from a pipe whose reader stands still, all lines after the first 16 MiB are lost; they
 * are counted, and a line tells how many.
 */
import pino from 'pino'

export type LogFields = Record<string, unknown>

export interface Log {
  debug(name: string, fields?: LogFields): void
  info(name: string, fields?: LogFields): void
  warn(name: string, fields?: LogFields): void
  error(name: string, fields?: LogFields): void
  /** Writes out what is buffered. */
  flush(): void
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** pino's numbers. */
const NUMBERS = { debug: 20, info: 30, warn: 40, error: 50, silent: Infinity } as const
/** Some 70 lines: handing a block to the thread that writes it costs as much as 10 lines. */
const BLOCK_BYTES = 32 * 1024
/**
 * 50,000 lines, 10 s of a busy process. Without a limit memory would grow for ever where nobody
 * reads them.
 */
const MAX_WAITING_BYTES = 16 * 1024 * 1024
/** UTF-8 of a UTF-16 unit. */
const MAX_BYTES_OF_UNIT = 3
/** How long a line may wait in its block. */
const FLUSH_MS = 500

/** @param to a file's path, or 1 for standard output */
export function createLog(service: string, level: LogLevel, to: string | number = 1): Log {
  const destination = pino.destination({
    dest: to,
    sync: false,
    maxWrite: 2 * BLOCK_BYTES,
    maxLength: MAX_WAITING_BYTES,
    mkdir: true,
    // With text it would flatten all that waits, again for each line.
    contentMode: 'buffer',
  })
  const lineOf = createLineFormatter(service)
  const isoTime = createIsoTime()
  /** Lines are spelled one after the other into it: none is an object of its own. */
  let block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
  let used = 0
  let timer: NodeJS.Timeout | undefined

  function handOver(): void {
    clearTimeout(timer)
    timer = undefined
    if (used === 0) return
    const full = block.subarray(0, used)
    block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
    used = 0
    // The destination's types do not know this mode.
    destination.write(full as unknown as string)
  }

  function put(number: number, name: string, fields: LogFields): void {
    const line = lineOf(number, isoTime(), name, fields)
    const mostBytes = line.length * MAX_BYTES_OF_UNIT
    if (mostBytes > BLOCK_BYTES - used) handOver()
    if (mostBytes > BLOCK_BYTES) destination.write(Buffer.from(line) as unknown as string)
    else {
      used += block.write(line, used)
      // The timer is set only after a line: one that runs always would wake an idle process, and
      // each write four of its threads.
      timer ??= setTimeout(handOver, FLUSH_MS).unref()
    }
  }
  const at = (write: keyof Omit<Log, 'flush'>) => {
    if (NUMBERS[write] < NUMBERS[level]) return (): void => undefined
    return (name: string, fields: LogFields = {}): void => put(NUMBERS[write], name, fields)
  }
  let dropped = 0
  destination.on('drop', (lines: Buffer) => (dropped += linesIn(lines)))
  destination.on('drain', () => {
    if (dropped === 0) return
    const lines = dropped
    dropped = 0
    put(NUMBERS.warn, 'log.lines-dropped', { lines })
  })
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    flush: () => {
      handOver()
      try {
        destination.flushSync()
      } catch {
        // The destination was not open yet: nothing was written to it.
      }
    },
  }
}

function linesIn(block: Buffer): number {
  let lines = 0
  for (let at = block.indexOf('\n'); at !== -1; at = block.indexOf('\n', at + 1)) lines += 1
  return lines
}

export function createLineFormatter(service: string) {
  const middle = `","service":${JSON.stringify(service)}`
  return (level: number, time: string, name: string, fields: LogFields): string => {
    const text = toJson(fields)
    const inner = text === '{}' ? '' : `,${text.slice(1, -1)}`
    return `{"level":${level},"time":"${time}${middle}${inner},"event":${JSON.stringify(name)}}\n`
  }
}

/** Lines of one millisecond share its text. */
function createIsoTime(): () => string {
  let last = 0
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== last) text = new Date(now).toISOString()
    last = now
    return text
  }
}

function toJson(fields: LogFields): string {
  const plain = withErrors(fields)
  try {
    return JSON.stringify(plain)
  } catch {
    return JSON.stringify(plain, withoutCircles())
  }
}

/**
 * Replaces what JSON has no words for: an object that contains itself, or a bigint. A log does not
 * throw.
 */
function withoutCircles(): (key: string, value: unknown) => unknown {
  const seen = new Set<unknown>()
  return (_key, value) => {
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return value
    if (seen.has(value)) return '[again]'
    seen.add(value)
    return value
  }
}

/** An Error's own fields are not enumerable. */
function withErrors(fields: LogFields): LogFields {
  if (!Error.isError(fields.error)) return fields
  const { message, stack, cause } = fields.error
  const code = (fields.error as { code?: unknown }).code
  return {
    ...fields,
    error: { message, code, stack, cause: Error.isError(cause) ? cause.message : cause },
  }
}
