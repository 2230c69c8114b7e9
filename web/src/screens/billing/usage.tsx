/** The month against its quota with a forecast, and the months before as bars and as a table. */
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { answerOf, api } from '../../api/client.ts'
import { localeOf, t } from '../../texts/t.ts'
import { Card, ErrorNote, Note, Skeleton } from '../../ui/parts.tsx'
import { count, Time } from '../../ui/time.tsx'
import { forecastOf } from './forecast.ts'

type Month = Awaited<ReturnType<typeof readHistory>>['data'][number]

const MONTHS = 12

function readHistory(signal: AbortSignal) {
  return answerOf(
    api.GET('/api/v1/usage/history', { params: { query: { months: MONTHS } }, signal }),
  )
}

export function Usage() {
  const current = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/usage/current', { signal })),
  })
  const history = useQuery({
    queryKey: ['usage', 'history'],
    queryFn: ({ signal }) => readHistory(signal),
  })
  const error = current.error ?? history.error
  const limit = current.data?.limit ?? 0
  return (
    <Card title={t('Usage')}>
      <div className="card-body stack">
        {error && <ErrorNote error={error} onRetry={() => void current.refetch()} />}
        {(current.isPending || history.isPending) && <Skeleton lines={5} />}
        {current.data && <ThisMonth {...current.data} />}
        {history.data && <History months={history.data.data.toReversed()} limit={limit} />}
      </div>
    </Card>
  )
}

interface ThisMonthProps {
  period: { start: string; end: string }
  events: number
  limit: number
  resetsAt: string
}

function ThisMonth({ period, events, limit, resetsAt }: ThisMonthProps) {
  const forecast = forecastOf(events, Date.parse(period.start), Date.parse(period.end), Date.now())
  const share = (value: number): number => Math.min((value / Math.max(limit, 1)) * 100, 100)
  return (
    <>
      <div className="row apart">
        <p>
          <span className="big">{count(events)}</span>{' '}
          <span className="muted">
            {limit === 0
              ? t('events this month; there is no limit')
              : t('of {limit} events this month', { limit: count(limit) })}
          </span>
        </p>
        <p className="muted">
          {t('begins anew')} <Time at={resetsAt} relative />
        </p>
      </div>
      {limit > 0 && (
        <div
          className="meter"
          role="meter"
          aria-label={t('Events this month')}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(events, limit)}
        >
          <span className="forecast" style={{ width: `${share(forecast)}%` }} />
          <span
            className={events >= limit ? 'used over' : 'used'}
            style={{ width: `${share(events)}%` }}
          />
        </div>
      )}
      <p className="small muted">
        {t('At this pace the month ends with about {n}.', { n: count(forecast) })}
      </p>
      {limit > 0 && forecast > limit && (
        <Note icon={TriangleAlert} warning>
          {events >= limit
            ? t(
                'The quota is used up: new events are refused with QUOTA_EXCEEDED until it begins anew, or a larger plan.',
              )
            : t('At this pace the quota is used up before the month ends.')}
        </Note>
      )}
    </>
  )
}

/** Bars of months; the same figures stand in the table below. */
function History({ months, limit }: { months: readonly Month[]; limit: number }) {
  const most = Math.max(1, ...months.map(({ events }) => events), limit)
  const heightOf = (value: number): string => `${(value / most) * 100}%`
  return (
    <>
      <figure className="bars" aria-label={t('Events by month')}>
        {limit > 0 && <span className="limit" style={{ bottom: heightOf(limit) }} />}
        {months.map(({ month, events }, index) => (
          <span key={month} title={`${monthName(month, 'long')}: ${count(events)}`}>
            <span
              className={index === months.length - 1 ? 'bar latest' : 'bar'}
              style={{ height: heightOf(events) }}
            />
            <span className="small muted">{monthName(month, 'short')}</span>
          </span>
        ))}
      </figure>
      <details>
        <summary>{t('As a table')}</summary>
        <table className="matrix">
          <thead>
            <tr>
              <th scope="col">{t('Month')}</th>
              <th scope="col">{t('Events')}</th>
              <th scope="col">{t('Attempts')}</th>
            </tr>
          </thead>
          <tbody>
            {months.toReversed().map(({ month, events, attempts }) => (
              <tr key={month}>
                <th scope="row">{monthName(month, 'long')}</th>
                <td>{count(events)}</td>
                <td>{count(attempts)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}

function monthName(month: string, length: 'short' | 'long'): string {
  const format = new Intl.DateTimeFormat(localeOf(), {
    month: length,
    timeZone: 'UTC',
    ...(length === 'long' && { year: 'numeric' }),
  })
  return format.format(new Date(`${month}-01T00:00:00Z`))
}
