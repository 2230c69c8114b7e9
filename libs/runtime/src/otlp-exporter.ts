/**
 * Sends spans to a collector by OTLP over HTTP, as JSON, some at a time. A collector that is slow
 * or away costs spans and nothing else: what does not fit into the queue is dropped and counted.
 *
 * It is loaded only where the operator has set a collector.
 */
import { postText } from '@posthorn/async/post-text'
import { createTicker } from '@posthorn/async/ticker'
import type { FinishedSpan } from './tracing.ts'

export interface OtlpConfig {
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`; `/v1/traces` is added. */
  endpoint: string
  headers: Readonly<Record<string, string>>
  serviceName: string
  version: string
  /** How often what waits is sent; every second by default. */
  everyMs?: number
}

export interface OtlpExporter {
  add(span: FinishedSpan): void
  /** Sends what waits, for at most the time that one request has. */
  stop(): Promise<void>
}

/** Some 4 MB, and the spans of a second or two under full load. */
const MAX_WAITING = 8_192
/** Some 250 KB in one request. */
const MAX_BATCH = 512
const SEND_EVERY_MS = 1_000
const TIMEOUT_MS = 5_000
const MAX_ANSWER_BYTES = 64 * 1024
const KINDS = { internal: 1, server: 2, client: 3 }
const FAILED = 2

export function createOtlpExporter(
  config: OtlpConfig,
  onLost: (spans: number, because: unknown) => void,
): OtlpExporter {
  const url = `${config.endpoint.replace(/\/+$/, '')}/v1/traces`
  const resource = {
    attributes: attributesOf({
      'service.name': config.serviceName,
      'service.version': config.version,
    }),
  }
  const scope = { name: 'posthorn', version: config.version }
  let waiting: FinishedSpan[] = []
  let dropped = 0

  async function send(spans: readonly FinishedSpan[]): Promise<void> {
    const scopeSpans = [{ scope, spans: spans.map(toOtlp) }]
    const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] })
    try {
      const { status } = await postText({
        url,
        headers: { ...config.headers, 'content-type': 'application/json' },
        body,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_ANSWER_BYTES,
      })
      if (status >= 300) throw new Error(`${url} answered ${status}`)
    } catch (error) {
      onLost(spans.length, error)
    }
  }

  async function sendWaiting(): Promise<void> {
    if (dropped > 0) onLost(dropped, 'more than the collector takes')
    dropped = 0
    while (waiting.length > 0) {
      const spans = waiting.splice(0, MAX_BATCH)
      await send(spans)
    }
  }

  const ticker = createTicker(
    { name: 'spans', everyMs: config.everyMs ?? SEND_EVERY_MS, onError: () => undefined },
    sendWaiting,
  )
  ticker.start()
  return {
    add(span) {
      if (waiting.length < MAX_WAITING) waiting.push(span)
      else dropped += 1
    },
    async stop() {
      await ticker.stop()
      const last = waiting.slice(0, MAX_BATCH)
      const left = waiting.length - last.length
      waiting = []
      if (last.length > 0) await send(last)
      if (left > 0) onLost(left, 'the process ends')
    },
  }
}

function toOtlp(span: FinishedSpan): object {
  const { traceId, spanId, parentId, name, kind, startedAt, endedAt, attributes, fault } = span
  return {
    traceId,
    spanId,
    ...(parentId !== null && { parentSpanId: parentId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanos(startedAt),
    endTimeUnixNano: nanos(endedAt),
    attributes: attributesOf(attributes),
    ...(fault !== null && { status: { code: FAILED, message: fault } }),
  }
}

/** As text, because a double does not hold it. */
function nanos(ms: number): string {
  return `${Math.round(ms * 1_000)}000`
}

function attributesOf(values: Readonly<Record<string, string | number>>): object[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
}
