/**
 * The chart on a real API server with simulated nodes: what it admits, what an upgrade, a failure,
 * a rollback and a drain leave running. Needs Go, which builds Kubernetes once.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ensureGoBinary } from '@posthorn/testing/go-binary'
import { eventually } from '@posthorn/testing/eventually'
import { SERVICES } from '../../scripts/cluster/options.ts'
import { findTool, HELM } from '../deploy/find-tool.ts'
import { type Manifest, type Ran, readManifests } from '../deploy/tools.ts'
import { BUILD_TIMEOUT_MS } from './control-plane.ts'
import { isServing, listPods, type PodWatch, watchPods } from './pod-watch.ts'
import { type Cluster, startCluster } from './start-cluster.ts'

const CHART = 'k8s/posthorn'
const NAMESPACE = 'hooks'
const RELEASE = 'ph'
/** As in production, without what other projects' kinds are needed for. */
const VALUES = [
  '--values=k8s/examples/production.yaml',
  '--set=metrics.serviceMonitor.enabled=false,metrics.prometheusRule.enabled=false',
]
const HERE = ['--namespace', NAMESPACE]
/** It may ask the server more often than by default, and so sees sooner that all is ready. */
const WAIT = ['--wait', '--timeout=240s', '--qps=200', '--burst-limit=500']
/** What these values ask for; the ingest-api's number is its autoscaler's. */
const REPLICAS: Record<string, number> = {
  ...Object.fromEntries(SERVICES.map((service) => [service, 2])),
  'ingest-api': 3,
  'inbound-receiver': 3,
  dispatcher: 3,
}
/** Kinds of other projects, which this server does not know. */
const FOREIGN = ['HTTPRoute', 'PrometheusRule', 'ScaledObject', 'ServiceMonitor']
const STEP_MS = 300_000

let cluster: Cluster
let watch: PodWatch | undefined

beforeAll(async () => {
  cluster = await startCluster(findTool('helm') ?? (await ensureGoBinary(HELM)))
  const labels = Object.fromEntries(
    ['enforce', 'warn', 'audit'].map((mode) => [
      `pod-security.kubernetes.io/${mode}`,
      'restricted',
    ]),
  )
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE, labels } })
  const metadata = { name: 'posthorn', namespace: NAMESPACE }
  await apply({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { MASTER_KEY: 'x' } })
}, BUILD_TIMEOUT_MS)

afterAll(async () => {
  await watch?.stop()
  await cluster?.stop()
}, STEP_MS)

async function apply(...manifests: Manifest[]): Promise<void> {
  const list = { apiVersion: 'v1', kind: 'List', items: manifests }
  expectDone(await cluster.kubectl(['apply', '-f', '-'], JSON.stringify(list)))
}

/** What their client says of itself, such as that it waits; warnings of the server begin with W. */
const CHATTER = /^[IE]\d{4} .*\n/gm

/** It was done, and the server warned of nothing. */
function expectDone({ code, stderr }: Ran): void {
  expect({ code, stderr: stderr.replaceAll(CHATTER, '') }).toEqual({ code: 0, stderr: '' })
}

/** A command of Helm's on this release; `tag` is the image's, whose ending says what goes wrong. */
async function helm(command: 'install' | 'upgrade', tag: string, ...more: string[]): Promise<Ran> {
  const image = `--set=image.tag=${tag}`
  return await cluster.helm(command, RELEASE, CHART, ...VALUES, image, ...HERE, ...WAIT, ...more)
}

async function list(resource: string): Promise<Manifest[]> {
  const { stdout } = await cluster.kubectl(['get', resource, ...HERE, '-o', 'json'])
  return (JSON.parse(stdout) as { items: Manifest[] }).items
}

async function servicePods(): Promise<Manifest[]> {
  const { items } = (await listPods(cluster, NAMESPACE)) as { items: Manifest[] }
  return items.filter(({ spec }) => spec.restartPolicy === 'Always')
}

function serviceOf({ metadata }: Manifest): string {
  return metadata.labels['app.kubernetes.io/component']
}

