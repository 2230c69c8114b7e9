/**
 * The two clients of a process for Redis, whether it is one server, a primary that Sentinels name,
 * or a Cluster.
 */
import { within } from '@posthorn/async/within'
import type { CircuitPermit } from '@posthorn/domain/circuit'
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis'
import {
  PASS_CIRCUIT_SCRIPT,
  READ_CIRCUITS_SCRIPT,
  REPORT_CIRCUIT_SCRIPT,
  RESET_CIRCUIT_SCRIPT,
} from './circuit-scripts.ts'
import { CLAIM_SCRIPT } from './claim-script.ts'
import { COUNT_GUESS_SCRIPT } from './guesses.ts'
import { type KeyNames, PLAIN_NAMES, TAGGED_NAMES } from './hash-tags.ts'
import { TAKE_TOKENS_SCRIPT } from './rate-bucket.ts'
import { ADD_RECENT_SCRIPT, SUM_RECENT_SCRIPT } from './recent-counts.ts'
import { parseRedisUrl, type RedisAddress } from './redis-address.ts'
import { COMMAND_TIMEOUT_MS } from './redis-guard.ts'
import { TOKEN_BUCKET_SCRIPT } from './token-bucket-script.ts'

export interface RedisAccess {
  /** As in `redis-address.ts`, or whatever URL of one server the driver reads. */
  url: string
  /** A prefix of every key, so that several installations or tests can share a Redis. */
  prefix?: string
  /** The authority that signed the servers' certificates, as PEM; default: the public ones. */
  ca?: string
  /** The password of the Sentinels themselves. */
  sentinelPassword?: string
  /** How long a command may take; `COMMAND_TIMEOUT_MS` where it is left out. */
  commandTimeoutMs?: number
}

const MAX_RECONNECT_DELAY_MS = 500
/** How long the start waits for Redis; the process starts without it all the same. */
const FIRST_CONNECT_MS = 1_000
/** A Cluster's new primary is found by a redirection, or else at the next look at its slots. */
const LOOK_AT_SLOTS_MS = 1_000
/** A redirection and its repeat are enough where the slots are known. */
const MAX_REDIRECTIONS = 4

const retryDelay = (times: number): number => Math.min(times * 50, MAX_RECONNECT_DELAY_MS)

const OPTIONS = {
  maxRetriesPerRequest: 1,
  // A claim that Redis granted before the connection broke would, if it were sent again, find
  // itself taken, by nobody.
  autoResendUnfulfilledCommands: false,
  connectTimeout: 2_000,
  // A primary that has become a replica: the name, or the Sentinels, lead to the new one.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
} satisfies RedisOptions

const SCRIPTS = {
  claimAll: { lua: CLAIM_SCRIPT },
  takeToken: { lua: TOKEN_BUCKET_SCRIPT, numberOfKeys: 1 },
  takeTokens: { lua: TAKE_TOKENS_SCRIPT, numberOfKeys: 1 },
  addRecent: { lua: ADD_RECENT_SCRIPT },
  sumRecent: { lua: SUM_RECENT_SCRIPT },
  countGuess: { lua: COUNT_GUESS_SCRIPT, numberOfKeys: 1 },
  readCircuits: { lua: READ_CIRCUITS_SCRIPT },
  passCircuit: { lua: PASS_CIRCUIT_SCRIPT, numberOfKeys: 1 },
  reportCircuit: { lua: REPORT_CIRCUIT_SCRIPT, numberOfKeys: 1 },
  resetCircuit: { lua: RESET_CIRCUIT_SCRIPT, numberOfKeys: 1 },
}

export interface ScriptClient {
  claimAll(count: number, ...keysAndTtls: (string | number)[]): Promise<(0 | 1)[]>
  takeToken(key: string, perSecond: number): Promise<[number, number, number, number, number]>
  takeTokens(
    key: string,
    perSecond: number,
    wanted: number,
    backlog: string,
    priority: number,
  ): Promise<[number, number, number, number]>
  addRecent(count: number, ...keysAndTimes: (string | number)[]): Promise<number>
  sumRecent(count: number, ...keys: string[]): Promise<number[]>
  countGuess(
    key: string,
    max: number,
    windowMs: number,
    lockMs: number,
  ): Promise<[number, number, number, number]>
  readCircuits(count: number, ...keys: string[]): Promise<[number, ...string[]]>
  passCircuit(key: string, leaseMs: number): Promise<[number, CircuitPermit['outcome'], string]>
  reportCircuit(
    key: string,
    signal: string,
    isProbe: number,
    lastedMs: number,
    threshold: number,
    resetMs: number,
  ): Promise<[number, string, string, number]>
  resetCircuit(key: string): Promise<[number, string]>
}

