/** What waits and moves just now, each second. */
import { type Stats, useLiveStats } from '../api/live-stats.ts'
import { localeOf, t } from '../texts/t.ts'
import { Card, ErrorNote } from '../ui/parts.tsx'
import { PlainLink } from '../ui/plain-link.tsx'
import { atMost, span } from '../ui/time.tsx'

export function RightNow() {
  const { stats, isLive, error } = useLiveStats()
  if (stats === undefined && error !== null) return <ErrorNote error={error} />
  const rate = (value: number): string =>
    new Intl.NumberFormat(localeOf(), { maximumFractionDigits: 1 }).format(value)
  const figures = [
    [t('Accepted a second'), stats && rate(stats.eventsPerSecond), '/dashboard/events'],
    [t('Delivered a second'), stats && rate(stats.deliveriesPerSecond), '/dashboard/deliveries'],
    [t('Queued'), stats && atMost(stats.queued), '/dashboard/events?status=queued'],
    [t('On their way'), stats && atMost(stats.delivering), '/dashboard/events?status=delivering'],
    [t('Retry due'), stats && atMost(stats.failed), '/dashboard/events?status=failed'],
    [t('Oldest waits'), stats && oldest(stats), '/dashboard/events?status=queued'],
    [t('Dead events'), stats && atMost(stats.dead), '/dashboard/events?status=dead'],
  ] as const
  return (
    <Card
      title={t('Right now')}
      actions={
        <span className={isLive ? 'pill delivered' : 'pill muted'} role="status">
          <span className={isLive ? 'live-dot pulse' : 'live-dot'} aria-hidden />
          {isLive ? t('live') : t('every 5 seconds')}
        </span>
      }
    >
      <dl className="now">
        {figures.map(([label, value, to]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <PlainLink to={to}>{value ?? '…'}</PlainLink>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function oldest({ oldestQueuedSeconds }: Stats): string {
  return oldestQueuedSeconds === 0 ? '–' : span(Math.round(oldestQueuedSeconds))
}
