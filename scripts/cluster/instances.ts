/**
 * The instances behind the gateway: their connections, and whether each is ready. One that is not
 * ready is passed over, so that it may end without refusing anything.
 */
import { createTicker } from '@posthorn/async/ticker'
import { Client, Pool } from 'undici'

const CONNECTIONS = 64
/**
 * Connections for requests that wait for their answer, apart from the others: as many as a service
 * lets wait.
 */
const WAITING_CONNECTIONS = 4_000
/** An instance that is too busy to answer in time is as ready as it was. */
const READY_ANSWER_MS = 2_000
/** How soon it is seen that an instance is leaving, or has come. */
const ASK_READY_MS = 250
/**
 * The same without requests to its service: half of the time for which an instance that leaves
 * still answers. A question and its answer take 1 ms of a processor.
 */
const ASK_READY_IDLE_MS = 1_000
/** Longer than any answer of ours takes. */
const ANSWER_MS = 90_000

export interface Instance {
  url: URL
  ready: boolean
  /**
   * Called when the instance leaves: it is sent nothing more, unless none is ready, and no
   * connection that exists by now is used again.
   */
  leave: () => void
  quick: Pool
  /** Connections for requests that wait for their answer. */
  waiting: Pool
  /**
   * A connection for asking whether it is ready: behind other requests the answer would come too
   * late.
   */
  asking: Client
}

export function openInstances(
  upstreams: Readonly<Record<string, readonly string[]>>,
): Map<string, Instance[]> {
  return new Map(
    Object.entries(upstreams).map(([service, urls]) => [
      service,
      urls.map((url) => ({
        url: new URL(url),
        ready: true,
        leave: () => undefined,
        quick: openPool(url, CONNECTIONS),
        waiting: openPool(url, WAITING_CONNECTIONS),
        asking: new Client(url, { headersTimeout: READY_ANSWER_MS, bodyTimeout: READY_ANSWER_MS }),
      })),
    ]),
  )
}

export interface Readiness {
  start(): void
  stop(): Promise<void>
  /** Has the instances asked often. @returns how many requests there were */
  countRequest(): number
}

/**
 * Asks the instances of a service, each by itself: one that is slow to answer must not delay the
 * news about the others.
 */
export function watchReadiness(instances: readonly Instance[]): Readiness {
  let requests = 0
  const tickers = instances.map((instance) => {
    let requestsBefore = 0
    return createTicker(
      { name: 'readiness', everyMs: ASK_READY_MS, onError: () => undefined },
      async () => {
        const isIdle = requests === requestsBefore
        requestsBefore = requests
        await askReady(instance)
        return isIdle && instance.ready ? ASK_READY_IDLE_MS : false
      },
    )
  })
  return {
    start() {
      for (const one of tickers) one.start()
    },
    async stop() {
      await Promise.all(tickers.map((one) => one.stop()))
    },
    countRequest() {
      requests += 1
      for (const one of tickers) one.wake()
      return requests
    },
  }
}

async function askReady(instance: Instance): Promise<void> {
  const signal = AbortSignal.timeout(READY_ANSWER_MS)
  try {
    const answer = await instance.asking.request({ path: '/ready', method: 'GET', signal })
    await answer.body.dump()
    if (answer.statusCode === 200) instance.ready = true
    else instance.leave()
  } catch {
    if (!signal.aborted) instance.leave()
  }
}

/**
 * The instances that are ready, in turn. The others follow, for when none is ready: what was heard
 * about them may be old.
 */
export function inTurn(instances: readonly Instance[], turn: number): Instance[] {
  const turned = instances.map((_, at) => instances[(turn + at) % instances.length] as Instance)
  return [...turned.filter(({ ready }) => ready), ...turned.filter(({ ready }) => !ready)]
}

/** Where the ready ones are, or all where none is ready. */
export function readyUrls(instances: readonly Instance[]): readonly URL[] {
  const ready = instances.filter((instance) => instance.ready)
  return (ready.length > 0 ? ready : instances).map(({ url }) => url)
}

function openPool(url: string, connections: number): Pool {
  return new Pool(url, {
    connections,
    pipelining: 1,
    headersTimeout: ANSWER_MS,
    bodyTimeout: ANSWER_MS,
  })
}
