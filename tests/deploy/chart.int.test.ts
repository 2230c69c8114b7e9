/** The chart: rendered with each of its examples, and held to what it promises. */
import { BlockList, isIP } from 'node:net'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { classifyAddress, GLOBAL } from '@posthorn/egress/addresses'
import { BLOCKED_ADDRESSES } from '@posthorn/egress/refused-destinations.fixture'
import { Settings } from '@posthorn/runtime/config'
import { SERVICES } from '../../scripts/cluster/options.ts'
import { CALLING_OUT } from '../../scripts/deployment/chart-files.ts'
import { OTHERWISE, pathRules } from '../../scripts/deployment/path-rules.ts'
import { findTool, SCHEMAS } from './find-tool.ts'
import { type Manifest, readManifests, root, run, testWith } from './tools.ts'

const CHART = 'k8s/posthorn'
const EXAMPLES = ['minimal', 'production', 'autoscaled', 'gitops'] as const
/** Kinds of other projects, of which no schema is here. */
const FOREIGN = ['HTTPRoute', 'PrometheusRule', 'ScaledObject', 'ServiceMonitor']
/** Beside those that tests of the egress have: metadata hosts and the edges of private ranges. */
const METADATA_AND_PRIVATE = [
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '100.64.0.1',
  '172.31.255.255',
  '192.168.255.255',
  '10.255.255.255',
  '224.0.0.1',
]
const KEDA = ['--api-versions', 'keda.sh/v1alpha1']
const helm = findTool('helm')
const rendered = new Map<string, { text: string; manifests: Manifest[] }>()

async function template(example: string, ...more: string[]) {
  const values = ['--values', `k8s/examples/${example}.yaml`]
  return await run(helm ?? 'helm', [
    'template',
    'ph',
    CHART,
    '--namespace',
    'hooks',
    ...values,
    ...more,
  ])
}

beforeAll(async () => {
  if (helm === undefined) return
  for (const example of EXAMPLES) {
    const { code, stdout, stderr } = await template(example, ...KEDA)
    expect({ example, code, stderr }).toEqual({ example, code: 0, stderr: '' })
    rendered.set(example, { text: stdout, manifests: readManifests(stdout) })
  }
})

function of(example: (typeof EXAMPLES)[number], kind: string): Manifest[] {
  return (rendered.get(example)?.manifests ?? []).filter((one) => one['kind'] === kind)
}

test('all examples are tried', async () => {
  const files = await readdir(join(root, 'k8s/examples'))
  expect(files.toSorted()).toEqual(EXAMPLES.map((name) => `${name}.yaml`).toSorted())
})

testWith(['helm'], 'it passes the linter, and renders the same twice', async () => {
  for (const example of EXAMPLES) {
    const values = ['--values', `k8s/examples/${example}.yaml`]
    const lint = await run(helm ?? '', [
      'lint',
      '--strict',
      CHART,
      ...values,
      ...(example === 'autoscaled' ? ['--set', 'keda.enabled=false'] : []),
    ])
    expect({ example, code: lint.code, said: lint.stdout }).toMatchObject({ example, code: 0 })
    expect((await template(example, ...KEDA)).stdout).toBe(rendered.get(example)?.text)
  }
})

describe('wrong values are refused by name', () => {
  const wrong: [string, string][] = [
    ['image.tag=latest', 'image/tag'],
    ['replicas=3', 'replicas'],
    ['services.dispatchers.replicas=3', 'dispatchers'],
    ['services.dispatcher.replicas=0', 'dispatcher/replicas'],
    ['services.dispatcher.replica=2', 'replica'],
    ['settings.MASTER_KEY=abc', 'MASTER_KEY'],
    ['settings.log_level=info', 'log_level'],
    ['image.digest=abc', 'image/digest'],
    ['networkPolicy.storeCidrs[0]=db.example.com', 'storeCidrs'],
    ['publicUrl=hooks.example.com', 'publicUrl'],
    ['migrations.deadlineSeconds=1', 'deadlineSeconds'],
    ['image.pullPolicy=Sometimes', 'pullPolicy'],
  ]
  for (const [set, name] of wrong)
    testWith(['helm'], set, async () => {
      const { code, stderr } = await template('minimal', '--set', set)
      expect([code === 0, stderr]).toEqual([false, expect.stringContaining(name)])
    })
})

