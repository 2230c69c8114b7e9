/** All events, newest first, by filters that stand in the URL; a live tail; and sending many again. */
import { useNavigate } from '@tanstack/react-router'
import { Pause, Play, Send } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { firstEventCurl } from '../../events/curl.ts'
import { eventColumns, statusOptions } from '../../events/event-columns.tsx'
import { t } from '../../texts/t.ts'
import { Select } from '../../ui/form.tsx'
import { Button, Empty, PageHead } from '../../ui/parts.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { SearchForm } from '../../ui/search-form.tsx'
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
      <RowList
        label={t('Events')}
        list={list}
        columns={eventColumns()}
        onOpen={({ id }) => void navigate({ to: `/dashboard/events/${id}` })}
      >
        <NoEvents isFiltered={isFiltered} />
      </RowList>
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
    if (/^[0-9a-f-]{36}$/i.test(text)) void navigate({ to: `/dashboard/events/${text}` })
    else if (/^https?:\/\//.test(text)) change({ destination: text, eventType: undefined })
    else change({ eventType: text, destination: undefined })
  }
  return (
    <SearchForm
      label={t('Type, destination or id')}
      placeholder={t('Type, destination URL or event id  ( / )')}
      value={state['eventType'] ?? state['destination']}
      onSearch={search}
    >
      <Select
        aria-label={t('Status')}
        value={state['status'] ?? ''}
        onChange={(event) => change({ status: event.target.value })}
        options={statusOptions()}
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
    </SearchForm>
  )
}

function NoEvents({ isFiltered }: { isFiltered: boolean }) {
  const [, change] = useUrlState()
  if (isFiltered) {
    const clear = { status: '', eventType: '', endpointId: '', destination: '', range: '' }
    return (
      <Empty
        icon={Send}
        title={t('No event matches')}
        action={<Button onClick={() => change(clear)}>{t('Clear the filters')}</Button>}
      >
        {t('Try fewer filters or a longer time.')}
      </Empty>
    )
  }
  return (
    <Empty
      icon={Send}
      title={t('No events yet')}
      command={firstEventCurl({ destination: `${location.origin}/receiver/demo` })}
    >
      {t('Send a first one from your terminal; it shows here by itself.')}
    </Empty>
  )
}
