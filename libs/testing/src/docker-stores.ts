/**
 * Starts the stores as containers, where a Docker engine answers. Containers are removed with the
 * run, also after a kill (testcontainers' reaper sees to that).
 *
 * An engine that answers but cannot get an image is no reason to fail: the binaries on this machine
 * are tried next.
 */
import { access } from 'node:fs/promises'
import { request } from 'node:http'
import { freePort } from '@posthorn/local-stores/free-port'
import { S3_KEYS, VERSITYGW_VERSION } from './s3-server.ts'
import type { SharedStore, StoreName } from './store.ts'

const SOCKET = '/var/run/docker.sock'

/** @returns undefined when there is no engine, or when it could not start this store */
export async function startDockerStore(name: StoreName): Promise<SharedStore | undefined> {
  if (!(await hasEngine())) return undefined
  try {
    return await STARTERS[name]()
  } catch (error) {
    const reason = (error as Error).message
    process.stderr.write(`Docker could not start ${name} (${reason}): trying without it\n`)
    return undefined
  }
}

async function hasEngine(): Promise<boolean> {
  if (process.env['DOCKER_HOST']) return true
  const found = await access(SOCKET).then(
    () => true,
    () => false,
  )
  if (!found) return false
  return await new Promise((done) => {
    const ping = request({ socketPath: SOCKET, path: '/_ping', agent: false }, (response) => {
      response.resume()
      done(response.statusCode === 200)
    })
    ping.setTimeout(1000, () => ping.destroy())
    ping.once('error', () => done(false))
    ping.end()
  })
}

const STARTERS: Readonly<Record<StoreName, () => Promise<SharedStore>>> = {
  postgres: async () => {
    const { GenericContainer, Wait } = await import('testcontainers')
    const container = await new GenericContainer('postgres:18-alpine')
      .withEnvironment({ POSTGRES_USER: 'posthorn', POSTGRES_PASSWORD: 'posthorn' })
      .withCommand(['postgres', '-c', 'max_connections=300'])
      .withExposedPorts(5432)
      // The image starts Postgres twice: the first time is for its own initialisation.
      .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
      .start()
    const address = `${container.getHost()}:${container.getMappedPort(5432)}`
    return {
      url: `postgres://posthorn:posthorn@${address}/postgres`,
      stop: async () => void (await container.stop()),
    }
  },
  redis: async () => {
    const { GenericContainer, Wait } = await import('testcontainers')
    const container = await new GenericContainer('redis:7-alpine')
      .withExposedPorts(6379)
      .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
      .start()
    return {
      url: `redis://${container.getHost()}:${container.getMappedPort(6379)}`,
      stop: async () => void (await container.stop()),
    }
  },
  kafka: async () => {
    const { GenericContainer, Wait } = await import('testcontainers')
    // A broker tells its clients where to find it, so its outer port must be known before it
    // starts.
    const port = await freePort()
    const container = await new GenericContainer('apache/kafka:4.1.0')
      .withEnvironment({
        KAFKA_NODE_ID: '1',
        KAFKA_PROCESS_ROLES: 'broker,controller',
        KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
        KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
        KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093',
        KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
        KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
        KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
        KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
        KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
        KAFKA_NUM_PARTITIONS: '4',
      })
      .withExposedPorts({ container: 9092, host: port })
      .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
      .start()
    return { url: `127.0.0.1:${port}`, stop: async () => void (await container.stop()) }
  },
  s3: async () => {
    const { GenericContainer, Wait } = await import('testcontainers')
    const container = await new GenericContainer(`versity/versitygw:v${VERSITYGW_VERSION}`)
      .withEnvironment({ ROOT_ACCESS_KEY: S3_KEYS.access, ROOT_SECRET_KEY: S3_KEYS.secret })
      .withCommand(['--port', ':7070', '--quiet', 'posix', '--sidecar', '/srv', '/home'])
      .withExposedPorts(7070)
      .withWaitStrategy(Wait.forHttp('/', 7070).forStatusCode(403))
      .start()
    const address = `${container.getHost()}:${container.getMappedPort(7070)}`
    return {
      url: `http://${S3_KEYS.access}:${S3_KEYS.secret}@${address}`,
      stop: async () => void (await container.stop()),
    }
  },
}
