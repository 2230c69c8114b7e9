/**
 * The demo receiver: takes any request at `/receiver/{name}`, keeps the last 100 per name in
 * memory, and shows whether their signatures verify. For trying things out and for tests; never in
 * production.
 */
import {
  secretHint,
  SIGNATURE_TOLERANCE_SECONDS,
  verifyServiceSignature,
} from '@posthorn/domain/signature'

export interface DemoRequest {
  /** Counts up while the process runs. */
  id: number
  method: string
  headers: Record<string, string>
  body: string
  verified: boolean
  signature: SignatureCheck
  /** What it was answered with. */
  answered: Behaviour
  receivedAt: string
}

/** What a receiver finds as it verifies a request, step by step. */
export interface SignatureCheck {
  /** `unsigned`: a header is missing or no time; `stale`: too old; `mismatch`: another secret. */
  outcome: 'verified' | 'unsigned' | 'stale' | 'mismatch'
  timestamp: string | null
  value: string | null
  /** Between the time of the signature and its arrival. */
  ageSeconds: number | null
  toleranceSeconds: number
  /** The last characters of the secret that it was signed with. */
  secretHint: string | null
}

/**
 * How the demo receiver answers: from the query of the destination
 * (`?status=500&times=2&delayMs=100`), else as it was set to for the name.
 */
export interface Behaviour {
  status: number
  delayMs: number
}

export interface DemoReceiver {
  receive(name: string, query: URLSearchParams, request: IncomingCall): Promise<Behaviour>
  /** Newest first. */
  list(name: string): readonly DemoRequest[]
  answerOf(name: string): Behaviour
  /** @returns false: there is no such status or delay */
  setAnswer(name: string, answer: { status: unknown; delayMs: unknown }): boolean
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
  answer: Behaviour
  /** How often each query was answered: `times` counts per destination. */
  answered: Map<string, number>
}

/** The boxes by name; the one that was written to longest ago goes first. */
function createBoxes() {
  const boxes = new Map<string, Box>()

  /** The name's box, as the one that was written to last. */
  function touch(name: string): Box {
    const box: Box = boxes.get(name) ?? {
      requests: [],
      answer: { status: DEFAULT_STATUS, delayMs: 0 },
      answered: new Map(),
    }
    boxes.delete(name)
    boxes.set(name, box)
    if (boxes.size > MAX_NAMES) boxes.delete(boxes.keys().next().value as string)
    return box
  }
  return { boxes, touch }
}

export function createDemoReceiver({
  secretsFor,
  headerNames,
  now,
}: DemoReceiverDeps): DemoReceiver {
  const { boxes, touch } = createBoxes()
  let last = 0

  return {
    async receive(name, query, { method, headers, body }) {
      const signature = await checkSignature(name, headers, body)
      const box = touch(name)
      const key = query.toString()
      const answered = box.answered.get(key) ?? 0
      if (box.answered.size >= KEPT) box.answered.clear()
      box.answered.set(key, answered + 1)
      const answer = behaviour(query, answered, box.answer)
      last += 1
      box.requests.unshift({
        id: last,
        method,
        headers,
        body,
        verified: signature.outcome === 'verified',
        signature,
        answered: answer,
        receivedAt: new Date(now()).toISOString(),
      })
      box.requests.length = Math.min(box.requests.length, KEPT)
      return answer
    },
    list: (name) => boxes.get(name)?.requests ?? [],
    answerOf: (name) => boxes.get(name)?.answer ?? { status: DEFAULT_STATUS, delayMs: 0 },
    setAnswer(name, { status, delayMs }) {
      if (!isWhole(status, 200, 599) || !isWhole(delayMs, 0, MAX_DELAY_MS)) return false
      touch(name).answer = { status, delayMs }
      return true
    },
  }

  async function checkSignature(
    name: string,
    headers: Record<string, string>,
    body: string,
  ): Promise<SignatureCheck> {
    const sentAt = headers[headerNames.timestamp] ?? null
    const value = headers[headerNames.signature] ?? null
    const timestamp = sentAt === null ? Number.NaN : Number(sentAt)
    const isSigned = value !== null && Number.isInteger(timestamp)
    const ageSeconds = isSigned ? Math.round(now() / 1_000 - timestamp) : null
    const found = {
      timestamp: sentAt,
      value,
      ageSeconds,
      toleranceSeconds: SIGNATURE_TOLERANCE_SECONDS,
      secretHint: null,
    }
    if (!isSigned || ageSeconds === null) return { ...found, outcome: 'unsigned' }
    if (Math.abs(ageSeconds) > SIGNATURE_TOLERANCE_SECONDS) return { ...found, outcome: 'stale' }
    const secrets = await secretsFor(name)
    const used = secrets.find((secret) => verifyServiceSignature(value, secret, timestamp, body))
    return used === undefined
      ? { ...found, outcome: 'mismatch' }
      : { ...found, outcome: 'verified', secretHint: secretHint(used) }
  }
}

/** The requested status for the first `times` calls (for all without it), then as it is set to. */
export function behaviour(
  query: URLSearchParams,
  answered: number,
  set: Behaviour = { status: DEFAULT_STATUS, delayMs: 0 },
): Behaviour {
  const status = whole(query.get('status'), 200, 599) ?? set.status
  const times = whole(query.get('times'), 0, Number.MAX_SAFE_INTEGER)
  const delayMs = whole(query.get('delayMs'), 0, MAX_DELAY_MS) ?? set.delayMs
  return { status: times !== null && answered >= times ? set.status : status, delayMs }
}

function isWhole(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
}

function whole(text: string | null, min: number, max: number): number | null {
  if (text === null || !/^\d{1,9}$/.test(text)) return null
  const value = Number(text)
  return value >= min && value <= max ? value : null
}
