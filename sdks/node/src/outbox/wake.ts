/**
 * Waits for a time, or until something is to do. `LISTEN` wakes a relay at a commit; where its
 * connection is lost, or the database is reached through a pooler that gives none, the relay still
 * looks by itself now and then.
 */

export interface ListenClient {
  query(text: string): PromiseLike<unknown>
  // Drivers declare a signature for each event; only these three are used here.
  // oxlint-disable-next-line typescript/no-explicit-any
  on(event: any, listener: any): unknown
  release(destroy?: boolean): void
}

export interface Wake {
  /** Ends early at `now`, also at one since the last wait. */
  wait(ms: number): Promise<void>
  now(): void
}

export function createWake(): Wake {
  let isCalled = false
  let end: (() => void) | undefined
  return {
    now() {
      isCalled = true
      end?.()
    },
    async wait(ms) {
      if (!isCalled)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          end = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      end = undefined
      isCalled = false
    },
  }
}

export interface CommitListener {
  stop(): Promise<void>
}

const MAX_PAUSE_MS = 30_000

/** Connects again for as long as it is not stopped. */
export function startListener(
  connect: () => PromiseLike<ListenClient>,
  channel: string,
  onNotification: () => void,
  onError: (error: Error) => void,
): CommitListener {
  const pause = createWake()
  let isStopped = false
  let drop: (() => void) | undefined

  async function listenOnce(): Promise<void> {
    const client = await connect()
    const lost = new Promise<Error | undefined>((resolve) => {
      client.on('error', (error?: Error) => resolve(error))
      client.on('end', () => resolve(undefined))
      drop = () => resolve(undefined)
    })
    try {
      client.on('notification', onNotification)
      await client.query(`LISTEN ${channel}`)
      // What was committed before.
      onNotification()
      if (isStopped) return
      const error = await lost
      if (error !== undefined) throw error
    } finally {
      drop = undefined
      // It listens: nobody else may get it from the pool.
      client.release(true)
    }
  }
  async function run(): Promise<void> {
    for (let failures = 0; !isStopped; failures += 1) {
      const since = performance.now()
      await listenOnce().catch((error: unknown) => onError(error as Error))
      if (performance.now() - since > MAX_PAUSE_MS) failures = 0
      if (!isStopped) await pause.wait(Math.min(MAX_PAUSE_MS, 500 * 2 ** failures))
    }
  }
  const running = run()
  return {
    async stop() {
      isStopped = true
      drop?.()
      pause.now()
      await running
    },
  }
}
