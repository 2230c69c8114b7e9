/** Redis as operators run it: a primary with a replica under Sentinels, and a Cluster. */
import { freePort } from '@posthorn/local-stores/free-port'
import { askRedis, startRedisServer } from '@posthorn/local-stores/redis-server'
import type { ServerHandle } from '@posthorn/local-stores/server-process'
import { eventually } from '@posthorn/testing/eventually'

export interface RedisServers {
  url: string
  /** The primaries, in the order of their slots. */
  primaries: readonly ServerHandle[]
  stop(): Promise<void>
}

const SLOTS = 16_384
/** A server that has not answered for so long counts as gone. */
const GONE_AFTER_MS = 3_000

export function portOf(server: ServerHandle): number {
  return Number(new URL(server.url).port)
}

/** A primary, its replica, and three Sentinels that know the primary as `posthorn`. */
export async function startSentinels(): Promise<RedisServers> {
  const primary = await startRedisServer()
  const replica = await startRedisServer({
    settings: [`replicaof 127.0.0.1 ${portOf(primary)}`, 'repl-diskless-sync-delay 0'],
  })
  await eventually(async () =>
    (await askRedis(portOf(replica), 'INFO replication')).includes('master_link_status:up'),
  )
  const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(portOf(primary))))
  await eventually(async () => {
    for (const sentinel of sentinels) {
      const told = await askRedis(portOf(sentinel), 'INFO sentinel')
      if (!told.includes('slaves=1,sentinels=3')) throw new Error(told)
    }
    return true
  })
  const nodes = sentinels.map((sentinel) => `127.0.0.1:${portOf(sentinel)}`).join(',')
  return {
    url: `redis-sentinel://${nodes}/0#posthorn`,
    primaries: [primary],
    stop: () => stopAll([...sentinels, replica, primary]),
  }
}

async function startSentinel(primaryPort: number): Promise<ServerHandle> {
  return await startRedisServer({
    isSentinel: true,
    settings: [
      `sentinel monitor posthorn 127.0.0.1 ${primaryPort} 2`,
      `sentinel down-after-milliseconds posthorn ${GONE_AFTER_MS}`,
      'sentinel failover-timeout posthorn 10000',
    ],
  })
}

/** Three primaries without replicas. */
export async function startRedisCluster(): Promise<RedisServers> {
  const nodes = await Promise.all(
    [0, 1, 2].map(async () => {
      const busPort = await freePort()
      const settings = [
        'cluster-enabled yes',
        `cluster-port ${busPort}`,
        `cluster-node-timeout ${GONE_AFTER_MS}`,
      ]
      return { server: await startRedisServer({ settings }), busPort }
    }),
  )
  const ports = nodes.map(({ server }) => portOf(server))
  for (const [at, port] of ports.entries()) {
    const first = Math.floor((at * SLOTS) / ports.length)
    const last = Math.floor(((at + 1) * SLOTS) / ports.length) - 1
    await expectOk(port, `CLUSTER SET-CONFIG-EPOCH ${at + 1}`)
    await expectOk(port, `CLUSTER ADDSLOTSRANGE ${first} ${last}`)
  }
  for (const { server, busPort } of nodes.slice(1))
    await expectOk(ports[0] ?? 0, `CLUSTER MEET 127.0.0.1 ${portOf(server)} ${busPort}`)
  await eventually(async () => {
    for (const port of ports) {
      const told = await askRedis(port, 'CLUSTER INFO')
      const isWhole = told.includes('cluster_state:ok') && told.includes('known_nodes:3')
      if (!isWhole) throw new Error(told)
    }
    return true
  })
  return {
    url: `redis-cluster://${ports.map((port) => `127.0.0.1:${port}`).join(',')}`,
    primaries: nodes.map(({ server }) => server),
    stop: () => stopAll(nodes.map(({ server }) => server)),
  }
}

async function expectOk(port: number, command: string): Promise<void> {
  const told = await askRedis(port, command)
  if (!told.startsWith('+OK')) throw new Error(`${command}: ${told}`)
}

async function stopAll(servers: readonly ServerHandle[]): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()))
}
