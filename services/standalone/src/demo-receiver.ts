/**
 * The demo receiver: takes any request at `/receiver/{name}`, keeps the last 100 per name in
 * memory, and shows whether their signatures verify. For trying things out and for tests; never in
 * production.
 */
import { SIGNATURE_TOLERANCE_SECONDS, verifyServiceSignature } from '@posthorn/domain/signature'

export interface DemoRequest {
  method: string
  headers: Record<string, string>
  body: string
  verified: boolean
  receivedAt: string
}

/**
 * How the demo receiver answers, from the query of the destination:
 * `?status=500&times=2&delayMs=100`.
 */
export interface Behaviour {
  status: number
  delayMs: number
}

export interface DemoReceiver {
  receive(name: string, query: URLSearchParams, request: IncomingCall): Promise<Behaviour>
  /** Newest first. */
  list(name: string): readonly DemoRequest[]
}

export interface IncomingCall {
  method: string
  headers: Record<string, string>
  body: string
}

export interface DemoReceiverDeps {
  /** The secrets that a delivery to this name may be signed with. */
  secretsFor(name: string): Promise<readonly string[]>
  /** The lowercase names of the two headers that carry timestamp and signature. */
  headerNames: { timestamp: string; signature: string }
  now(): number
}

const KEPT = 100
/** The number of names that are kept; the one that was written to longest ago is dropped first. */
const MAX_NAMES = 100
const MAX_DELAY_MS = 60_000
const DEFAULT_STATUS = 200

interface Box {
  requests: DemoRequest[]
  /** How often each query was answered: `times` counts per destination. */
  answered: Map<string, number>
}

export function createDemoReceiver({
  secretsFor,
  headerNames,
  now,
}: DemoReceiverDeps): DemoReceiver {
  const boxes = new Map<string, Box>()

  return {
    async receive(name, query, { method, headers, body }) {
      const verified = await isVerified(name, headers, body)
      const box: Box = boxes.get(name) ?? { requests: [], answered: new Map() }
      boxes.delete(name)
      boxes.set(name, box)
      if (boxes.size > MAX_NAMES) boxes.delete(boxes.keys().next().value as string)
      box.requests.unshift({
        method,
        headers,
        body,
        verified,
        receivedAt: new Date(now()).toISOString(),
      })
      box.requests.length = Math.min(box.requests.length, KEPT)
      const key = query.toString()
      const answered = box.answered.get(key) ?? 0
      if (box.answered.size >= KEPT) box.answered.clear()
      box.answered.set(key, answered + 1)
      return behaviour(query, answered)
    },
    list: (name) => boxes.get(name)?.requests ?? [],
  }

  async function isVerified(
    name: string,
    headers: Record<string, string>,
    body: string,
  ): Promise<boolean> {
    const timestamp = Number(headers[headerNames.timestamp])
    const signature = headers[headerNames.signature]
    if (signature === undefined || !Number.isInteger(timestamp)) return false
    if (Math.abs(now() / 1_000 - timestamp) > SIGNATURE_TOLERANCE_SECONDS) return false
    const secrets = await secretsFor(name)
    return secrets.some((secret) => verifyServiceSignature(signature, secret, timestamp, body))
  }
}

/** The requested status for the first `times` calls (for all without it), then 200. */
export function behaviour(query: URLSearchParams, answered: number): Behaviour {
  const status = whole(query.get('status'), 200, 599) ?? DEFAULT_STATUS
  const times = whole(query.get('times'), 0, Number.MAX_SAFE_INTEGER)
  const delayMs = whole(query.get('delayMs'), 0, MAX_DELAY_MS) ?? 0
  return { status: times !== null && answered >= times ? DEFAULT_STATUS : status, delayMs }
}

function whole(text: string | null, min: number, max: number): number | null {
  if (text === null || !/^\d{1,9}$/.test(text)) return null
  const value = Number(text)
  return value >= min && value <= max ? value : null
}
