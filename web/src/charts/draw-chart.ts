/**
 * Draws a chart with uPlot. The library comes with this module, in a chunk of its own that is
 * loaded when the first chart is shown.
 */
import uPlot from 'uplot'
import { localeOf } from '../texts/t.ts'
import { readColour } from '../ui/read-colour.ts'
import {
  axisEnd,
  type ChartModel,
  type ChartSpan,
  decadesAround,
  lineParts,
  spanOf,
  stacked,
} from './chart-model.ts'

export interface ChartEvents {
  /** @param at the bucket under the pointer; null: none is */
  onPoint: (at: number | null) => void
  onZoom: (span: ChartSpan) => void
  onOpen: (at: number) => void
}

export interface Drawing {
  /** Moves the cursor to a bucket, with the buckets from `anchor` on marked. */
  pointAt(at: number, anchor: number | null): void
  remove(): void
}

const HEIGHT = 200
const LABEL_PX = 7
/** A shorter way of the pointer is a click. */
const DRAG_PX = 6
/** The cursors of all charts on a page move together. */
const SYNC = 'charts'
const DAY_MS = 86_400_000

export function drawChart(host: HTMLElement, model: ChartModel, events: ChartEvents): Drawing {
  let wasDragged = false
  let plot = draw()
  function draw(): uPlot {
    const options = optionsOf(host, model)
    return new uPlot(
      {
        ...options,
        hooks: {
          setCursor: [({ cursor }) => events.onPoint(cursor.idx ?? null)],
          setSelect: [onSelect],
          ready: [({ over }) => over.addEventListener('click', onClick)],
          draw: [(self) => fadeOngoing(self, host, model)],
        },
      },
      dataOf(model) as uPlot.AlignedData,
      host,
    )
  }
  function onSelect(self: uPlot): void {
    const { left, width } = self.select
    wasDragged = width >= DRAG_PX
    if (!wasDragged) return
    const at = (px: number): number => self.posToVal(px, 'x') * 1_000
    const span = spanOf(model, { from: at(left), to: at(left + width) })
    self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
    if (span !== null) events.onZoom(span)
  }
  function onClick(): void {
    const at = plot.cursor.idx
    if (!wasDragged && at !== null && at !== undefined) events.onOpen(at)
    wasDragged = false
  }
  const sizes = new ResizeObserver(() => {
    const width = host.clientWidth
    if (width > 0 && width !== plot.width) plot.setSize({ width, height: HEIGHT })
  })
  sizes.observe(host)
  const stopWatching = watchAppearance(() => {
    plot.destroy()
    plot = draw()
  })
  return {
    pointAt(at, anchor) {
      const half = model.bucketMs / 2
      const left = (ms: number): number => plot.valToPos(ms / 1_000, 'x')
      const center = (model.starts[at] ?? 0) + half
      plot.setCursor({ left: left(center), top: plot.over.clientHeight / 2 })
      const [first, last] = [Math.min(at, anchor ?? at), Math.max(at, anchor ?? at)]
      const from = left(model.starts[first] ?? 0)
      const to = left((model.starts[last] ?? 0) + model.bucketMs)
      const shown = { left: from, top: 0, width: to - from, height: plot.over.clientHeight }
      plot.setSelect(anchor === null ? { left: 0, top: 0, width: 0, height: 0 } : shown, false)
    },
    remove() {
      sizes.disconnect()
      stopWatching()
      plot.destroy()
    },
  }
}

/** Calls back when light becomes dark or the reverse: a canvas keeps the colours it has. */
function watchAppearance(onChange: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const chosen = new MutationObserver(onChange)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme', 'style'] })
  system.addEventListener('change', onChange)
  return () => {
    chosen.disconnect()
    system.removeEventListener('change', onChange)
  }
}

/**
 * A stack is drawn from its whole down, so that each part covers what is below it; of lines first
 * what is over, then what goes on.
 */
function dataOf({ starts, bucketMs, shape, series, isOngoing }: ChartModel): (number | null)[][] {
  const centers = starts.map((start) => (start + bucketMs / 2) / 1_000)
  if (shape === 'stack') return [centers, ...stacked(series).toReversed()]
  const parts = series.map(({ values }) => lineParts(values, isOngoing))
  return [centers, ...parts.map(({ over }) => over), ...parts.map(({ ongoing }) => ongoing)]
}

const FADED = 0.5

