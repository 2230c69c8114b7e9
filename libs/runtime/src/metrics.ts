/**
 * Metrics from the catalog on prom-client, with Node's own (event loop, memory, GC). Flows get the
 * few functions that they need; nothing else knows the library.
 */
import { METRICS, type Metric, type MetricName } from '@posthorn/contracts/metrics'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { NO_TIMER, reportEventLoopDelay } from './event-loop-delay.ts'

type LabelsOf<Name extends MetricName> = Record<(typeof METRICS)[Name]['labels'][number], string>
type NamesOf<Kind extends Metric['kind']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never
}[MetricName]

export interface Metrics {
  count<Name extends NamesOf<'counter'>>(name: Name, labels: LabelsOf<Name>, by?: number): void
  set<Name extends NamesOf<'gauge'>>(name: Name, labels: LabelsOf<Name>, value: number): void
  observe<Name extends NamesOf<'histogram'>>(
    name: Name,
    labels: LabelsOf<Name>,
    value: number,
  ): void
  /** Called just before a scrape, to set gauges. */
  onScrape(collect: () => void | Promise<void>): void
  /** The text of `GET /metrics` and its content type. */
  render(): Promise<{ contentType: string; body: string }>
}

/** @param version of the product that runs */
export function createMetrics(service: string, version: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry, ...NO_TIMER })
  reportEventLoopDelay(registry)
  const collectors: (() => void | Promise<void>)[] = []
  const made = new Map<string, Counter | Gauge | Histogram>()
  for (const [name, metric] of Object.entries(METRICS)) made.set(name, make(registry, name, metric))

  const metrics: Metrics = {
    count: (name, labels, by = 1) => (made.get(name) as Counter).inc(labels, by),
    set: (name, labels, value) => (made.get(name) as Gauge).set(labels, value),
    observe: (name, labels, value) => (made.get(name) as Histogram).observe(labels, value),
    onScrape: (collect) => void collectors.push(collect),
    async render() {
      await Promise.all(collectors.map(async (collect) => await collect()))
      return { contentType: registry.contentType, body: await registry.metrics() }
    },
  }
  metrics.set('posthorn_build_info', { version, node: process.version }, 1)
  return metrics
}

function make(registry: Registry, name: string, metric: Metric): Counter | Gauge | Histogram {
  const options = { name, help: metric.help, labelNames: [...metric.labels], registers: [registry] }
  if (metric.kind === 'counter') return new Counter(options)
  if (metric.kind === 'gauge') return new Gauge(options)
  return new Histogram({ ...options, buckets: [...(metric.buckets ?? [])] })
}
