/**
 * Keeps scripts loaded and drops the least recently used first. A script is one version of one
 * endpoint, so what its globals keep from call to call is its owner's alone. It is loaded anew now
 * and then, so that what it accumulates goes again.
 */
import type { EngineScript } from './engine.ts'

export interface WarmScripts {
  get(key: string): EngineScript | undefined
  /** To be called after a call that went well. */
  keep(key: string, script: EngineScript): void
  forget(key: string): void
  size(): number
}

/** Idle and small, 0.3 MB each: 60 MB. */
const MAX_SCRIPTS = 200
/** Bytes that all of them have grown by: four at their limit, or all 200 at 320 KiB. */
const MAX_GROWN_BYTES = 64 * 1024 * 1024
/** 2 ms for loading a script anew are 2 us for each call. */
const MAX_CALLS = 1_000

interface WarmScript {
  script: EngineScript
  calls: number
  grownBytes: number
}

export function createWarmScripts(): WarmScripts {
  const kept = new Map<string, WarmScript>()
  let grownBytes = 0

  function forget(key: string): void {
    grownBytes -= kept.get(key)?.grownBytes ?? 0
    kept.delete(key)
  }

  return {
    get: (key) => kept.get(key)?.script,
    keep(key, script) {
      const before = kept.get(key)
      const calls = before?.script === script ? before.calls + 1 : 1
      forget(key)
      if (calls >= MAX_CALLS) return
      const grown = script.grownBytes()
      kept.set(key, { script, calls, grownBytes: grown })
      grownBytes += grown
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_SCRIPTS && grownBytes <= MAX_GROWN_BYTES) break
        forget(oldest)
      }
    },
    forget,
    size: () => kept.size,
  }
}
