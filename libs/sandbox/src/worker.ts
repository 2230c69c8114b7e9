/**
 * The worker thread: runs one batch after the other, each script in an instance of its own. An
 * error in a script is an answer; an error in this thread ends it, and the sandbox starts another.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import {
  cpuMs,
  createEngine,
  type Engine,
  type ScriptFailure,
  type EngineScript,
} from './engine.ts'
import type {
  ScriptResult,
  ScriptBatch,
  ScriptCall,
  ScriptReply,
  WorkerMessage,
  WorkerSetup,
} from './protocol.ts'
import { readReturned } from './read-returned.ts'
import { createWarmScripts } from './warm-scripts.ts'

/** Answers that are ready don't wait for longer than this for the rest of their batch. */
const REPLY_AFTER_MS = 2
/** After this time the rest goes back, so that it is decided anew whose turn it is. */
const BATCH_MS = 20
/** A script that took longer is called only once in a batch. */
const SLOW_MS = 10

const port = parentPort as MessagePort
const { limits, begun } = workerData as WorkerSetup
const warm = createWarmScripts()
const engine = await createEngine(limits)

async function runBatch({ scripts, items }: ScriptBatch): Promise<void> {
  const startedAt = performance.now()
  const slow = new Set<number>()
  let replies: ScriptReply[] = []
  let repliedAt = startedAt
  for (const [index, item] of items.entries()) {
    // It is counted whether the item is run or not: it is the place in the batch.
    Atomics.add(begun, 0, 1)
    const now = performance.now()
    if (slow.has(item.script) || (index > 0 && now - startedAt > BATCH_MS)) {
      replies.push({ index, result: { outcome: 'deferred' }, cpuMs: 0, stopped: false })
      continue
    }
    const reply = await runItem(engine, index, item, scripts[item.script] ?? '')
    if (reply.cpuMs > SLOW_MS || reply.stopped) slow.add(item.script)
    replies.push(reply)
    if (performance.now() - repliedAt < REPLY_AFTER_MS) continue
    post({ ready: false, replies, done: false })
    replies = []
    repliedAt = performance.now()
  }
  post({ ready: false, replies, done: true })
}

async function runItem(
  { load }: Engine,
  index: number,
  item: ScriptCall,
  source: string,
): Promise<ScriptReply> {
  const { key, text } = item
  const known = key === null ? undefined : warm.get(key)
  if (known !== undefined && text !== null) {
    const before = cpuMs()
    const { isFull, ...called } = callOnce(known, text, item)
    // What it accumulated in earlier calls may be what was too much.
    if (!isFull) return { index, ...called, cpuMs: cpuMs() - before }
  }
  // A first call says nothing about a script's speed: the engine is still being compiled, too.
  const loaded = await load(source)
  if (loaded.outcome !== 'loaded')
    return { index, result: errorOf(loaded), cpuMs: 0, stopped: loaded.outcome === 'spent' }
  if (text === null) return { index, result: { outcome: 'loaded' }, cpuMs: 0, stopped: false }
  const { result: answer, stopped } = callOnce(loaded.script, text, item)
  return { index, result: answer, cpuMs: 0, stopped }
}

function callOnce(
  script: EngineScript,
  text: string,
  { key, payloadAt, maxPayloadBytes }: ScriptCall,
): { result: ScriptResult; stopped: boolean; isFull: boolean } {
  const called = script.call(text, maxPayloadBytes)
  if (called.outcome === 'spent') {
    if (key !== null) warm.forget(key)
    return { result: errorOf(called), stopped: true, isFull: called.of === 'memory' }
  }
  if (key !== null) warm.keep(key, script)
  if (called.outcome === 'failed') return { result: errorOf(called), stopped: false, isFull: false }
  const original = text.slice(payloadAt, -1)
  const answer = readReturned(called.text, original, maxPayloadBytes)
  return { result: answer, stopped: false, isFull: false }
}

function errorOf({ detail }: ScriptFailure): ScriptResult {
  return { outcome: 'error', detail }
}

function post(message: WorkerMessage): void {
  port.postMessage(message)
}

port.on('message', (batch: ScriptBatch) => {
  // It rejects only when the engine itself fails, and the thread ends by it.
  void runBatch(batch)
})
post({ ready: true })