testWith(['helm'], 'it says what is missing: a Secret, a host, KEDA', async () => {
  const cases: [string[], string][] = [
    [['--set', 'existingSecret='], 'existingSecret'],
    [['--set', 'ingress.enabled=true'], 'ingress.host'],
    [['--set', 'httpRoute.enabled=true'], 'httpRoute.parentRefs'],
    [['--set', 'keda.enabled=true'], 'KEDA is not installed'],
  ]
  for (const [args, said] of cases)
    expect((await template('minimal', ...args)).stderr).toContain(said)
})

testWith(
  ['helm', 'kubeconform', 'kubernetes-schemas'],
  'every object is one of Kubernetes 1.27 and 1.36',
  async ({ kubeconform }) => {
    for (const version of ['1.27.0', '1.36.0'])
      for (const example of EXAMPLES) {
        const own = (rendered.get(example)?.manifests ?? []).filter(
          (one) => !FOREIGN.includes(one['kind']),
        )
        const location = `${SCHEMAS}/v${version}/{{.ResourceKind}}{{.KindSuffix}}.json`
        const args = ['-strict', '-output', 'json', '-summary', '-schema-location', location, '-']
        const { stdout } = await run(
          kubeconform,
          args,
          {},
          own.map((one) => JSON.stringify(one)).join('\n---\n'),
        )
        const said = JSON.parse(stdout) as { resources: unknown; summary: Manifest }
        expect({ version, example, ...said }).toMatchObject({
          version,
          example,
          resources: [],
          summary: { valid: own.length, invalid: 0, errors: 0, skipped: 0 },
        })
      }
  },
)

testWith(
  ['helm'],
  'eight Deployments over one image; scaled ones have no number of their own',
  () => {
    for (const example of EXAMPLES) {
      const names = of(example, 'Deployment').map(
        ({ metadata }) => metadata.labels['app.kubernetes.io/component'],
      )
      expect(names.toSorted()).toEqual([...SERVICES].toSorted())
      const images = of(example, 'Deployment').map(
        ({ spec }) => spec.template.spec.containers[0].image,
      )
      expect(new Set(images).size).toBe(1)
    }
    const unnumbered = (example: (typeof EXAMPLES)[number]) =>
      of(example, 'Deployment')
        .filter(({ spec }) => spec.replicas === undefined)
        .map(({ metadata }) => metadata.name)
    expect(unnumbered('production')).toEqual(['ph-ingest-api'])
    expect(unnumbered('autoscaled').toSorted()).toEqual(['ph-dispatcher', 'ph-fanout'])
    expect(of('minimal', 'PodDisruptionBudget')).toEqual([])
    expect(of('production', 'PodDisruptionBudget')).toHaveLength(8)
  },
)

testWith(
  ['helm'],
  'every pod is as Pod Security’s "restricted" wants it, hooks and tests too',
  () => {
    for (const example of EXAMPLES) {
      const pods = (rendered.get(example)?.manifests ?? []).flatMap(({ kind, spec }) =>
        kind === 'Pod' ? [spec] : ['Deployment', 'Job'].includes(kind) ? [spec.template.spec] : [],
      )
      expect(pods).toHaveLength(10)
      for (const pod of pods) {
        expect(pod.securityContext).toMatchObject({
          runAsNonRoot: true,
          seccompProfile: { type: 'RuntimeDefault' },
        })
        expect(pod.automountServiceAccountToken).toBe(false)
        for (const { securityContext, resources } of pod.containers) {
          expect(securityContext).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          })
          expect(resources.limits.memory).toMatch(/^\d+[MG]i$/)
        }
      }
    }
  },
)

