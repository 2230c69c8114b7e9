/**
 * A Kubernetes of this run's own, on loopback: a real API server with its controllers and
 * scheduler, and six nodes in three zones that kwok simulates. Pods are admitted, scheduled,
 * evicted and counted as in any cluster, but nothing runs in them (`simulated-pods.yaml`).
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@posthorn/local-stores/free-port'
import { type ServerHandle, startServerProcess } from '@posthorn/local-stores/server-process'
import { Agent, fetch } from 'undici'
import { type Ran, run } from '../deploy/tools.ts'
import { ensureControlPlane } from './control-plane.ts'

const PODS = fileURLToPath(new URL('simulated-pods.yaml', import.meta.url))
const READY_MS = 120_000
const STOP_MS = 15_000
const ZONES = ['a', 'b', 'c'] as const
const NODES_IN_A_ZONE = 2
const CAPACITY = { cpu: '16', memory: '64Gi', 'ephemeral-storage': '100Gi', pods: '110' }

export interface Cluster {
  /** Runs kubectl, with `input` as what it reads with `-f -`. */
  kubectl(args: readonly string[], input?: string): Promise<Ran>
  helm(...args: string[]): Promise<Ran>
  /** Asks the API server; the answer's body is read by the caller. */
  ask(path: string, init?: Asked): Promise<Answer>
  stop(): Promise<void>
}

type Answer = Awaited<ReturnType<typeof fetch>>

interface Asked {
  method?: 'GET' | 'POST' | 'DELETE'
  body?: object
  signal?: AbortSignal
}

export async function startCluster(helm: string): Promise<Cluster> {
  const programs = await ensureControlPlane()
  const dir = await mkdtemp(join(tmpdir(), 'posthorn-cluster-'))
  const site = await prepareSite(dir)
  const started: ServerHandle[] = []
  const start = async (name: string, command: string, args: string[], isReady: Ready) => {
    const server = { name, command, args, isReady, url: '', logPath: join(dir, `${name}.log`) }
    const times = { readyTimeoutMs: READY_MS, stopTimeoutMs: STOP_MS }
    started.push(await startServerProcess({ ...server, ...times, temporaryDir: undefined }))
  }
  const env = { KUBECONFIG: site.kubeconfig, HELM_CACHE_HOME: dir, HELM_CONFIG_HOME: dir }
  const kubectl = async (args: readonly string[], input = '') =>
    await run(programs.kubectl, args, env, input)
  const succeeds = async (...args: string[]) => (await kubectl(args)).code === 0
  const stop = async (): Promise<void> => {
    for (const server of started.toReversed()) await server.stop()
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await start('etcd', programs.etcd, etcdArgs(dir, site), async () => await isHealthy(site.etcd))
    await start(
      'kube-apiserver',
      programs.apiserver,
      apiserverArgs(dir, site),
      async () => await succeeds('get', '--raw', '/readyz'),
    )
    const as = [`--kubeconfig=${site.kubeconfig}`]
    const alone = [...as, '--leader-elect=false', '--secure-port=0']
    const keys = [`--service-account-private-key-file=${join(dir, 'accounts.key')}`]
    await start(
      'kube-controller-manager',
      programs.controllers,
      [...alone, ...keys],
      async () => await succeeds('get', 'serviceaccount', 'default'),
    )
    await start('kube-scheduler', programs.scheduler, alone, async () => true)
    const stages = ['--config', programs.nodeStage, '--config', PODS]
    const played = ['--manage-all-nodes', '--node-lease-duration-seconds=40', ...stages]
    await start('kwok', programs.kwok, [...as, ...played], async () => true)
    await addNodes(kubectl)
  } catch (error) {
    await stop()
    throw error
  }
  const agent = new Agent({ connect: { ca: await readFile(join(dir, 'apiserver.crt')) } })
  return {
    kubectl,
    helm: async (...args) => await run(helm, args, env),
    ask: async (path, { method = 'GET', body, signal = AbortSignal.timeout(READY_MS) } = {}) => {
      const headers = { Authorization: `Bearer ${site.token}`, 'Content-Type': 'application/json' }
      const init = { method, headers, signal, dispatcher: agent }
      return await fetch(site.url + path, body ? { ...init, body: JSON.stringify(body) } : init)
    },
    stop: async () => {
      await agent.destroy()
      await stop()
    },
  }
}

type Ready = () => Promise<boolean>

interface Site {
  url: string
  etcd: string
  etcdPeers: string
  token: string
  kubeconfig: string
}

/** Addresses, keys, and an administrator who is known by a token. */
async function prepareSite(dir: string): Promise<Site> {
  const url = `https://127.0.0.1:${await freePort()}`
  const token = randomBytes(16).toString('hex')
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  await writeFile(join(dir, 'accounts.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }))
  await writeFile(join(dir, 'accounts.pub'), publicKey.export({ type: 'spki', format: 'pem' }))
  await writeFile(join(dir, 'tokens.csv'), `${token},admin,admin,"system:masters"\n`)
  const kubeconfig = join(dir, 'kubeconfig')
  const cluster = { server: url, 'certificate-authority': join(dir, 'apiserver.crt') }
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'it',
    clusters: [{ name: 'it', cluster }],
    users: [{ name: 'it', user: { token } }],
    contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
  }
  await writeFile(kubeconfig, JSON.stringify(config))
  const etcd = `http://127.0.0.1:${await freePort()}`
  return { url, token, kubeconfig, etcd, etcdPeers: `http://127.0.0.1:${await freePort()}` }
}

function etcdArgs(dir: string, { etcd, etcdPeers }: Site): string[] {
  return [
    `--data-dir=${join(dir, 'etcd')}`,
    `--listen-client-urls=${etcd}`,
    `--advertise-client-urls=${etcd}`,
    `--listen-peer-urls=${etcdPeers}`,
    `--initial-advertise-peer-urls=${etcdPeers}`,
    `--initial-cluster=default=${etcdPeers}`,
    '--unsafe-no-fsync',
  ]
}

function apiserverArgs(dir: string, { url, etcd }: Site): string[] {
  return [
    `--etcd-servers=${etcd}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${new URL(url).port}`,
    // It makes its own certificate here.
    `--cert-dir=${dir}`,
    `--token-auth-file=${join(dir, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.96.0.0/16',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${join(dir, 'accounts.pub')}`,
    `--service-account-signing-key-file=${join(dir, 'accounts.key')}`,
    // Nobody in this cluster calls the API server by its Service.
    '--endpoint-reconciler-type=none',
  ]
}

async function isHealthy(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health`)
  await answer.text()
  return answer.ok
}

async function addNodes(kubectl: Cluster['kubectl']): Promise<void> {
  const items = ZONES.flatMap((zone) =>
    Array.from({ length: NODES_IN_A_ZONE }, (_, index) => {
      const name = `node-${zone}${index + 1}`
      const labels = {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'topology.kubernetes.io/zone': zone,
      }
      const status = { capacity: CAPACITY, allocatable: CAPACITY }
      return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, status }
    }),
  )
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
  const applied = await kubectl(['apply', '-f', '-'], list)
  if (applied.code !== 0) throw new Error(`the nodes were refused: ${applied.stderr}`)
  const ready = ['wait', '--for=condition=Ready', 'node', '--all', '--timeout=60s']
  const waited = await kubectl(ready)
  if (waited.code !== 0) throw new Error(`the nodes do not get ready: ${waited.stderr}`)
}
