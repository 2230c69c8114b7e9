/**
 * Answers instead of Redis when Redis does not: at once while it is away, and after one command's
 * timeout when it is slow.
 */
export interface RedisStateDeps {
  onError(error: unknown, doing: string): void
}

/**
 * A Redis that works answers within a few ms; the dispatcher's batch must not wait for one that
 * does not.
 */
export const COMMAND_TIMEOUT_MS = 200
/**
 * After an unanswered command a frozen Redis is asked nothing for this long, so that only some
 * calls wait for it.
 */
const MUTED_MS = 500
/** One report stands for all failures within this time. */
const REPORT_EVERY_MS = 5_000

export type Guard = ReturnType<typeof createGuard>

export function createGuard({ onError }: RedisStateDeps, commandTimeoutMs = COMMAND_TIMEOUT_MS) {
  let mutedUntil = 0
  let reportedAt = -Infinity

  function failed(error: unknown, doing: string) {
    const now = performance.now()
    if (now - reportedAt < REPORT_EVERY_MS) return
    reportedAt = now
    onError(error, `${doing}; going on without Redis`)
  }

  return {
    failed,
    async ask<Answer>(
      doing: string,
      work: () => Promise<Answer>,
      instead: () => Answer | Promise<Answer>,
    ): Promise<Answer> {
      if (performance.now() < mutedUntil) return instead()
      const startedAt = performance.now()
      try {
        return await work()
      } catch (error) {
        const now = performance.now()
        if (now - startedAt >= commandTimeoutMs) mutedUntil = now + MUTED_MS
        failed(error, doing)
        return instead()
      }
    },
  }
}
