/** A Kafka as operators have it: TLS of their own authority, logins, rights, topics of theirs. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Bus } from '@posthorn/bus/bus'
import { accepted, createInbox, recordEvents } from '@posthorn/bus/bus.conformance'
import { diagnoseKafka } from '@posthorn/bus/diagnose-kafka'
import { createKafkaBus } from '@posthorn/bus/kafka-bus'
import { createKafkaAdmin, type KafkaConfig, type TopicPolicy } from '@posthorn/bus/kafka-client'
import { kafkajsLogin, type KafkaSasl } from '@posthorn/bus/kafka-login'
import { type Certificate, makeCertificate } from '@posthorn/egress/certificate.fixture'
import { freePort } from '@posthorn/local-stores/free-port'
import { type KafkaServer, startKafkaServer } from '@posthorn/local-stores/kafka-server'
import { eventually } from '@posthorn/testing/eventually'

const USER = 'posthorn'
const PASSWORD = 'a pass,word=1'
const CLIENT_SECRET = 'client s&cret'
const oauthKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })

let authority: Certificate
let tokens: Server
let tokenUrl: string
let asked = 0
let server: KafkaServer
let broker: string
beforeAll(async () => {
  authority = makeCertificate({ name: 'an authority of the operator' })
  tokens = createServer(answerTokens)
  await new Promise<void>((done) => tokens.listen(0, '127.0.0.1', done))
  tokenUrl = `http://127.0.0.1:${(tokens.address() as AddressInfo).port}`
  const port = await freePort()
  broker = `127.0.0.1:${port}`
  const own = makeCertificate({ name: 'kafka', altNames: ['127.0.0.1'], signedBy: authority })
  server = await startKafkaServer({
    listeners: [{ port, advertisedPort: port, protocol: 'SASL_SSL' }],
    scram: ['SCRAM-SHA-256', 'SCRAM-SHA-512'].map((name) => `${name}=[name=${USER},password=pw]`),
    javaFlags: [`-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=${tokenUrl}/keys`],
    settings: { ...listenerSettings(own), ...RIGHTS, 'default.replication.factor': 3 },
  })
})
afterAll(async () => {
  await server.stop()
  tokens.closeAllConnections()
  await new Promise((done) => tokens.close(done))
})

/** `guest` may log in and do nothing. */
const RIGHTS = {
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  'super.users': `User:ANONYMOUS;User:${USER}`,
}

function listenerSettings(own: Certificate): Record<string, string> {
  const jaas = (module: string, options = ''): string =>
    `org.apache.kafka.common.security.${module} required ${options};`
  const escaped = (pem: string): string => pem.trim().replaceAll('\n', ' \\\n')
  const settings: Record<string, string> = {
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.certificate.chain': escaped(own.cert),
    'ssl.keystore.key': escaped(own.key),
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
    'plain.sasl.jaas.config': jaas(
      'plain.PlainLoginModule',
      `user_${USER}="${PASSWORD}" user_guest="guest"`,
    ),
    'scram-sha-256.sasl.jaas.config': jaas('scram.ScramLoginModule'),
    'scram-sha-512.sasl.jaas.config': jaas('scram.ScramLoginModule'),
    'oauthbearer.sasl.jaas.config': jaas('oauthbearer.OAuthBearerLoginModule'),
    'oauthbearer.sasl.server.callback.handler.class':
      'org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler',
    'oauthbearer.sasl.oauthbearer.jwks.endpoint.url': `${tokenUrl}/keys`,
    'oauthbearer.sasl.oauthbearer.expected.audience': 'kafka',
  }
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`listener.name.other0.${name}`, value]),
  )
}

/** A token endpoint, and the keys of its signatures. */
function answerTokens(
  request: { url?: string; headers: { authorization?: string } },
  response: { writeHead(status: number): unknown; end(text?: string): unknown },
): void {
  if (request.url === '/keys') {
    const key = oauthKeys.publicKey.export({ format: 'jwk' })
    response.end(JSON.stringify({ keys: [{ ...key, kid: 'one', alg: 'RS256', use: 'sig' }] }))
    return
  }
  asked += 1
  const credentials = [USER, CLIENT_SECRET].map(encodeURIComponent).join(':')
  const isKnown =
    request.headers.authorization === `Basic ${Buffer.from(credentials).toString('base64')}`
  if (!isKnown) response.writeHead(401)
  const lifeSeconds = request.url === '/token' ? 300 : -100
  response.end(JSON.stringify({ access_token: newToken(lifeSeconds), expires_in: 300 }))
}

function newToken(lifeSeconds: number): string {
  const now = Math.floor(Date.now() / 1_000)
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { sub: USER, aud: 'kafka', iss: 'tests', iat: now - 500, exp: now + lifeSeconds }
  const text = `${part({ alg: 'RS256', kid: 'one', typ: 'JWT' })}.${part({ ...claims, scope: 'kafka' })}`
  return `${text}.${sign('sha256', Buffer.from(text), oauthKeys.privateKey).toString('base64url')}`
}

const plain: KafkaSasl = { mechanism: 'plain', username: USER, password: PASSWORD }
const LOGINS: readonly (() => KafkaSasl)[] = [
  () => plain,
  () => ({ mechanism: 'scram-sha-256', username: USER, password: 'pw' }),
  () => ({ mechanism: 'scram-sha-512', username: USER, password: 'pw' }),
  () => ({
    mechanism: 'oauthbearer',
    client: { tokenUrl: `${tokenUrl}/token`, clientId: USER, clientSecret: CLIENT_SECRET },
  }),
]

