/** Alerts, their objectives and the dashboards: read by Prometheus's own tool, and tried out. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { METRICS, type Metric } from '@posthorn/contracts/metrics'
import { createMetrics } from '@posthorn/runtime/metrics'
import { ALERTS, rulesFile } from '../../scripts/deployment/alerts.ts'
import { dashboardFile, DASHBOARDS } from '../../scripts/deployment/dashboards.ts'
import { SERVICES } from '../../scripts/cluster/options.ts'
import { parse, stringify } from 'yaml'
import { CASES } from './alert-cases.ts'
import { root, run, testWith } from './tools.ts'

const RULES = join(root, 'deploy/prometheus/rules.yml')
const HEADINGS = ['## Meaning', '## Impact', '## Look at', '## Do', '## Escalate']
const names = [...new Set(ALERTS.map(({ alert }) => alert))]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posthorn-alerts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

testWith(['promtool'], 'the rules and the configuration are well-formed', async ({ promtool }) => {
  expect(await run(promtool, ['check', 'rules', RULES])).toMatchObject({ code: 0, stderr: '' })
  const config = join(root, 'deploy/prometheus/prometheus.yml')
  expect(await run(promtool, ['check', 'config', config])).toMatchObject({ code: 0, stderr: '' })
})

test('Prometheus asks every service', async () => {
  const config = parse(await readFile(join(root, 'deploy/prometheus/prometheus.yml'), 'utf8'))
  expect(config.scrape_configs[0].dns_sd_configs[0].names.toSorted()).toEqual(
    [...SERVICES].toSorted(),
  )
})

function alertsOf(alert: string, isFiring: boolean) {
  const { labels, severities } = CASES[alert] ?? {}
  if (!isFiring) return []
  return ALERTS.filter((one) => one.alert === alert)
    .filter((one) => (severities ?? ['page']).includes(one.labels.severity))
    .map((one) => ({
      exp_labels: { ...labels, severity: one.labels.severity },
      exp_annotations: { summary: one.summary, runbook_url: `docs/runbooks/${alert}.md` },
    }))
}

async function tryOut(
  promtool: string,
  alert: string,
  series: Readonly<Record<string, string>>,
  isFiring: boolean,
) {
  const tried = {
    interval: '1m',
    input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
    alert_rule_test: [
      { eval_time: CASES[alert]?.at, alertname: alert, exp_alerts: alertsOf(alert, isFiring) },
    ],
  }
  const file = join(folder, `${alert}.yml`)
  await writeFile(
    file,
    stringify({ rule_files: [RULES], evaluation_interval: '30s', tests: [tried] }),
  )
  return await run(promtool, ['test', 'rules', file])
}

describe('an alert fires when it should, and only then', () => {
  test('every alert has cases for both', () => {
    expect(Object.keys(CASES).toSorted()).toEqual(names.toSorted())
    expect(Object.values(CASES).filter(({ silent }) => silent.length === 0)).toEqual([])
  })
  for (const alert of names)
    testWith(['promtool'], alert, async ({ promtool }) => {
      const { firing = {}, silent = [] } = CASES[alert] ?? {}
      const fired = await tryOut(promtool, alert, firing, true)
      expect({ ...fired, firing }).toMatchObject({ code: 0 })
      for (const series of silent)
        expect({ ...(await tryOut(promtool, alert, series, false)), series }).toMatchObject({
          code: 0,
        })
    })
})

test('every alert has a runbook, and every runbook an alert', async () => {
  const files = await readdir(join(root, 'docs/runbooks'))
  expect(files.filter((one) => one !== 'README.md').toSorted()).toEqual(
    names.map((one) => `${one}.md`).toSorted(),
  )
  for (const name of names) {
    const text = await readFile(join(root, `docs/runbooks/${name}.md`), 'utf8')
    expect({ name, headings: text.split('\n').filter((line) => line.startsWith('## ')) }).toEqual({
      name,
      headings: HEADINGS,
    })
    expect(text.startsWith(`# ${name}\n`)).toBe(true)
  }
})

const queries = DASHBOARDS.flatMap(({ panels }) =>
  panels.flatMap((panel) => Object.values(panel.queries)),
)

testWith(['promtool'], 'every query of the dashboards can be read', async ({ promtool }) => {
  const rules = queries.map((expr, at) => ({
    record: `q:${at}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }))
  const file = join(folder, 'queries.yml')
  await writeFile(file, stringify({ groups: [{ name: 'queries', rules }] }))
  expect(await run(promtool, ['check', 'rules', file])).toMatchObject({ code: 0 })
})

test('every metric that is named exists', async () => {
  const metrics = createMetrics('test', '0.1.0')
  const { body } = await metrics.render()
  const known = new Set([...body.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name))
  const keda = await readFile(join(root, 'k8s/posthorn/templates/keda.yaml'), 'utf8')
  const named = [rulesFile(), keda, ...queries].flatMap((text) => [
    ...text.matchAll(/\b((?:posthorn|nodejs|process)_[a-z0-9_]+)\b/g),
  ])
  expect(named.length).toBeGreaterThan(50)
  const unknown = named
    .map(([, name = '']) => name)
    .filter((name) => !known.has(name) && !known.has(name.replace(/_(bucket|sum|count)$/, '')))
  expect(unknown).toEqual([])
})

test('no metric names a tenant or an endpoint', () => {
  const labels = Object.values<Metric>(METRICS).flatMap((metric) => metric.labels)
  expect(labels.filter((label) => /tenant|endpoint|client|url|(^|_)id$/i.test(label))).toEqual([])
})

test('dashboards: each panel is described, has a unit, and rates are over the chosen interval', () => {
  const ids = DASHBOARDS.map(({ uid }) => uid)
  expect(new Set(ids).size).toBe(DASHBOARDS.length)
  for (const dashboard of DASHBOARDS) {
    expect(JSON.parse(dashboardFile(dashboard))).toMatchObject({
      uid: dashboard.uid,
      editable: false,
    })
    for (const { title, description, queries: own } of dashboard.panels) {
      expect({ title, described: /^[A-Z].+\.$/.test(description) }).toEqual({
        title,
        described: true,
      })
      for (const query of Object.values(own)) {
        expect(query).not.toMatch(/\[\d+[smhd]\]/)
        // A counter is only ever read by its rate or its increase.
        for (const [, before, name] of query.matchAll(/(\w*)\(?(posthorn_\w+_total)\b/g))
          expect([name, before]).toEqual([name, expect.stringMatching(/^(rate|increase)$/)])
      }
    }
  }
})