testWith(['helm'], 'each setting that pods get exists in the code', () => {
  const given = new Set(
    EXAMPLES.flatMap((example) =>
      of(example, 'Deployment').flatMap(({ spec }) =>
        spec.template.spec.containers[0].env.map(({ name }: Manifest) => name),
      ),
    ),
  )
  expect(given.size).toBeGreaterThan(5)
  expect([...given].filter((name) => !(name in Settings.shape))).toEqual([])
})

testWith(['helm'], 'the migration is a hook, or a plain Job of its version', () => {
  const [hook] = of('production', 'Job')
  expect(hook?.['metadata'].annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade')
  const [plain] = of('gitops', 'Job')
  expect(plain?.['metadata'].annotations).toBeUndefined()
  expect(plain?.['metadata'].name).toMatch(/^ph-migrate-[0-9a-f]{8}$/)
})

testWith(['helm'], 'Ingress and HTTPRoute have the paths of the route catalog', () => {
  const rules = [...pathRules(), { service: OTHERWISE, pattern: '^/' }].map(
    ({ service, pattern }) => `ph-${service} ${pattern}`,
  )
  const [ingress] = of('production', 'Ingress')
  const paths = ingress?.['spec'].rules[0].http.paths as Manifest[]
  expect(paths.map(({ path, backend }) => `${backend.service.name} ^${path}`)).toEqual(rules)
  const routes = of('autoscaled', 'HTTPRoute').flatMap(({ spec }) => spec.rules as Manifest[])
  const matches = routes.flatMap(({ matches: all, backendRefs }) =>
    (all as Manifest[]).map(
      ({ path }) => `${backendRefs[0].name} ${path.type === 'PathPrefix' ? '^' : ''}${path.value}`,
    ),
  )
  expect(matches.toSorted()).toEqual(rules.toSorted())
})

/** Whether a policy lets its services' pods send to an address outside the cluster, on port 443. */
function lets(policy: Manifest, ip: string): boolean {
  const family = isIP(ip) === 4 ? 'ipv4' : 'ipv6'
  const holds = (cidr: string): boolean => {
    const [address = '', bits] = cidr.split('/')
    if (isIP(address) !== isIP(ip)) return false
    const list = new BlockList()
    list.addSubnet(address, Number(bits), family)
    return list.check(ip, family)
  }
  return (policy['spec'].egress as Manifest[])
    .filter(({ ports }) => ports === undefined)
    .some(({ to }) =>
      (to as Manifest[]).some(
        ({ ipBlock }) => ipBlock && holds(ipBlock.cidr) && !(ipBlock.except ?? []).some(holds),
      ),
    )
}

testWith(
  ['helm'],
  'policies keep services from addresses inside, and most from every other',
  async () => {
    const policies = of('production', 'NetworkPolicy')
    const internet = policies.find(({ metadata }) => metadata.name === 'ph-internet') as Manifest
    const others = policies.find(({ metadata }) => metadata.name === 'ph-services') as Manifest
    const hostile = [...METADATA_AND_PRIVATE, ...BLOCKED_ADDRESSES]
      .map((one) => one.replace(/^\[|\]$/g, ''))
      .filter((one) => isIP(one) > 0)
    expect(hostile.length).toBeGreaterThanOrEqual(30)
    const reached = hostile.filter((ip) => lets(internet, ip))
    expect(reached).toEqual([])
    for (const ip of ['93.184.216.34', '8.8.8.8', '2606:4700::1111', '2a00:1450::8']) {
      expect([ip, classifyAddress(ip), lets(internet, ip), lets(others, ip)]).toEqual([
        ip,
        GLOBAL,
        true,
        false,
      ])
    }
    expect(internet['spec'].podSelector.matchExpressions[0].values).toEqual(CALLING_OUT)
  },
)

test('services that open a way out are those that policies let out', async () => {
  const found: string[] = []
  for (const service of SERVICES) {
    const main = await readFile(join(root, `services/${service}/src/main.ts`), 'utf8')
    if (/open(Egress|Verifier|Sso|MailSender)\(/.test(main)) found.push(service)
  }
  // Alerting calls the targets of notifications.
  expect([...new Set([...found, 'alerting'])].toSorted()).toEqual(CALLING_OUT)
})