function configOf(sasl: KafkaSasl, topics: TopicPolicy, topicPrefix: string): KafkaConfig {
  const login = kafkajsLogin({ isTls: true, ca: authority.cert, sasl })
  return { brokers: [broker], clientId: 'test', partitions: 2, topicPrefix, topics, login }
}

describe('Kafka with TLS and a login', () => {
  const prefix = `${randomUUID()}.`
  const mine: TopicPolicy = { create: true, replicationFactor: 1, retentionMs: 7_200_000 }
  let bus: Bus | undefined
  afterEach(async () => {
    await bus?.close(1_000)
    bus = undefined
  })

  test.each(LOGINS.map((login, at) => [at, login] as const))(
    'login %d: messages go out and come in',
    async (at, login) => {
      const sasl = login()
      const events = recordEvents()
      bus = await createKafkaBus(configOf(sasl, mine, prefix), events)
      expect(events.errors).toEqual([])
      const inbox = createInbox()
      const group = `fanout-${sasl.mechanism}`
      await bus.subscribe({
        group,
        topics: ['event.accepted'],
        maxInFlight: 100,
        onMessages: inbox.take,
      })
      bus.announce('event.accepted', accepted(20, at * 100))
      await eventually(() =>
        accepted(20, at * 100).every(({ eventId }) => inbox.ids.includes(eventId)),
      )
    },
  )

  test('one token serves many connections', () => {
    expect(asked).toBe(1)
  })

  test('topics were made with the replicas and the retention that were asked for', async () => {
    const admin = createKafkaAdmin(configOf(plain, mine, prefix))
    const topic = `${prefix}event.accepted`
    const { resources } = await admin.use((client) =>
      client.describeConfigs({
        includeSynonyms: false,
        resources: [{ type: 2, name: topic, configNames: ['retention.ms'] }],
      }),
    )
    const retention = resources[0]?.configEntries.find(
      ({ configName }) => configName === 'retention.ms',
    )
    expect(retention?.configValue).toBe('7200000')
    const { topics } = await admin.use((client) => client.fetchTopicMetadata({ topics: [topic] }))
    expect(topics[0]?.partitions.map(({ replicas }) => replicas.length)).toEqual([1, 1])
    await admin.close()
  })
})

describe('what is wrong with it is said in words', () => {
  const none: TopicPolicy = { create: false }
  const made: TopicPolicy = { create: true, replicationFactor: 1 }

  async function wrongOf(config: KafkaConfig): Promise<string> {
    const findings = await diagnoseKafka(config)
    return findings
      .filter(({ level }) => level === 'wrong')
      .map(({ text }) => text)
      .join('\n')
  }

  test('nothing, where all is well', async () => {
    expect(await wrongOf(configOf(plain, made, `${randomUUID()}.`))).toBe('')
  })
  test('a wrong password', async () => {
    const sasl = { ...plain, password: 'wrong' } as const
    expect(await wrongOf(configOf(sasl, made, ''))).toContain('it refuses the login')
    const scram = { mechanism: 'scram-sha-256', username: USER, password: 'wrong' } as const
    expect(await wrongOf(configOf(scram, made, ''))).toContain('it refuses the login')
  })
  test('a wrong authority', async () => {
    const { cert } = makeCertificate({ name: 'an authority of the operator' })
    const login = kafkajsLogin({ isTls: true, ca: cert, sasl: plain })
    const config = { ...configOf(plain, made, ''), login }
    expect(await wrongOf(config)).toContain('an authority that is not trusted here')
  })
  test('no TLS', async () => {
    const login = kafkajsLogin({ isTls: false, sasl: plain })
    const config = { ...configOf(plain, made, ''), login }
    expect(await wrongOf(config)).toMatch(/TLS/)
  })
  test('more replicas than brokers', async () => {
    const policy = { create: true, replicationFactor: 3 }
    const text = await wrongOf(configOf(plain, policy, `${randomUUID()}.`))
    expect(text).toContain('larger than the number of brokers')
  })
  test('topics that are missing', async () => {
    const prefix = `${randomUUID()}.`
    const text = await wrongOf(configOf(plain, none, prefix))
    expect(text).toContain('these topics are missing')
    expect(text).toContain(`${prefix}event.accepted`)
  })
  test('a right that is missing', async () => {
    const guest = { mechanism: 'plain', username: 'guest', password: 'guest' } as const
    const text = await wrongOf(configOf(guest, made, `${randomUUID()}.`))
    expect(text).toContain('the user lacks a right (ACL)')
  })
  test('a token that is not given', async () => {
    const client = { tokenUrl: `${tokenUrl}/token`, clientId: USER, clientSecret: 'wrong' }
    const text = await wrongOf(configOf({ mechanism: 'oauthbearer', client }, made, ''))
    expect(text).toContain('answered 401')
  })
  test('a token that has expired', async () => {
    const client = { tokenUrl: `${tokenUrl}/expired`, clientId: USER, clientSecret: CLIENT_SECRET }
    const text = await wrongOf(configOf({ mechanism: 'oauthbearer', client }, made, ''))
    expect(text).toContain('it closes the connection')
  })
  test('nobody there', async () => {
    const config = { ...configOf(plain, made, ''), brokers: [`127.0.0.1:${await freePort()}`] }
    expect(await wrongOf(config)).toContain('nobody listens')
  })
})
