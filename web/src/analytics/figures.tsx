/** The sums of a range, each beside that of the same time before. */
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Gauge, RotateCw, Send, Skull } from 'lucide-react'
import type { ReactNode } from 'react'
import { localeOf, t } from '../texts/t.ts'
import { count } from '../ui/time.tsx'
import { type AnalyticsRange, rangeBefore } from './analytics-range.ts'
import type { AnalyticsSource, Summary } from './analytics-source.ts'
import { sumOf } from './models.ts'

interface FiguresProps {
  source: AnalyticsSource
  range: AnalyticsRange
  endpointId?: string | undefined
  summary: Summary
}

export function Figures({ source, range, endpointId, summary }: FiguresProps) {
  const before = useQuery({
    queryKey: [...source.key, 'before', range, endpointId],
    queryFn: ({ signal }) => {
      const query = rangeBefore(range, Date.now())
      return source.summary({ ...query, ...(endpointId && { endpointId }) }, signal)
    },
    staleTime: 60_000,
  })
  const now = totalsOf(summary)
  const then = before.data && totalsOf(before.data)
  return (
    <div className="counters">
      <Figure
        icon={<Send size={14} className="delivering" aria-hidden />}
        label={t('Sent')}
        value={count(now.sent)}
        before={then && count(then.sent)}
      />
      <Figure
        icon={<CircleCheck size={14} className="delivered" aria-hidden />}
        label={t('Delivered')}
        value={count(now.delivered)}
        before={then && count(then.delivered)}
      />
      <Figure
        icon={<Gauge size={14} aria-hidden />}
        label={t('Success')}
        value={now.rate === null ? '–' : percent(now.rate)}
        before={then && (then.rate === null ? '–' : percent(then.rate))}
      />
      <Figure
        icon={<RotateCw size={14} className="failed" aria-hidden />}
        label={t('Failed attempts')}
        value={count(now.failed)}
        before={then && count(then.failed)}
      />
      <Figure
        icon={<Skull size={14} className="dead" aria-hidden />}
        label={t('Given up')}
        value={count(now.dead)}
        before={then && count(then.dead)}
      />
    </div>
  )
}

interface FigureProps {
  icon: ReactNode
  label: string
  value: string
  before: string | undefined
}

function Figure({ icon, label, value, before }: FigureProps) {
  return (
    <div className="card counter">
      <span className="label">
        {icon} {label}
      </span>
      <span className="value">{value}</span>
      <span className="small muted">
        {before === undefined ? ' ' : t('before: {value}', { value: before })}
      </span>
    </div>
  )
}

function totalsOf({ data }: Summary) {
  const [delivered, failed] = [
    sumOf(data.map((one) => one.delivered)),
    sumOf(data.map((one) => one.failed)),
  ]
  return {
    sent: sumOf(data.map((one) => one.sent)),
    delivered,
    failed,
    dead: sumOf(data.map((one) => one.deadLettered)),
    rate: delivered + failed === 0 ? null : delivered / (delivered + failed),
  }
}

export function percent(share: number): string {
  // 99.96 % is not yet all: it must not be rounded to 100.
  const shown = share < 1 ? Math.min(share, 0.999) : share
  const style = { style: 'percent', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(localeOf(), style).format(shown)
}
