/**
 * Reports how long the rounds of the event loop take, by prom-client's names
 * `nodejs_eventloop_lag_*_seconds`. prom-client itself sets a timer every 10 ms, which made four of
 * five wake-ups of an idle process and took 1 % of a core. Here Node measures each round that it
 * makes anyway, so a loop with nothing to do costs nothing.
 *
 * It does not count the time in which the process was not let run between two rounds.
 */
import { type EventLoopMonitorOptions, monitorEventLoopDelay } from 'node:perf_hooks'
import { Gauge, type Registry } from 'prom-client'

const FIGURES = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'] as const
const NANOSECONDS = 1e9

/** Node's types do not know it yet. */
interface Options extends EventLoopMonitorOptions {
  samplePerIteration: boolean
}

/**
 * An option for `collectDefaultMetrics`, whose own monitor then wakes up every 24 days: as seldom
 * as a timer can.
 */
export const NO_TIMER = { eventLoopMonitoringPrecision: 2 ** 31 - 1 }

/**
 * Replaces the metrics that `collectDefaultMetrics` has registered. Each covers the rounds since
 * the last scrape.
 */
export function reportEventLoopDelay(registry: Registry): void {
  const options: Options = { samplePerIteration: true }
  const rounds = monitorEventLoopDelay(options)
  rounds.enable()
  const read = (figure: (typeof FIGURES)[number]): number =>
    figure.startsWith('p')
      ? rounds.percentile(Number(figure.slice(1)))
      : rounds[figure as 'min' | 'max' | 'mean' | 'stddev']
  const gauges = new Map<(typeof FIGURES)[number], Gauge>()
  for (const figure of FIGURES) {
    const name = `nodejs_eventloop_lag_${figure}_seconds`
    registry.removeSingleMetric(name)
    const help = `Rounds of the event loop: ${figure}`
    gauges.set(
      figure,
      new Gauge({ name, help, registers: [registry], collect: () => collect(figure) }),
    )
  }

  /** All are set when the first is asked for, so that they describe the same rounds. */
  function collect(asked: (typeof FIGURES)[number]): void {
    if (asked !== FIGURES[0]) return
    const none = rounds.count === 0
    for (const [figure, gauge] of gauges) gauge.set(none ? 0 : read(figure) / NANOSECONDS)
    rounds.reset()
  }
}
