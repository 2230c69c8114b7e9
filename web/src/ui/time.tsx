/** Times in the reader's own zone, with seconds; UTC on hover and in a copy. */
import { useEffect, useState } from 'react'
import { localeOf, t } from '../texts/t.ts'

export function Time({ at, relative = false }: { at: string; relative?: boolean }) {
  const text = relative ? fromNow(Date.parse(at)) : localTime(at)
  return (
    <time dateTime={at} title={`${new Date(at).toISOString()} (UTC)`}>
      {text}
    </time>
  )
}

export function localTime(at: string): string {
  const date = new Date(at)
  const isToday = date.toDateString() === new Date().toDateString()
  return new Intl.DateTimeFormat(localeOf(), {
    ...(isToday ? {} : { dateStyle: 'medium' }),
    timeStyle: 'medium',
  }).format(date)
}

/** From one time to another, in the reader's own zone. */
export function spanText(from: string, to: string): string {
  const format = { dateStyle: 'medium', timeStyle: 'short' } as const
  return new Intl.DateTimeFormat(localeOf(), format).formatRange(Date.parse(from), Date.parse(to))
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

function fromNow(at: number): string {
  const seconds = Math.round((at - Date.now()) / 1_000)
  const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1]
  const format = new Intl.RelativeTimeFormat(localeOf(), { numeric: 'auto' })
  return format.format(Math.round(seconds / size), unit)
}

/** How long it still takes; counts down by the second. */
export function Countdown({ until }: { until: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.round((Date.parse(until) - now) / 1_000))
  return (
    <span title={until}>
      {seconds === 0 ? t('any moment') : t('in {time}', { time: span(seconds) })}
    </span>
  )
}

/** The two largest units of a span, such as `2 h 5 min`. */
export function span(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const first = parts.findIndex(([size]) => size > 0)
  if (first === -1) return '0 s'
  const largest = parts.slice(first, first + 2).filter(([size]) => size > 0)
  return largest.map(([size, unit]) => `${size} ${unit}`).join(' ')
}

export function count(value: number): string {
  return new Intl.NumberFormat(localeOf()).format(value)
}

/** Counts that the API stops at 10,000, or earlier where it says so. */
export function atMost(total: number, isCapped = false): string {
  return isCapped || total >= 10_000 ? `${count(Math.min(10_000, total))}+` : count(total)
}

export function milliseconds(value: number): string {
  if (value < 1_000) return `${count(value)} ms`
  return `${new Intl.NumberFormat(localeOf(), { maximumFractionDigits: 1 }).format(value / 1_000)} s`
}