/** Lays the card's own colour over the bars of the bucket that goes on. */
function fadeOngoing(plot: uPlot, host: HTMLElement, model: ChartModel): void {
  if (!model.isOngoing || model.shape !== 'stack') return
  const { ctx, bbox } = plot
  const from = plot.valToPos((model.starts.at(-1) ?? 0) / 1_000, 'x', true)
  ctx.save()
  ctx.globalAlpha = FADED
  ctx.fillStyle = readColour(host, '--bg-000')
  ctx.fillRect(from, bbox.top, bbox.left + bbox.width - from, bbox.height)
  ctx.restore()
}

function optionsOf(host: HTMLElement, model: ChartModel): uPlot.Options {
  const { starts, bucketMs, shape, formatAxis, isLogarithmic } = model
  const colours = readColours(host, model)
  const first = (starts[0] ?? 0) / 1_000
  const last = ((starts.at(-1) ?? 0) + bucketMs) / 1_000
  const font = `12px ${getComputedStyle(host).fontFamily}`
  const axis = { stroke: colours.text, font, ticks: { show: false } }
  return {
    width: host.clientWidth,
    height: HEIGHT,
    padding: [10, 12, 0, 4],
    legend: { show: false },
    // Days are UTC's, hours the reader's.
    ...(bucketMs === DAY_MS
      ? { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC') }
      : {}),
    cursor: {
      y: false,
      points: { show: shape === 'lines', size: 7 },
      drag: { x: true, y: false, setScale: false },
      sync: { key: SYNC, filters: { pub: (type) => type.startsWith('mousemove') } },
    },
    scales: {
      x: { range: [first, last] },
      y: isLogarithmic
        ? { distr: 3, range: (_self, min, max) => decadesAround(min, max) }
        : { range: (_self, _min, max) => [0, axisEnd(max)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 72,
        values: (_self, splits) => splits.map((seconds) => tickText(seconds * 1_000, bucketMs)),
      },
      {
        ...axis,
        grid: {
          stroke: colours.border,
          width: 1,
          ...(isLogarithmic && {
            filter: (_self: uPlot, splits: number[]) => splits.map(decade) as number[],
          }),
        },
        space: 40,
        size: (_self, labels) =>
          12 + LABEL_PX * Math.max(2, ...(labels ?? []).map(({ length }) => length)),
        // A logarithmic axis has no text at the lines between its decades.
        values: (_self, splits: (number | null)[]) =>
          splits.map((value) => (value === null ? '' : formatAxis(value))),
      },
    ],
    series: [{}, ...seriesOf(model, colours.series)],
  }
}

const DASH = [3, 4]

function seriesOf(
  { shape, series, isOngoing }: ChartModel,
  colours: readonly string[],
): uPlot.Series[] {
  if (shape === 'stack') {
    const bars = uPlot.paths.bars?.({ size: [0.72, 40] })
    return colours.toReversed().map((colour) => ({
      ...(bars && { paths: bars }),
      fill: colour,
      stroke: colour,
      width: 0,
      points: { show: false },
    }))
  }
  const line = uPlot.paths.linear?.()
  const parts = series.map(({ values }) => lineParts(values, isOngoing))
  const lineOf = (values: readonly (number | null)[], at: number): uPlot.Series => ({
    ...(line && { paths: line }),
    stroke: colours[at] as string,
    width: 2,
    spanGaps: false,
    points: { size: 5, filter: () => lonely(values) },
  })
  return [
    ...parts.map(({ over }, at) => lineOf(over, at)),
    ...parts.map(({ ongoing }, at) => ({ ...lineOf(ongoing, at), dash: DASH })),
  ]
}

/** The buckets between two empty ones, which no line shows. */
function lonely(values: readonly (number | null)[]): number[] {
  const isEmpty = (at: number): boolean => typeof values[at] !== 'number'
  return [...values.keys()].filter((at) => !isEmpty(at) && isEmpty(at - 1) && isEmpty(at + 1))
}

/** A line of the grid at whole decades only. */
function decade(value: number): number | null {
  return Number.isInteger(Math.log10(value)) ? value : null
}

/** The page's own colours, as a canvas takes them. */
function readColours(host: HTMLElement, { series }: ChartModel) {
  return {
    text: readColour(host, '--text-2'),
    border: readColour(host, '--border'),
    series: series.map(({ colour }) => readColour(host, colour)),
  }
}

function tickText(ms: number, bucketMs: number): string {
  const isDay = bucketMs === DAY_MS
  const date = new Date(ms)
  const isMidnight = isDay || (date.getHours() === 0 && date.getMinutes() === 0)
  return new Intl.DateTimeFormat(localeOf(), {
    ...(isMidnight ? { month: 'short', day: 'numeric' } : { hour: 'numeric', minute: '2-digit' }),
    ...(isDay ? { timeZone: 'UTC' } : {}),
  }).format(date)
}
