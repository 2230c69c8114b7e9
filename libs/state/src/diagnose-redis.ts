/**
 * Looks at Redis as a service would use it, and tells in words what would not work. It leaves only
 * keys that end within seconds.
 */
import { randomUUID } from 'node:crypto'
import {
  clockFinding,
  connectionFault,
  describeChain,
  type StoreFinding,
} from '@posthorn/contracts/store-findings'
import {
  firstConnection,
  openRedisClients,
  type RedisAccess,
  type RedisClients,
} from './redis-clients.ts'

const LEAST_VERSION = 7
const TTL_MS = 5_000

/** @param now this machine's clock */
export async function diagnoseRedis(
  access: RedisAccess,
  now: () => number,
): Promise<StoreFinding[]> {
  const errors: unknown[] = []
  let clients: RedisClients
  try {
    clients = openRedisClients(access)
  } catch (error) {
    return [{ level: 'wrong', text: (error as Error).message }]
  }
  const { plain, scripts } = clients
  for (const client of [plain, scripts])
    client.on('error', (error: unknown) => void errors.push(error))
  try {
    await Promise.all([plain, scripts].map(firstConnection))
    const answered = await plain.ping().catch((error: unknown) => void errors.push(error))
    // The last is what became of the connection, and the first is why.
    if (answered === undefined) return [{ level: 'wrong', text: wordsOf(errors[0]) }]
    return [
      ...(await diagnoseServer(clients, access)),
      ...(await diagnoseRights(clients)),
      ...(await diagnoseClock(clients, now)),
    ]
  } finally {
    for (const client of [plain, scripts]) client.disconnect()
  }
}

async function diagnoseServer(
  { plain }: RedisClients,
  { url }: RedisAccess,
): Promise<StoreFinding[]> {
  let info: string
  try {
    info = await plain.info()
  } catch (error) {
    return [{ level: 'warning', text: `its version is not known: ${wordsOf(error)}` }]
  }
  const field = (name: string): string =>
    new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1] ?? ''
  const version = field('redis_version')
  const findings: StoreFinding[] = [
    Number.parseInt(version, 10) >= LEAST_VERSION
      ? { level: 'ok', text: `Redis ${version} answers` }
      : { level: 'wrong', text: `Redis ${version} is too old: ${LEAST_VERSION} is the least` },
  ]
  const policy = field('maxmemory_policy')
  if (policy.startsWith('allkeys') && field('maxmemory') !== '0')
    findings.push({
      level: 'warning',
      text: `maxmemory-policy is ${policy}: when it is full, claims and circuits are forgotten; use noeviction`,
    })
  if (field('cluster_enabled') === '1' && !url.includes('-cluster://'))
    findings.push({ level: 'wrong', text: 'it is a Cluster: begin REDIS_URL with redis-cluster' })
  return findings
}

/** Every script and command that services use, once each. */
async function diagnoseRights({ plain, scripts, names }: RedisClients): Promise<StoreFinding[]> {
  const key = names.of(`doctor:${randomUUID()}`)
  const trials: readonly (() => Promise<unknown>)[] = [
    () => scripts.claimAll(1, `${key}:claim`, TTL_MS),
    () => scripts.takeToken(`${key}:token`, 1),
    () => scripts.takeTokens(`${key}:tokens`, 1, 1, 'none', 5),
    () => scripts.addRecent(1, `${key}:recent`, 1),
    () => scripts.sumRecent(1, `${key}:recent`),
    () => scripts.countGuess(`${key}:guess`, 1, TTL_MS, TTL_MS),
    () => scripts.reportCircuit(`${key}:circuit`, 'failure', 0, 0, 1, TTL_MS),
    () => scripts.readCircuits(1, `${key}:circuit`),
    () => scripts.passCircuit(`${key}:circuit`, TTL_MS),
    () => scripts.resetCircuit(`${key}:circuit`),
    () => plain.pexpire(`${key}:circuit`, TTL_MS),
    () => plain.get(`${key}:token`),
    () => plain.lpop(`${key}:guess`),
    () => plain.del(`${key}:guess`),
  ]
  const faults = new Set<string>()
  for (const attempt of trials)
    await attempt().catch((error: unknown) => void faults.add(wordsOf(error)))
  if (faults.size === 0) return [{ level: 'ok', text: 'this user may do what services do' }]
  return [...faults].map((text) => ({ level: 'wrong', text }))
}

async function diagnoseClock({ plain }: RedisClients, now: () => number): Promise<StoreFinding[]> {
  const before = now()
  const time = await plain.time().catch(() => undefined)
  if (time === undefined) return []
  const [seconds, micros] = time
  const theirs = Number(seconds) * 1_000 + Number(micros) / 1_000
  return [clockFinding(theirs - (before + now()) / 2)]
}

function wordsOf(error: unknown): string {
  const said = describeChain(error)
  const known: readonly (readonly [RegExp, string])[] = [
    [/WRONGPASS|invalid username-password|invalid password/, 'it refuses the user or password'],
    [/NOAUTH|Authentication required/, 'it wants a password, and REDIS_URL has none'],
    [/NOPERM|ACL failure|no permissions/, 'the ACL user lacks a right'],
    [/READONLY/, 'it is a replica: REDIS_URL must lead to the primary'],
    [/MOVED|CROSSSLOT/, 'it is a Cluster: begin REDIS_URL with redis-cluster'],
    [/cluster support disabled/, 'it is no Cluster: begin REDIS_URL with redis'],
    [
      /No such master|sentinels are unreachable/i,
      'the Sentinels do not answer, or know no such primary',
    ],
    [/OOM command/, 'its memory is full'],
  ]
  const words = connectionFault(error) ?? known.find(([pattern]) => pattern.test(said))?.[1]
  return words === undefined ? said : `${words} (${said})`
}