function countBy(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

const tagOf = ({ spec }: Manifest): string => spec.containers[0].image.split(':')[1]

/** Until nothing is under way any more. @returns the pods of services */
async function untilSettled(replicas = REPLICAS): Promise<Manifest[]> {
  return await eventually(
    async () => {
      const pods = await servicePods()
      expect(countBy(pods.map(serviceOf))).toEqual(replicas)
      expect(pods.filter((pod) => !isServing(pod))).toEqual([])
      return pods
    },
    { timeoutMs: 90_000, everyMs: 250 },
  )
}

/** Does something, and tells the fewest ready pods that each service had meanwhile. */
async function observe(name: string, act: () => Promise<void>): Promise<Record<string, number>> {
  watch = await watchPods(cluster, NAMESPACE)
  const from = performance.now()
  await act()
  const seconds = ((performance.now() - from) / 1000).toFixed(1)
  const lowest = await watch.lowest()
  await watch.stop()
  process.stdout.write(
    `${name}: ${seconds} s, ${watch.changes()} changes of pods, fewest ready ${JSON.stringify(lowest)}\n`,
  )
  return lowest
}

test(
  'the server takes every object of every example, and warns of nothing',
  async () => {
    for (const example of ['minimal', 'production', 'autoscaled', 'gitops']) {
      const values = ['--api-versions=keda.sh/v1alpha1', `--values=k8s/examples/${example}.yaml`]
      const rendered = await cluster.helm('template', RELEASE, CHART, ...HERE, ...values)
      const known = readManifests(rendered.stdout).filter((one) => !FOREIGN.includes(one['kind']))
      expect(known.length).toBeGreaterThan(15)
      const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: known })
      const ran = await cluster.kubectl(['create', '--dry-run=server', '-f', '-'], text)
      expectDone(ran)
      expect(ran.stdout.trim().split('\n')).toHaveLength(known.length)
    }
  },
  STEP_MS,
)

test('the server refuses what only it can: a range with bits of a host, a pod with too many rights', async () => {
  const wrong = '--set=networkPolicy.storeCidrs[0]=10.0.5.7/24'
  const { stdout } = await cluster.helm('template', RELEASE, CHART, ...HERE, ...VALUES, wrong)
  const [policy] = readManifests(stdout).filter(({ kind }) => kind === 'NetworkPolicy')
  const create = ['create', '--dry-run=server', '-f', '-']
  const ran = await cluster.kubectl(create, JSON.stringify(policy))
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('cidr')])
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'violating', namespace: NAMESPACE },
    spec: { containers: [{ name: 'it', image: 'posthorn:0.1.0' }] },
  }
  const refused = await cluster.kubectl(['create', '-f', '-'], JSON.stringify(pod))
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('violates PodSecurity "restricted:latest"'),
  ])
})

test(
  'installed: the migration ends before any service is made, and every pod is admitted',
  async () => {
    const from = performance.now()
    expectDone(await helm('install', '0.1.0'))
    process.stdout.write(`install: ${((performance.now() - from) / 1000).toFixed(1)} s\n`)
    const pods = await untilSettled()
    const [job] = await list('jobs')
    expect(job?.['status']).toMatchObject({ succeeded: 1 })
    const migratedAt = Date.parse(job?.['status'].completionTime)
    for (const { metadata } of [...(await list('deployments')), ...pods])
      expect(Date.parse(metadata.creationTimestamp)).toBeGreaterThanOrEqual(migratedAt)
    const failed = (await list('events')).filter(({ reason }) => reason === 'FailedCreate')
    expect(failed).toEqual([])
    const kinds = ['networkpolicies', 'poddisruptionbudgets', 'ingresses', 'services', 'hpa']
    const counts = await Promise.all(kinds.map(async (kind) => (await list(kind)).length))
    expect(counts).toEqual([2, 8, 1, 8, 1])
  },
  STEP_MS,
)

test('a zone may be lost: each service stands in two at least', async () => {
  const zones = new Map<string, Set<string>>()
  for (const pod of await servicePods()) {
    const seen = zones.get(serviceOf(pod)) ?? new Set()
    zones.set(serviceOf(pod), seen.add(String(pod['spec'].nodeName).slice(0, 'node-a'.length)))
  }
  expect([...zones.keys()].toSorted()).toEqual([...SERVICES].toSorted())
  expect([...zones].filter(([, seen]) => seen.size < 2)).toEqual([])
})

test(
  'helm test succeeds, and fails where a service is not reached',
  async () => {
    const ask = ['test', RELEASE, ...HERE, '--timeout=60s']
    const passed = await cluster.helm(...ask)
    expect(passed).toMatchObject({ code: 0, stdout: expect.stringContaining('Succeeded') })
    expectDone(await helm('upgrade', '0.1.0-untested'))
    await untilSettled()
    expect((await cluster.helm(...ask)).code).not.toBe(0)
  },
  STEP_MS,
)

test(
  'upgraded: no service is ever under its number, and the migration ends before the first new pod',
  async () => {
    const lowest = await observe('upgrade', async () => {
      expectDone(await helm('upgrade', '0.2.0'))
      await untilSettled()
    })
    expect(lowest).toEqual(REPLICAS)
    const pods = await servicePods()
    expect(countBy(pods.map(tagOf))).toEqual({ '0.2.0': pods.length })
    const [job] = await list('jobs')
    expect(job?.['spec'].template.spec.containers[0].image).toMatch(/:0\.2\.0$/)
    const migratedAt = Date.parse(job?.['status'].completionTime)
    for (const { metadata } of pods)
      expect(Date.parse(metadata.creationTimestamp)).toBeGreaterThanOrEqual(migratedAt)
  },
  STEP_MS,
)