export type PlainClient = Redis | Cluster

export interface RedisClients {
  plain: PlainClient
  scripts: PlainClient & ScriptClient
  names: KeyNames
}

/**
 * Pipelining by itself makes plain commands two thirds faster and scripts two fifths slower: hence
 * two clients.
 */
export function openRedisClients(access: RedisAccess): RedisClients {
  const address = parseRedisUrl(access.url)
  return {
    plain: openClient(access, address, { enableAutoPipelining: true }),
    scripts: openClient(access, address, { scripts: SCRIPTS }) as PlainClient & ScriptClient,
    names: address?.kind === 'cluster' ? TAGGED_NAMES : PLAIN_NAMES,
  }
}

function openClient(
  access: RedisAccess,
  address: RedisAddress | undefined,
  use: Pick<RedisOptions & ClusterOptions, 'enableAutoPipelining' | 'scripts'>,
): PlainClient {
  const { url, prefix = '', ca, commandTimeoutMs: commandTimeout = COMMAND_TIMEOUT_MS } = access
  const options = { ...OPTIONS, commandTimeout }
  // A command that finds no connection fails at once instead of waiting for one.
  const own = { ...use, keyPrefix: prefix, enableOfflineQueue: false }
  if (address === undefined) {
    const tls = ca !== undefined && url.startsWith('rediss:') ? { tls: { ca } } : {}
    return new Redis(url, { ...options, ...own, ...tls, retryStrategy: retryDelay })
  }
  const { kind, nodes, primary, username, password, database, isTls } = address
  const tls = isTls ? { tls: ca === undefined ? {} : { ca } } : {}
  const login = { ...(username && { username }), ...(password && { password }), ...tls }
  if (kind === 'cluster')
    return connectsEarly(
      new Cluster([...nodes], {
        ...own,
        redisOptions: { ...options, ...login },
        clusterRetryStrategy: retryDelay,
        slotsRefreshInterval: LOOK_AT_SLOTS_MS,
        maxRedirections: MAX_REDIRECTIONS,
        // What a node that went away had not answered is not sent again, as above.
        retryDelayOnFailover: 0,
        retryDelayOnClusterDown: 0,
        // A certificate is for the name, so the name stays.
        ...(isTls && { dnsLookup: (host, done) => done(null, host) }),
      }),
    )
  const { sentinelPassword } = access
  return new Redis({
    ...options,
    ...own,
    ...login,
    sentinels: [...nodes],
    name: primary,
    db: database,
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(isTls && { enableTLSForSentinelMode: true, sentinelTLS: tls.tls }),
    retryStrategy: retryDelay,
    sentinelRetryStrategy: retryDelay,
  })
}

/**
 * By itself a Cluster's client connects to a node with the first command for it, and refuses those
 * that come until the connection stands.
 */
function connectsEarly(cluster: Cluster): Cluster {
  const connect = (node: Redis): void => {
    if (node.status === 'wait') node.connect().catch(() => {})
  }
  cluster.on('ready', () => cluster.nodes('all').forEach(connect))
  cluster.on('+node', (node: Redis) => {
    if (cluster.status === 'ready') connect(node)
  })
  return cluster
}

/** Resolves once the client can be used, or has taken too long. */
export async function firstConnection(client: PlainClient): Promise<void> {
  const until = new AbortController()
  const ready = async (): Promise<void> => {
    await nextReady(client, until.signal)
    if (client instanceof Cluster)
      await Promise.all(client.nodes('all').map((node) => nextReady(node, until.signal)))
  }
  await within(FIRST_CONNECT_MS, ready())
  until.abort()
}

async function nextReady(client: PlainClient, until: AbortSignal): Promise<void> {
  if (client.status === 'ready') return
  const { promise, resolve } = Promise.withResolvers<void>()
  client.once('ready', resolve)
  until.addEventListener('abort', () => resolve())
  await promise
  client.off('ready', resolve)
}
