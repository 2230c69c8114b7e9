/**
 * The messages between the sandbox and its worker threads. Both run this version: nothing here is
 * stored.
 */

/** Limits of one script, in bytes and ms; `engine.ts` enforces them. */
export interface Limits {
  memoryBytes: number
  /** Processor time of one call. */
  cpuMs: number
}

export interface WorkerSetup {
  limits: Limits
  /**
   * One counter: items begun so far. It tells which one a worker was at when it got stuck or died.
   */
  begun: Int32Array
}

export interface ScriptCall {
  /** The script's index in `ScriptBatch.scripts`. */
  script: number
  /** The key under which the script stays loaded; null: it does not. */
  key: string | null
  /** The event as JSON text; null: the script is only loaded. */
  text: string | null
  /** Where the payload begins in `text`; it ends one character before the end. */
  payloadAt: number
  /** The most bytes of the payload that the script returns. */
  maxPayloadBytes: number
}

export interface ScriptBatch {
  /** Each script once, however many items it is for. */
  scripts: string[]
  items: ScriptCall[]
}

export type ScriptResult =
  | { outcome: 'loaded' }
  /** Texts are JSON; null: unchanged. */
  | { outcome: 'changed'; payload: string | null; headers: string | null }
  | { outcome: 'dropped' }
  | { outcome: 'error'; detail: string }
  /** It was not run, because others of its batch took too long. */
  | { outcome: 'deferred' }

export interface ScriptReply {
  index: number
  result: ScriptResult
  /** Processor time of the call, not counting the loading of the script. */
  cpuMs: number
  /** Whether it was stopped at a limit. */
  stopped: boolean
}

export type WorkerMessage =
  | { ready: true }
  | { ready: false; replies: ScriptReply[]; done: boolean }