test('the watch sees a pod that goes without another in its place', async () => {
  const lowest = await observe('a pod deleted', async () => {
    const name = (await servicePods()).find((pod) => serviceOf(pod) === 'dispatcher')?.['metadata']
      .name as string
    expectDone(await cluster.kubectl(['delete', 'pod', name, ...HERE]))
    await untilSettled()
  })
  expect(lowest).toEqual({ ...REPLICAS, dispatcher: 2 })
})

test(
  'a migration that fails leaves every service as it was',
  async () => {
    const names = async () => (await servicePods()).map(({ metadata }) => metadata.uid).toSorted()
    const before = await names()
    const ran = await helm('upgrade', '0.3.0-unmigrated', '--timeout=20s')
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('pre-upgrade') })
    expect(await names()).toEqual(before)
  },
  STEP_MS,
)

test(
  'a version that does not get ready takes nothing away, and a rollback removes it',
  async () => {
    const lowest = await observe('failed upgrade and rollback', async () => {
      const ran = await helm('upgrade', '0.3.0-unready', '--timeout=20s')
      expect(ran.code).toBe(1)
      const tags = new Set((await servicePods()).map(tagOf))
      expect(tags).toEqual(new Set(['0.2.0', '0.3.0-unready']))
      const history = JSON.parse(
        (await cluster.helm('history', RELEASE, ...HERE, '-o', 'json')).stdout,
      ) as { revision: number; status: string }[]
      const good = history.findLast(({ status }) => ['deployed', 'superseded'].includes(status))
      const to = String(good?.revision)
      expectDone(await cluster.helm('rollback', RELEASE, to, ...HERE, ...WAIT))
      await untilSettled()
    })
    expect(lowest).toEqual(REPLICAS)
    const pods = await servicePods()
    expect(countBy(pods.map(tagOf))).toEqual({ '0.2.0': pods.length })
  },
  STEP_MS,
)

test(
  'drained: four of six nodes at once, and no service loses more than one pod at a time',
  async () => {
    const zones = 'topology.kubernetes.io/zone in (a, b)'
    const lowest = await observe('drain of 4 nodes', async () => {
      const drain = ['drain', '--selector', zones, '--timeout=200s', '--delete-emptydir-data']
      expect((await cluster.kubectl(drain)).code).toBe(0)
      const pods = await untilSettled()
      const nodes = new Set(pods.map(({ spec }) => spec.nodeName))
      expect(nodes).toEqual(new Set(['node-c1', 'node-c2']))
    })
    const missing = Object.entries(REPLICAS).map(([name, count]) => count - (lowest[name] ?? 0))
    expect(Math.max(...missing)).toBe(1)
    expect((await cluster.kubectl(['uncordon', '--selector', zones])).code).toBe(0)
  },
  STEP_MS,
)

test('a second pod of a service is not evicted while the first is missing', async () => {
  const names = (await servicePods())
    .filter((pod) => serviceOf(pod) === 'dispatcher')
    .map(({ metadata }) => metadata.name as string)
  const statuses: number[] = []
  for (const name of names.slice(0, 2)) {
    const metadata = { name, namespace: NAMESPACE }
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata }
    const path = `/api/v1/namespaces/${NAMESPACE}/pods/${name}/eviction`
    const answer = await cluster.ask(path, { method: 'POST', body })
    await answer.text()
    statuses.push(answer.status)
  }
  expect(statuses).toEqual([201, 429])
  await untilSettled()
}, 120_000)

test(
  'given to an autoscaler, a service keeps the pods that it has, and later those that it was given',
  async () => {
    const set = ['enabled=true', 'min=2', 'max=6'].map(
      (one) => `services.dispatcher.autoscaling.${one}`,
    )
    const switchedOn = await observe('autoscaling switched on', async () => {
      expectDone(await helm('upgrade', '0.2.0', '--set', set.join()))
      await untilSettled()
    })
    expect(switchedOn).toEqual(REPLICAS)
    const again = await observe('upgrade of a service that nothing has scaled yet', async () => {
      expectDone(await helm('upgrade', '0.4.0', '--set', set.join()))
      await untilSettled()
    })
    expect(again).toEqual(REPLICAS)
    const scaled = { ...REPLICAS, dispatcher: 5 }
    const scale = ['scale', 'deployment', `${RELEASE}-dispatcher`, '--replicas=5', ...HERE]
    expectDone(await cluster.kubectl(scale))
    await untilSettled(scaled)
    const later = await observe('upgrade of a service that was scaled', async () => {
      expectDone(await helm('upgrade', '0.5.0', '--set', set.join()))
      await untilSettled(scaled)
    })
    expect(later).toEqual(scaled)
  },
  STEP_MS,
)

test(
  'a number that somebody else has set is not taken back unless the operator says so',
  async () => {
    const refused = await helm('upgrade', '0.5.0')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('.spec.replicas')])
    expectDone(await helm('upgrade', '0.5.0', '--force-conflicts'))
    await untilSettled()
  },
  STEP_MS,
)
