/** When a condition would have fired over the past hours, before anybody is told of anything. */
import type { AlertCondition } from '@posthorn/domain/alert-condition'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { t } from '../../texts/t.ts'
import { Select } from '../../ui/form.tsx'
import { Card, ErrorNote, Skeleton } from '../../ui/parts.tsx'
import { span, spanText } from '../../ui/time.tsx'
import { usePaused } from '../../ui/use-paused.ts'
import { valueText } from './alert-words.ts'

interface RulePreviewProps {
  /** null: it is not whole yet. */
  condition: AlertCondition | null
  endpointId: string | null
  /** Why it can't be asked for. */
  off: string | undefined
}

type Firing = Schemas['AlertPreview']['firings'][number]

const HOUR_MS = 3_600_000
const SHOWN = 8

export function RulePreview({ condition, endpointId, off }: RulePreviewProps) {
  const [hours, setHours] = useState(24)
  const settled = usePaused(condition === null ? null : JSON.stringify(condition))
  const asked = settled === null ? null : (JSON.parse(settled) as AlertCondition)
  const hasPast = asked !== null && asked.metric !== 'queue_depth'
  const query = useQuery({
    queryKey: ['alert-preview', settled, endpointId, hours],
    queryFn: async ({ signal }) => {
      const body = { condition: asked as AlertCondition, hours, endpointId }
      const answer = await answerOf(api.POST('/api/v1/alerting/rules/preview', { body, signal }))
      return { ...answer, until: Date.now(), hours }
    },
    enabled: hasPast && off === undefined,
    placeholderData: keepPreviousData,
  })
  return (
    <Card
      title={t('Would have fired')}
      actions={
        <Select
          aria-label={t('Time')}
          value={hours}
          onChange={(event) => setHours(Number(event.target.value))}
          options={[
            ['6', t('Last 6 hours')],
            ['24', t('Last 24 hours')],
            ['72', t('Last 3 days')],
            ['168', t('Last 7 days')],
          ]}
        />
      }
    >
      <div className="card-body stack tight" aria-live="polite">
        {off !== undefined && <p className="muted">{off}</p>}
        {off === undefined && asked === null && (
          <p className="muted">{t('Complete the condition to see it.')}</p>
        )}
        {off === undefined && asked !== null && !hasPast && (
          <p className="muted">
            {t('How many deliveries wait is known for this moment only, so there is no preview.')}
          </p>
        )}
        {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
        {hasPast && off === undefined && query.data === undefined && !query.error && (
          <Skeleton lines={3} />
        )}
        {hasPast && query.data && <Firings {...query.data} condition={asked} />}
      </div>
    </Card>
  )
}

interface FiringsProps {
  firings: readonly Firing[]
  condition: AlertCondition
  /** Epoch ms. */
  until: number
  hours: number
}

function Firings({ firings, condition, until, hours }: FiringsProps) {
  const begin = until - hours * HOUR_MS
  const place = (at: number): number => (100 * (at - begin)) / (until - begin)
  const lasted = firings.reduce((sum, { from, to }) => sum + Date.parse(to) - Date.parse(from), 0)
  return (
    <>
      <p className={firings.length === 0 ? 'strong delivered' : 'strong dead'}>
        {firings.length === 0
          ? t('It would not have fired.')
          : firings.length === 1
            ? t('It would have fired once, for {time}.', { time: span(Math.round(lasted / 1_000)) })
            : t('It would have fired {n} times, for {time} in all.', {
                n: firings.length,
                time: span(Math.round(lasted / 1_000)),
              })}
      </p>
      <div className="strip" aria-hidden>
        {firings.map(({ from, to }) => (
          <span
            key={from}
            style={{
              left: `${Math.max(0, place(Date.parse(from)))}%`,
              width: `${Math.max(0.6, place(Date.parse(to)) - place(Date.parse(from)))}%`,
            }}
          />
        ))}
      </div>
      <div className="row apart small muted">
        <span>{t('{n} hours ago', { n: hours })}</span>
        <span>{t('now')}</span>
      </div>
      <ul className="stack tight firings">
        {firings.slice(-SHOWN).map(({ from, to, peak }) => (
          <li key={from} className="row apart small">
            <span>{spanText(from, to)}</span>
            <span className="muted">
              {t('up to {value}', { value: valueText(condition.metric, peak) })}
            </span>
          </li>
        ))}
      </ul>
      {firings.length > SHOWN && (
        <p className="small muted">{t('and {n} before', { n: firings.length - SHOWN })}</p>
      )}
    </>
  )
}
