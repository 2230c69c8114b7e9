/** The first page: what fails comes first, then counts, then what is left to set up. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Check, Circle, CircleCheck, Skull } from 'lucide-react'
import { useMemo } from 'react'
import { rangeOf } from '../analytics/analytics-range.ts'
import { workspaceSource } from '../analytics/analytics-source.ts'
import { percent } from '../analytics/figures.tsx'
import { outcomesModel, sumOf } from '../analytics/models.ts'
import { useOpenAttempts } from '../analytics/open-attempts.ts'
import { answerOf, api } from '../api/client.ts'
import { Chart } from '../charts/chart.tsx'
import { endpointState } from '../endpoints/endpoint-state.ts'
import { firstEventCurl } from '../events/curl.ts'
import { useSession } from '../session.tsx'
import { t } from '../texts/t.ts'
import { Card, Code, ErrorNote, PageHead, Skeleton } from '../ui/parts.tsx'
import { Status } from '../ui/status.tsx'
import { PlainLink } from '../ui/plain-link.tsx'
import { atMost, count, Time } from '../ui/time.tsx'
import { RightNow } from './right-now.tsx'
import { Rate, useEndpointHealth } from './analytics/endpoint-health.tsx'

const HOUR_MS = 3_600_000
const LIVE_MS = 5_000

export function Home() {
  const { client } = useSession()
  return (
    <>
      <PageHead title={client.name} about={t('What needs you first, and how the last day went.')} />
      <div className="stack">
        <RightNow />
        <div className="cols">
          <div className="stack">
            <FailingEndpoints />
            <LastDay />
            <LatestDead />
          </div>
          <FirstSteps />
        </div>
      </div>
    </>
  )
}

/** The last day's attempts, and how many of them succeeded. */
function LastDay() {
  const range = rangeOf({}, Math.floor(Date.now() / HOUR_MS) * HOUR_MS)
  const openAttempts = useOpenAttempts(undefined)
  const navigate = useNavigate()
  const { data, error } = useQuery({
    queryKey: [...workspaceSource.key, 'outcomes', range, undefined],
    queryFn: ({ signal }) => workspaceSource.outcomes(range, signal),
    refetchInterval: LIVE_MS,
  })
  const model = useMemo(() => data && outcomesModel(data), [data])
  if (error) return <ErrorNote error={error} />
  if (data === undefined || model === undefined) return <Skeleton lines={6} />
  const succeeded = sumOf(data.data.map((one) => one.success))
  const tried = succeeded + sumOf(data.data.map((one) => one.failure + one.timeout))
  return (
    <Chart
      title={t('The last 24 hours')}
      about={
        tried === 0
          ? t('No attempts.')
          : t('{share} of {n} attempts succeeded. Drag to zoom in.', {
              share: percent(succeeded / tried),
              n: count(tried),
            })
      }
      model={model}
      onZoom={({ from, to }) => {
        const search = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
        void navigate({ to: '/dashboard/analytics', search: search as never })
      }}
      onOpen={openAttempts}
    />
  )
}

const FAILING_SHOWN = 6

/** The worst first: what is off, what its circuit keeps waiting, and what fails at times. */
function FailingEndpoints() {
  const range = rangeOf({}, Math.floor(Date.now() / HOUR_MS) * HOUR_MS)
  const health = useEndpointHealth(range)
  const failing = health.data?.data
    .filter(
      ({ status, circuitState, deliveryRate }) =>
        status === 'disabled' ||
        circuitState !== 'closed' ||
        (deliveryRate !== null && deliveryRate < 100),
    )
    .slice(0, FAILING_SHOWN)
  return (
    <Card
      title={t('Endpoints that fail')}
      query={health}
      actions={<Link to={'/dashboard/analytics' as string}>{t('All endpoints')}</Link>}
    >
      {failing?.length === 0 && (
        <p className="card-body row">
          <CircleCheck size={16} className="delivered" aria-hidden />{' '}
          {t('None: every endpoint takes what it is sent.')}
        </p>
      )}
      <ul className="list">
        {failing?.map(
          ({ endpointId, url, status, circuitState, deliveryRate, waiting, capped }) => (
            <li key={endpointId}>
              <Link to={`/dashboard/endpoints/${endpointId}`} className="grow cut strong mono">
                {url ?? t('polled, or storage')}
              </Link>
              {waiting > 0 && (
                <span className="small muted">{t('{n} wait', { n: atMost(waiting, capped) })}</span>
              )}
              <Rate share={deliveryRate} />
              {(status !== 'active' || circuitState !== 'closed') && (
                <Status of={endpointState({ status, circuitState })} />
              )}
            </li>
          ),
        )}
      </ul>
    </Card>
  )
}

