/** Chooses the range of charts; one that was zoomed into has a way back. */
import { ZoomOut } from 'lucide-react'
import { t } from '../texts/t.ts'
import { Select } from '../ui/form.tsx'
import { Button } from '../ui/parts.tsx'
import { spanText } from '../ui/time.tsx'
import { useUrlState } from '../ui/url-state.ts'
import { type AnalyticsRange, presetOf, rangeOf } from './analytics-range.ts'
import type { ChartSpan } from '../charts/chart-model.ts'

const HOUR_MS = 3_600_000

/** @returns the range that the URL names, and how to change it by zooming */
export function useRange(): [AnalyticsRange, (span: ChartSpan) => void] {
  const [state, change] = useUrlState()
  // To the hour, so that a range stays the same while the clock goes on.
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  return [
    rangeOf(state, now),
    ({ from, to }) =>
      change({ from: new Date(from).toISOString(), to: new Date(to).toISOString() }),
  ]
}

export function RangeSelect() {
  const [state, change] = useUrlState()
  const { from, to } = rangeOf(state, Date.now())
  const isZoomed = to !== undefined
  return (
    <>
      <Select
        aria-label={t('Time')}
        value={isZoomed ? '' : presetOf(state['range'])}
        onChange={(event) => change({ range: event.target.value, from: '', to: '' })}
        options={[
          ...(isZoomed ? [['', spanText(from, to)] as const] : []),
          ['24h', t('Last 24 hours')],
          ['3d', t('Last 3 days')],
          ['7d', t('Last 7 days')],
          ['30d', t('Last 30 days')],
          ['90d', t('Last 90 days')],
        ]}
      />
      {isZoomed && (
        <Button onClick={() => change({ from: '', to: '' })}>
          <ZoomOut size={14} aria-hidden /> {t('Zoom out')}
        </Button>
      )}
    </>
  )
}
