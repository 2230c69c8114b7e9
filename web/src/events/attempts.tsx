/** What was tried, attempt by attempt: when, the answer, the time it took, and what comes next. */
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, RotateCw, Skull } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../api/client.ts'
import { t } from '../texts/t.ts'
import { CopyButton, ErrorNote, Json, Skeleton } from '../ui/parts.tsx'
import { ResponseCode } from '../ui/status.tsx'
import { Countdown, milliseconds, Time } from '../ui/time.tsx'
import { attemptWords } from './attempt-words.ts'
import { curlOf } from './curl.ts'

type AttemptRecord = Schemas['Attempt']

export function Attempts({
  attempts,
  payload,
  hasHeaders,
}: {
  attempts: readonly AttemptRecord[]
  payload: unknown
  hasHeaders: boolean
}) {
  return (
    <ol className="timeline">
      {attempts.map((attempt) => (
        <AttemptEntry
          key={attempt.id}
          attempt={attempt}
          payload={payload}
          hasHeaders={hasHeaders}
        />
      ))}
    </ol>
  )
}

function AttemptEntry({
  attempt,
  payload,
  hasHeaders,
}: {
  attempt: AttemptRecord
  payload: unknown
  hasHeaders: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const { statusCode, error, attemptedAt, nextAttemptAt, attemptNumber, url } = attempt
  const words = error === '' ? null : attemptWords(error)
  return (
    <li>
      <Dot attempt={attempt} />
      <div className="row apart">
        <span className="row">
          <span className="strong">{t('Attempt {n}', { n: attemptNumber })}</span>
          <ResponseCode code={statusCode} />
        </span>
        <span className="muted">
          <Time at={attemptedAt} />
        </span>
      </div>
      <p className="mono muted wrap">POST {url}</p>
      {words && (
        <p>
          <span className="strong">{words.what}</span> <span className="muted">{words.remedy}</span>
        </p>
      )}
      {error !== '' && <p className="mono small muted wrap">{error}</p>}
      <TimeSplit attempt={attempt} />
      {nextAttemptAt && Date.parse(nextAttemptAt) > Date.now() && (
        <p className="failed strong">
          {t('Next attempt')} <Countdown until={nextAttemptAt} />
        </p>
      )}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('Request and response')}</summary>
        {isOpen && <Exchange attempt={attempt} payload={payload} hasHeaders={hasHeaders} />}
      </details>
    </li>
  )
}

function Dot({ attempt: { error, nextAttemptAt } }: { attempt: AttemptRecord }) {
  const [kind, Icon] =
    error === ''
      ? (['delivered', CircleCheck] as const)
      : nextAttemptAt === null
        ? (['dead', Skull] as const)
        : (['failed', RotateCw] as const)
  return (
    <span className={`dot ${kind}`}>
      <Icon size={16} aria-hidden />
    </span>
  )
}

/** Ours: from when it was due to the request. Theirs: the receiver's answer. */
function TimeSplit({ attempt: { durationMs, processingOverheadUs } }: { attempt: AttemptRecord }) {
  const ours = processingOverheadUs / 1_000
  const share = (ours / Math.max(ours + durationMs, 1)) * 100
  return (
    <div>
      <div className="time-split" aria-hidden>
        <span style={{ width: `${Math.max(share, 1)}%` }} />
      </div>
      <p className="small muted">
        {t('ours {ours}, the receiver’s {theirs}', {
          ours: milliseconds(Math.round(ours * 10) / 10),
          theirs: milliseconds(durationMs),
        })}
      </p>
    </div>
  )
}

function Exchange({
  attempt,
  payload,
  hasHeaders,
}: {
  attempt: AttemptRecord
  payload: unknown
  hasHeaders: boolean
}) {
  const detail = useQuery({
    queryKey: ['attempt', attempt.id],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/v1/deliveries/{deliveryId}', {
          params: { path: { deliveryId: attempt.id } },
          signal,
        }),
      ),
    enabled: hasHeaders,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const body = attempt.requestBody ?? JSON.stringify(payload)
  const headers = detail.data?.requestHeaders
  return (
    <div className="stack">
      <div className="row apart">
        <h3>{t('Request')}</h3>
        {headers && (
          <CopyButton text={curlOf(attempt.url, headers, body)} label={t('Copy as curl')} />
        )}
      </div>
      {hasHeaders && detail.isPending && <Skeleton lines={3} />}
      {detail.error && <ErrorNote error={detail.error} />}
      {headers && <Headers headers={headers} />}
      {attempt.requestBody === null ? (
        <p className="muted">{t('The payload was sent as it is.')}</p>
      ) : (
        <Json value={pretty(body)} label={t('Body that was sent')} />
      )}
      <h3>{t('Response')}</h3>
      {attempt.responseHeaders && <Headers headers={attempt.responseHeaders} />}
      {attempt.responseBody === '' ? (
        <p className="muted">{t('It had no body.')}</p>
      ) : (
        <Json value={pretty(attempt.responseBody)} label={t('Body of the response')} />
      )}
    </div>
  )
}

function Headers({ headers }: { headers: Readonly<Record<string, string>> }) {
  return (
    <dl className="facts mono small">
      {Object.entries(headers).map(([name, value]) => [
        <dt key={name}>{name}</dt>,
        <dd key={`${name}:`}>{value}</dd>,
      ])}
    </dl>
  )
}

/** JSON with line breaks; anything else as it came. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
