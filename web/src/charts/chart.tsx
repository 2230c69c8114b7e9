/**
 * A chart with its legend, and its numbers as a table. The pointer and the arrow keys move through
 * its buckets; dragging, or Shift with the arrows and then Enter, zooms in; a click or Enter opens
 * what a bucket counts.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { localeOf, t } from '../texts/t.ts'
import type { ChartModel, ChartSpan } from './chart-model.ts'
import type { Drawing } from './draw-chart.ts'

interface ChartProps {
  title: string
  about: string
  model: ChartModel
  onZoom?: ((span: ChartSpan) => void) | undefined
  /** Shows what a bucket counts. */
  onOpen?: ((span: ChartSpan) => void) | undefined
}

export function Chart({ title, about, model, onZoom, onOpen }: ChartProps) {
  const [at, setAt] = useState<number | null>(null)
  const pointed = at !== null && at < model.starts.length ? at : null
  return (
    <figure className="card chart-card">
      <figcaption className="card-head">
        <div>
          <h2>{title}</h2>
          <p className="small muted">{pointed === null ? about : bucketText(model, pointed)}</p>
        </div>
        <Legend model={model} at={pointed} />
      </figcaption>
      <Canvas
        title={title}
        model={model}
        at={pointed}
        onPoint={setAt}
        onZoom={onZoom}
        onOpen={onOpen}
      />
      <Numbers title={title} model={model} />
    </figure>
  )
}

function Legend({ model, at }: { model: ChartModel; at: number | null }) {
  return (
    <ul className="legend">
      {model.series.map(({ label, colour, values, whole }) => {
        const value = at === null ? undefined : values[at]
        return (
          <li key={label}>
            <span className="swatch" style={{ background: `var(${colour})` }} aria-hidden />
            <span className="muted">{label}</span>
            <span className="strong">
              {at === null ? whole : typeof value === 'number' ? model.format(value) : '–'}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

interface CanvasProps extends Pick<ChartProps, 'title' | 'model' | 'onZoom' | 'onOpen'> {
  at: number | null
  onPoint: (at: number | null) => void
}

function Canvas({ title, model, at, onPoint, onZoom, onOpen }: CanvasProps) {
  const host = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing>(null)
  const anchor = useRef<number | null>(null)
  const last = model.starts.length - 1
  const now = useRef({ onZoom, onOpen })
  now.current = { onZoom, onOpen }
  const spanAt = (from: number, to: number): ChartSpan => ({
    from: model.starts[Math.min(from, to)] ?? 0,
    to: (model.starts[Math.max(from, to)] ?? 0) + model.bucketMs,
  })
  useEffect(() => {
    let isGone = false
    void import('./draw-chart.ts').then(({ drawChart }) => {
      if (isGone || host.current === null) return
      drawing.current = drawChart(host.current, model, {
        onPoint,
        onZoom: (span) => now.current.onZoom?.(span),
        onOpen: (index) => now.current.onOpen?.(spanAt(index, index)),
      })
    })
    return () => {
      isGone = true
      drawing.current?.remove()
      drawing.current = null
    }
    // The callbacks are read when they are called.
  }, [model])

  function moveTo(index: number, isSelecting: boolean): void {
    const next = Math.min(Math.max(index, 0), last)
    anchor.current = isSelecting ? (anchor.current ?? at ?? next) : null
    onPoint(next)
    drawing.current?.pointAt(next, anchor.current)
  }
  function onKeyDown(event: KeyboardEvent): void {
    const to = { ArrowLeft: (at ?? last + 1) - 1, ArrowRight: (at ?? -1) + 1, Home: 0, End: last }[
      event.key
    ]
    if (to !== undefined) moveTo(to, event.shiftKey)
    else if (event.key === 'Enter' && at !== null) {
      if (anchor.current === null) onOpen?.(spanAt(at, at))
      else onZoom?.(spanAt(anchor.current, at))
      anchor.current = null
    } else return
    event.preventDefault()
  }
  return (
    <div
      ref={host}
      className="chart"
      role="slider"
      tabIndex={0}
      aria-label={t('{title}: arrows move, Shift and arrows select, Enter opens', { title })}
      aria-valuemin={0}
      aria-valuemax={Math.max(last, 0)}
      aria-valuenow={at ?? 0}
      aria-valuetext={valueText(model, at)}
      onKeyDown={onKeyDown}
    />
  )
}

function valueText(model: ChartModel, at: number | null): string {
  const values = model.series.map(({ label, values: all, whole }) => {
    const value = at === null ? null : all[at]
    return `${label} ${typeof value === 'number' ? model.format(value) : at === null ? whole : '–'}`
  })
  return [...(at === null ? [] : [bucketText(model, at)]), ...values].join(', ')
}

/** The numbers behind the picture, for those who can't see it or want them exactly. */
function Numbers({ title, model }: { title: string; model: ChartModel }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="numbers"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{t('As a table')}</summary>
      {isOpen && (
        <div className="table-scroll" role="region" tabIndex={0} aria-label={title}>
          <table className="matrix">
            <thead>
              <tr>
                <th scope="col">{t('From')}</th>
                {model.series.map(({ label }) => (
                  <th key={label} scope="col" className="end">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {model.starts.map((start, index) => (
                <tr key={start}>
                  <th scope="row">
                    <time dateTime={new Date(start).toISOString()}>{bucketText(model, index)}</time>
                  </th>
                  {model.series.map(({ label, values }) => {
                    const value = values[index]
                    return (
                      <td key={label} className="end">
                        {typeof value === 'number' ? model.format(value) : '–'}
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}

const DAY_MS = 86_400_000

function bucketText(model: ChartModel, at: number): string {
  const time = timeText(model, at)
  const goesOn = model.isOngoing && at === model.starts.length - 1
  return goesOn ? t('{time}, so far', { time }) : time
}

/** Hours in the reader's zone, days in UTC, as they are counted. */
function timeText({ starts, bucketMs }: ChartModel, at: number): string {
  const start = starts[at] ?? 0
  if (bucketMs === DAY_MS) {
    const day = new Intl.DateTimeFormat(localeOf(), { dateStyle: 'medium', timeZone: 'UTC' })
    return `${day.format(start)} (UTC)`
  }
  const hour = new Intl.DateTimeFormat(localeOf(), {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  })
  return hour.formatRange(start, start + bucketMs)
}
