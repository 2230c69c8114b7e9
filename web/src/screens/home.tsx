/** The first page: what fails comes first, then counts, then what is left to set up. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Circle, CircleCheck, Clock, Gauge, RotateCw, Skull } from 'lucide-react'
import type { ReactNode } from 'react'
import { answerOf, api, type Schemas } from '../api/client.ts'
import { firstEventCurl } from '../events/curl.ts'
import { useSession } from '../session.tsx'
import { t } from '../texts/t.ts'
import { Card, Code, ErrorNote, PageHead, Skeleton } from '../ui/parts.tsx'
import { Status } from '../ui/status.tsx'
import { count, Time } from '../ui/time.tsx'

const LIVE_MS = 5_000

export function Home() {
  const { client } = useSession()
  return (
    <>
      <PageHead title={client.name} about={t('What needs you first, and how the last day went.')} />
      <div className="stack">
        <Counters />
        <div className="cols">
          <div className="stack">
            <FailingEndpoints />
            <LatestDead />
          </div>
          <FirstSteps />
        </div>
      </div>
    </>
  )
}

function useAttempts(outcome: 'success' | 'failure' | 'timeout') {
  return useQuery({
    queryKey: ['attempts', '24h', outcome],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/v1/deliveries', {
          params: { query: { range: '24h', outcome, limit: 1 } },
          signal,
        }),
      ),
    refetchInterval: LIVE_MS,
  }).data?.pagination.total
}

function Counters() {
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/usage/current', { signal })),
    refetchInterval: LIVE_MS,
  })
  const [success, failure, timeout] = [
    useAttempts('success'),
    useAttempts('failure'),
    useAttempts('timeout'),
  ]
  const failed = failure === undefined || timeout === undefined ? undefined : failure + timeout
  const tried = success === undefined || failed === undefined ? undefined : success + failed
  const share =
    tried === undefined || tried === 0 ? '–' : `${((100 * (success ?? 0)) / tried).toFixed(1)} %`
  return (
    <div className="counters">
      <Counter
        icon={<CircleCheck size={14} className="delivered" aria-hidden />}
        label={t('Delivered')}
        value={atMost(success)}
        about={t('attempts, last 24 hours')}
        to="/dashboard/deliveries?range=24h&outcome=success"
      />
      <Counter
        icon={<RotateCw size={14} className="failed" aria-hidden />}
        label={t('Failed')}
        value={atMost(failed)}
        about={t('attempts, last 24 hours')}
        to="/dashboard/deliveries?range=24h&outcome=failure"
      />
      <Counter
        icon={<Gauge size={14} aria-hidden />}
        label={t('Success')}
        value={tried === undefined ? undefined : share}
        about={t('of attempts, last 24 hours')}
        to="/dashboard/deliveries?range=24h"
      />
      <Counter
        icon={<Clock size={14} className="queued" aria-hidden />}
        label={t('Accepted')}
        value={usage.data && count(usage.data.events)}
        about={usageText(usage.data)}
        to="/dashboard/events"
      />
    </div>
  )
}

/** The API counts to 10,000. */
function atMost(total: number | undefined): string | undefined {
  if (total === undefined) return undefined
  return total >= 10_000 ? `${count(10_000)}+` : count(total)
}

function usageText(usage: Schemas['CurrentUsage'] | undefined): string {
  if (usage === undefined || usage.limit === 0) return t('events, this month')
  return t('events of {limit}, this month', { limit: count(usage.limit) })
}

interface CounterProps {
  icon: ReactNode
  label: string
  value: string | undefined
  about: string
  to: string
}

function Counter({ icon, label, value, about, to }: CounterProps) {
  const [path, search = ''] = to.split('?')
  return (
    <Link
      to={path}
      search={Object.fromEntries(new URLSearchParams(search)) as never}
      className="card counter"
    >
      <span className="label">
        {icon} {label}
      </span>
      <span className="value">{value ?? <span className="skeleton s1" />}</span>
      <span className="small muted">{about}</span>
    </Link>
  )
}

function FailingEndpoints() {
  const endpoints = useQuery({
    queryKey: ['endpoints', 'names'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/v1/endpoints', { params: { query: { limit: 100 } }, signal })),
    refetchInterval: LIVE_MS,
  })
  const failing = endpoints.data?.data.filter(
    ({ status, circuitState }) => status === 'disabled' || circuitState !== 'closed',
  )
  return (
    <Card
      title={t('Endpoints that fail')}
      actions={<Link to={'/dashboard/endpoints' as string}>{t('All endpoints')}</Link>}
    >
      {endpoints.isPending && (
        <div className="card-body">
          <Skeleton lines={2} />
        </div>
      )}
      {endpoints.error && (
        <div className="card-body">
          <ErrorNote error={endpoints.error} />
        </div>
      )}
      {failing?.length === 0 && (
        <p className="card-body row">
          <CircleCheck size={16} className="delivered" aria-hidden />{' '}
          {t('None: every endpoint takes what it is sent.')}
        </p>
      )}
      <ul className="list">
        {failing?.map(({ id, description, url, status, circuitState }) => (
          <li key={id}>
            <Link to={`/dashboard/endpoints/${id}`} className="grow cut strong">
              {description || url}
            </Link>
            <Status of={status === 'disabled' ? status : circuitState} />
          </li>
        ))}
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
      actions={
        <Link to={'/dashboard/events' as string} search={{ status: 'dead' } as never}>
          {t('All of them')}
        </Link>
      }
    >
      {dead.isPending && (
        <div className="card-body">
          <Skeleton lines={3} />
        </div>
      )}
      {dead.error && (
        <div className="card-body">
          <ErrorNote error={dead.error} />
        </div>
      )}
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
      <a href={to} className={done === true ? 'muted' : undefined}>
        {label}
      </a>
    </li>
  )
}
