/** All events, newest first, by filters that stand in the URL; a live tail; and sending many again. */
import { useNavigate } from '@tanstack/react-router'
import { Pause, Play, Send } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { firstEventCurl } from '../../events/curl.ts'
import { eventColumns } from '../../events/event-columns.tsx'
import { t } from '../../texts/t.ts'
import { Select, textIn } from '../../ui/form.tsx'
import { Grid } from '../../ui/grid.tsx'
import { Button, Empty, ErrorNote, PageHead, Skeleton } from '../../ui/parts.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { useEndpointOptions } from '../endpoints/endpoint-options.ts'
import { RetryAll } from './retry-all.tsx'

const LIVE_MS = 3_000
const RANGES: Readonly<Record<string, number>> = {
  '1h': 3_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
}
const MINUTE_MS = 60_000

type Item = Schemas['EventListItem']

export function Events() {
  const [state] = useUrlState()
  const navigate = useNavigate()
  const [isLive, setLive] = useState(true)
  const { status, eventType, endpointId, destination, range } = state
  const filters = { status, eventType, endpointId, destination, range }
  const isFiltered = Object.values(filters).some(Boolean)
  const list = usePages<Item>(
    ['events', filters],
    (cursor, signal) => {
      const from = fromOf(range)
      const query = {
        limit: 100,
        ...(cursor && { cursor }),
        ...(status && { status: status as Item['status'] }),
        ...(eventType && { eventType }),
        ...(endpointId && { endpointId }),
        ...(destination && { destination }),
        ...(from && { from }),
      }
      return answerOf(api.GET('/api/v1/events', { params: { query }, signal }))
    },
    isLive ? LIVE_MS : undefined,
  )
  return (
    <>
      <PageHead
        title={t('Events')}
        about={t('What was sent, and what became of it.')}
        actions={
          <>
            <RetryAll filters={filters} />
            <Button onClick={() => setLive(!isLive)} aria-pressed={isLive}>
              {isLive ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
              {isLive ? t('Live') : t('Stopped')}
            </Button>
          </>
        }
      />
      <Filters />
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={10} />}
      {list.data && list.rows.length === 0 && <NoEvents isFiltered={isFiltered} />}
      {list.rows.length > 0 && (
        <Grid
          label={t('Events')}
          columns={eventColumns()}
          rows={list.rows}
          onEnd={list.onEnd}
          isBusy={list.isBusy}
          onOpen={({ id }) => void navigate({ to: `/dashboard/events/${id}` })}
        />
      )}
    </>
  )
}

/** To the minute, so that the key of the query stays the same for a while. */
function fromOf(range: string | undefined): string | null {
  const span = RANGES[range ?? '']
  if (span === undefined) return null
  return new Date(Math.floor((Date.now() - span) / MINUTE_MS) * MINUTE_MS).toISOString()
}

function Filters() {
  const [state, change] = useUrlState()
  const navigate = useNavigate()
  const endpoints = useEndpointOptions()
  /** An id opens its event, a URL is a destination, and the rest a type. */
  function search(text: string): void {
    const wanted = text.trim()
    if (/^[0-9a-f-]{36}$/i.test(wanted)) void navigate({ to: `/dashboard/events/${wanted}` })
    else if (/^https?:\/\//.test(wanted)) change({ destination: wanted, eventType: undefined })
    else change({ eventType: wanted, destination: undefined })
  }
  return (
    <form
      className="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        search(textIn(event.currentTarget, 'q'))
      }}
    >
      <input
        key={state['eventType'] ?? state['destination'] ?? ''}
        className="input search"
        type="search"
        name="q"
        aria-label={t('Type, destination or id')}
        placeholder={t('Type, destination URL or event id  ( / )')}
        defaultValue={state['eventType'] ?? state['destination'] ?? ''}
      />
      <Select
        aria-label={t('Status')}
        value={state['status'] ?? ''}
        onChange={(event) => change({ status: event.target.value })}
        options={[
          ['', t('Any status')],
          ['queued', t('queued')],
          ['delivering', t('delivering')],
          ['delivered', t('delivered')],
          ['failed', t('retry due')],
          ['dead', t('dead')],
        ]}
      />
      <Select
        aria-label={t('Endpoint')}
        value={state['endpointId'] ?? ''}
        onChange={(event) => change({ endpointId: event.target.value })}
        options={[['', t('Any endpoint')], ...endpoints]}
      />
      <Select
        aria-label={t('Time')}
        value={state['range'] ?? ''}
        onChange={(event) => change({ range: event.target.value })}
        options={[
          ['', t('Any time')],
          ['1h', t('Last hour')],
          ['24h', t('Last 24 hours')],
          ['7d', t('Last 7 days')],
          ['30d', t('Last 30 days')],
        ]}
      />
    </form>
  )
}

function NoEvents({ isFiltered }: { isFiltered: boolean }) {
  const [, change] = useUrlState()
  if (isFiltered) {
    const clear = { status: '', eventType: '', endpointId: '', destination: '', range: '' }
    return (
      <div className="card">
        <Empty
          icon={Send}
          title={t('No event matches')}
          action={<Button onClick={() => change(clear)}>{t('Clear the filters')}</Button>}
        >
          {t('Try fewer filters or a longer time.')}
        </Empty>
      </div>
    )
  }
  return (
    <div className="card">
      <Empty
        icon={Send}
        title={t('No events yet')}
        command={firstEventCurl({ destination: `${location.origin}/receiver/demo` })}
      >
        {t('Send a first one from your terminal; it shows here by itself.')}
      </Empty>
    </div>
  )
}
