/** What goes between the sandbox and its worker threads. Both run this version: nothing here is stored. */

/** Of one script, in bytes and ms; see `engine.ts` for what holds them. */
export interface Limits {
  memoryBytes: number
  /** Processor time of one call. */
  cpuMs: number
}

export interface WorkerSetup {
  limits: Limits
  /** One counter: items begun so far. It tells which one a worker was at when it got stuck or died. */
  begun: Int32Array
}

export interface ScriptCall {
  /** Into `Batch.scripts`. */
  script: number
  /** Under which the script stays loaded; null: it does not. */
  key: string | null
  /** The event as JSON text; null: the script is only loaded. */
  text: string | null
  /** Where the payload begins in `text`; it ends one character before the end. */
  payloadAt: number
  /** Of the payload that the script returns. */
  maxPayloadBytes: number
}

export interface ScriptBatch {
  /** Each once, however many items it is for. */
  scripts: string[]
  items: ScriptCall[]
}

export type ScriptResult =
  | { outcome: 'loaded' }
  /** Texts are JSON; null: as they were. */
  | { outcome: 'changed'; payload: string | null; headers: string | null }
  | { outcome: 'dropped' }
  | { outcome: 'error'; detail: string }
  /** Not run: others of its batch took too long. */
  | { outcome: 'deferred' }

export interface ScriptReply {
  index: number
  result: ScriptResult
  /** Processor time of the call, of a script that was loaded already. */
  cpuMs: number
  /** It was stopped at a limit. */
  stopped: boolean
}

export type WorkerMessage =
  | { ready: true }
  | { ready: false; replies: ScriptReply[]; done: boolean }
