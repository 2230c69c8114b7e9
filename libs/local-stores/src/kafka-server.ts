/**
 * An Apache Kafka on this machine: one node that is broker and controller (KRaft), on Java 17 or
 * newer.
 *
 * One node means replication factor 1: what it acknowledged may be lost with the machine. The
 * product must bear that.
 */
import { spawnSync } from 'node:child_process'
import { access, cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findJava } from './find-java.ts'
import { freePort } from './free-port.ts'
import { kafkaCacheDir } from './kafka-jars.ts'
import { startServerProcess, type ServerHandle } from './server-process.ts'

export interface KafkaServerOptions {
  /** The folder for topics and log; by default a temporary one. */
  dataDir?: string
  port?: number
  /**
   * Listeners beside its own, in its settings `other0` and so on; each may tell its clients to come
   * to another port, that of a proxy.
   */
  listeners?: readonly KafkaListener[]
  /** Its own settings beside or instead of those here. */
  settings?: Readonly<Record<string, string | number | boolean>>
  /** Logins that it has from its first start: `SCRAM-SHA-256=[name=…,password=…]`. */
  scram?: readonly string[]
  javaFlags?: readonly string[]
}

export interface KafkaListener {
  port: number
  advertisedPort: number
  protocol?: 'PLAINTEXT' | 'SASL_PLAINTEXT' | 'SASL_SSL'
}

export interface KafkaServer extends ServerHandle {
  /**
   * To be called while it is down: topics, messages and offsets are gone, as after the loss of its
   * disk.
   */
  wipe(): Promise<void>
}

/** Its `url` is `127.0.0.1:<port>`, as `KAFKA_BROKERS` wants it. */
export async function startKafkaServer(options: KafkaServerOptions = {}): Promise<KafkaServer> {
  const java = findJava('Kafka', ', or set TEST_KAFKA_BROKERS to a Kafka of your own')
  const cacheDir = await kafkaCacheDir()
  const port = options.port ?? (await freePort())
  if (await speaksKafka(port).catch(() => false)) {
    throw new Error(`Another Kafka listens on port ${port} already`)
  }
  const dir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'posthorn-kafka-')))
  await mkdir(dir, { recursive: true })
  const logDir = join(dir, 'topics')
  const properties = join(dir, 'server.properties')
  await writeFile(properties, propertiesOf(logDir, port, await freePort(), options))
  const makeStorage = async (): Promise<void> => {
    if (options.scram === undefined) await format(java, cacheDir, logDir)
    else await formatWith(java, cacheDir, properties, options.scram)
  }
  if (!(await exists(join(logDir, 'meta.properties')))) await makeStorage()
  const server = await startServerProcess({
    name: 'Kafka',
    url: `127.0.0.1:${port}`,
    command: java,
    args: [...(options.javaFlags ?? []), ...flagsOf(cacheDir), 'kafka.Kafka', properties],
    logPath: join(dir, 'kafka.log'),
    temporaryDir: options.dataDir === undefined ? dir : undefined,
    isReady: async () => await speaksKafka(port),
    readyTimeoutMs: 90_000, // 6 s here; a busy machine of 2 cores takes some times that
    stopTimeoutMs: 15_000,
  })
  return Object.assign(server, {
    async wipe() {
      await rm(logDir, { recursive: true, force: true })
      await makeStorage()
    },
  })
}

function flagsOf(cacheDir: string): string[] {
  return [
    '-Xms128m',
    '-Xmx512m',
    '-XX:+UseSerialGC', // two cores are shared with everything else
    // It never runs long enough to earn back what the optimizing compiler takes.
    '-XX:TieredStopAtLevel=1',
    '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
    '-Dorg.slf4j.simpleLogger.showDateTime=true',
    '-cp',
    join(cacheDir, 'jars', '*'),
  ]
}

function propertiesOf(
  logDir: string,
  port: number,
  controllerPort: number,
  { listeners: others = [], settings: own = {} }: KafkaServerOptions = {},
): string {
  const named = others.map((other, index) => ({ ...other, name: `OTHER${index}` }))
  const list = (entry: (other: (typeof named)[number]) => string): string =>
    named.map((other) => `,${entry(other)}`).join('')
  const settings: Record<string, string | number | boolean> = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}${list(({ name, port: at }) => `${name}://127.0.0.1:${at}`)}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}${list(({ name, advertisedPort }) => `${name}://127.0.0.1:${advertisedPort}`)}`,
    'listener.security.protocol.map': `PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT${list(({ name, protocol = 'PLAINTEXT' }) => `${name}:${protocol}`)}`,
    'inter.broker.listener.name': 'PLAINTEXT',
    'log.dirs': logDir,
    'num.partitions': 4,
    'default.replication.factor': 1,
    'offsets.topic.replication.factor': 1,
    // 50 partitions, of one small group each, would cost 50 folders and files.
    'offsets.topic.num.partitions': 8,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    'metadata.max.idle.interval.ms': 0, // two records a second that say nothing
    'auto.create.topics.enable': false,
    'log.retention.bytes': 256 * 1024 * 1024, // a partition: what was read is of no use
    'log.segment.bytes': 64 * 1024 * 1024,
    'num.network.threads': 2,
    'num.io.threads': 4,
    ...own,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  return `${lines.join('\n')}\n`
}

/**
 * Formatting costs a second JVM, some 2 s. Its result, which contains no port and no path, is kept
 * beside the jars.
 */
async function format(java: string, cacheDir: string, logDir: string): Promise<void> {
  const formatted = join(cacheDir, 'formatted')
  if (!(await exists(join(formatted, 'meta.properties')))) {
    const draft = await mkdtemp(join(cacheDir, 'formatted.new-'))
    const properties = join(draft, 'server.properties')
    await writeFile(properties, propertiesOf(join(draft, 'topics'), 9092, 9093))
    await formatWith(java, cacheDir, properties, [])
    await rename(join(draft, 'topics'), formatted).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error // another was first
    })
    await rm(draft, { recursive: true, force: true })
  }
  await cp(formatted, logDir, { recursive: true })
}

async function formatWith(
  java: string,
  cacheDir: string,
  properties: string,
  scram: readonly string[],
): Promise<void> {
  const logins = scram.flatMap((login) => ['--add-scram', login])
  const args = ['format', '-t', 'cG9zdGhvcm5fdGVzdHM_Xw', '-c', properties, ...logins]
  const tool = [...flagsOf(cacheDir), 'kafka.tools.StorageTool']
  const done = spawnSync(java, [...tool, ...args], { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`Kafka's storage could not be formatted: ${done.stderr}`)
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}

/** ApiVersions, version 0: any answer with our number means that requests are being served. */
async function speaksKafka(port: number): Promise<boolean> {
  const request = Buffer.alloc(14)
  request.writeInt32BE(10, 0) // bytes that follow
  request.writeInt16BE(18, 4) // ApiVersions
  request.writeInt16BE(0, 6)
  request.writeInt32BE(4711, 8) // our number
  request.writeInt16BE(-1, 12) // no client id
  return await new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.setTimeout(2000, () => socket.destroy(new Error('no answer')))
    socket.once('error', failed)
    socket.once('close', () => done(false))
    socket.once('data', (data) => {
      done(data.length >= 8 && data.readInt32BE(4) === 4711)
      socket.destroy()
    })
  })
}
