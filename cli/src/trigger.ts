/** `posthorn trigger`: sends an event, as an application does. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { connect, type GlobalOptions } from './connect.ts'
import { usage } from './failure.ts'
import type { Output } from './output.ts'
import { readStandardInput } from './standard-input.ts'

export interface TriggerOptions extends GlobalOptions {
  data?: string
  file?: string
  endpoint?: string
  count: string
  delay?: string
}

const MAX_COUNT = 10_000
/** Requests that wait for their answers at once. */
const CONCURRENCY = 8

export async function trigger(
  eventType: string,
  options: TriggerOptions,
  out: Output,
): Promise<void> {
  const count = /^\d{1,5}$/.test(options.count) ? Number(options.count) : 0
  if (count < 1 || count > MAX_COUNT) throw usage(`--count must be from 1 to ${MAX_COUNT}`)
  if (options.delay !== undefined && !/^\d{1,8}$/.test(options.delay))
    throw usage('--delay must be a number of seconds')
  const text = await readPayload(options)
  const marked = { [randomUUID()]: true }
  const { posthorn } = await connect(options, out, withPayload(JSON.stringify(marked), text))
  const { endpoint, delay } = options
  let left = count
  const send = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const event =
        endpoint === undefined
          ? await posthorn.events.create({
              eventType,
              payload: marked,
              ...(delay === undefined ? {} : { delaySeconds: Number(delay) }),
            })
          : await posthorn.endpoints.test(endpoint, { eventType, payload: marked })
      out.result({ id: event.id, eventType, status: event.status }, `${event.id}  ${eventType}`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, count) }, send))
}

/** Sends the payload as it was written: parsed and written again, a large number is another. */
function withPayload(marked: string, text: string) {
  return (inner: typeof fetch): typeof fetch =>
    (input, init) =>
      inner(input, {
        ...init,
        ...(typeof init?.body === 'string' ? { body: init.body.replace(marked, () => text) } : {}),
      })
}

async function readPayload({ data, file }: TriggerOptions): Promise<string> {
  if (data !== undefined && file !== undefined) throw usage('give --data or --file, not both')
  if (data === undefined && file === undefined) return '{"sentBy":"posthorn trigger"}'
  const text =
    data ?? (file === '-' ? await readStandardInput() : await readFile(file as string, 'utf8'))
  let payload: unknown
  try {
    payload = JSON.parse(text)
  } catch {
    throw usage('the payload is not JSON')
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw usage('the payload must be a JSON object')
  return text.trim()
}