const DEAD_SHOWN = 5

function LatestDead() {
  const dead = useQuery({
    queryKey: ['events', 'dead', DEAD_SHOWN],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/v1/events', {
          params: { query: { status: 'dead', limit: DEAD_SHOWN } },
          signal,
        }),
      ),
    refetchInterval: LIVE_MS,
  })
  return (
    <Card
      title={t('Latest dead events')}
      query={dead}
      actions={
        <Link to={'/dashboard/events' as string} search={{ status: 'dead' } as never}>
          {t('All of them')}
        </Link>
      }
    >
      {dead.data?.data.length === 0 && (
        <p className="card-body row">
          <CircleCheck size={16} className="delivered" aria-hidden />{' '}
          {t('None: nothing was given up.')}
        </p>
      )}
      <ul className="list">
        {dead.data?.data.map(({ id, eventType, destination, lastError, createdAt }) => (
          <li key={id}>
            <Skull size={14} className="dead" aria-hidden />
            <Link to={`/dashboard/events/${id}`} className="mono cut grow">
              {eventType ?? destination}
            </Link>
            <span className="muted small cut broad-only" style={{ maxWidth: '40%' }}>
              {lastError}
            </span>
            <span className="muted small">
              <Time at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** What a new workspace does first; each is ticked by what is really there. */
function FirstSteps() {
  const has = (key: string, load: (signal: AbortSignal) => Promise<{ data: unknown[] }>) => ({
    queryKey: ['first-steps', key],
    queryFn: async ({ signal }: { signal: AbortSignal }) => (await load(signal)).data.length > 0,
    refetchInterval: LIVE_MS,
  })
  const one = { query: { limit: 1 } }
  const endpoint = useQuery(
    has('endpoint', (signal) => answerOf(api.GET('/api/v1/endpoints', { params: one, signal }))),
  )
  const type = useQuery(
    has('type', (signal) => answerOf(api.GET('/api/v1/event-types', { params: one, signal }))),
  )
  const event = useQuery(
    has('event', (signal) => answerOf(api.GET('/api/v1/events', { params: one, signal }))),
  )
  const delivered = useQuery(
    has('delivered', (signal) =>
      answerOf(
        api.GET('/api/v1/events', { params: { query: { limit: 1, status: 'delivered' } }, signal }),
      ),
    ),
  )
  return (
    <Card title={t('First steps')}>
      <ul className="list">
        <Step done={endpoint.data} to="/dashboard/endpoints/new" label={t('Make an endpoint')} />
        <Step done={type.data} to="/dashboard/event-types" label={t('Name an event type')} />
        <Step done={event.data} to="/dashboard/events" label={t('Send an event')} />
        <Step
          done={delivered.data}
          to="/dashboard/events?status=delivered"
          label={t('See it delivered')}
        />
      </ul>
      {event.data === false && (
        <div className="card-body">
          <Code
            text={firstEventCurl({ destination: `${location.origin}/receiver/demo` })}
            label={t('Send an event')}
          />
        </div>
      )}
    </Card>
  )
}

function Step({ done, to, label }: { done: boolean | undefined; to: string; label: string }) {
  return (
    <li>
      {done === true ? (
        <Check size={16} className="delivered" aria-label={t('done')} />
      ) : (
        <Circle size={16} className="muted" aria-label={t('to do')} />
      )}
      <PlainLink to={to} isDone={done === true}>
        {label}
      </PlainLink>
    </li>
  )
}
