/** One wide line of JSON for each unit of work. Written in blocks: at thousands of lines a second a write a line costs more than the work. */
import pino from 'pino'

export type Fields = Record<string, unknown>

export interface Log {
  debug(name: string, fields?: Fields): void
  info(name: string, fields?: Fields): void
  warn(name: string, fields?: Fields): void
  error(name: string, fields?: Fields): void
  /** Writes out what is buffered. */
  flush(): void
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const BUFFER_BYTES = 8 * 1024
/** How long a line may wait in the buffer. */
const FLUSH_MS = 500

/** @param to a file's path, or 1 for standard output */
export function createLog(service: string, level: LogLevel, to: string | number = 1): Log {
  const destination = pino.destination({
    dest: to,
    sync: false,
    minLength: BUFFER_BYTES,
    mkdir: true,
  })
  const logger = pino(
    { level, base: { service }, messageKey: 'event', timestamp: pino.stdTimeFunctions.isoTime },
    destination,
  )
  const timer = setInterval(() => destination.flush(), FLUSH_MS)
  timer.unref()
  const at =
    (write: 'debug' | 'info' | 'warn' | 'error') =>
    (name: string, fields: Fields = {}): void =>
      logger[write](withErrors(fields), name)
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    flush: () => {
      try {
        destination.flushSync()
      } catch {
        // The destination was not open yet: nothing was written to it.
      }
    },
  }
}

/** An Error's own fields are not enumerable. */
function withErrors(fields: Fields): Fields {
  if (!Error.isError(fields.error)) return fields
  const { message, stack, cause } = fields.error
  const code = (fields.error as { code?: unknown }).code
  return {
    ...fields,
    error: { message, code, stack, cause: Error.isError(cause) ? cause.message : cause },
  }
}
