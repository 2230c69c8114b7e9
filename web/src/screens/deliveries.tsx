/** Every attempt of the workspace: what failed in a span of time, and where. */
import { useNavigate } from '@tanstack/react-router'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Waypoints } from 'lucide-react'
import { answerOf, api, type Schemas } from '../api/client.ts'
import { firstEventCurl } from '../events/curl.ts'
import { t } from '../texts/t.ts'
import { Select } from '../ui/form.tsx'
import type { Column } from '../ui/grid.tsx'
import { Empty, PageHead } from '../ui/parts.tsx'
import { RowList } from '../ui/row-list.tsx'
import { SearchForm } from '../ui/search-form.tsx'
import { ResponseCode } from '../ui/status.tsx'
import { milliseconds, spanText, Time } from '../ui/time.tsx'
import { useUrlState } from '../ui/url-state.ts'
import { useEndpointOptions } from './endpoints/endpoint-options.ts'

type Row = Schemas['Attempt']
const PAGE = 200
const LAST_OFFSET = 10_000

export function Deliveries() {
  const [{ outcome, range = '24h', endpointId, eventType, start, end }, change] = useUrlState()
  const isSpan = start !== undefined && end !== undefined
  const endpoints = useEndpointOptions()
  const navigate = useNavigate()
  const list = useInfiniteQuery({
    queryKey: ['attempts', { outcome, range, endpointId, eventType, start, end }],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: PAGE,
        offset: pageParam,
        ...(isSpan ? { start, end } : { range: range as '24h' }),
        ...(outcome && { outcome: outcome as 'success' }),
        ...(endpointId && { endpoint_id: endpointId }),
        ...(eventType && { event_type: eventType }),
      }
      return answerOf(api.GET('/api/v1/deliveries', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
    getNextPageParam: ({ pagination: { hasMore, offset } }) =>
      hasMore && offset + PAGE <= LAST_OFFSET ? offset + PAGE : undefined,
  })
  return (
    <>
      <PageHead title={t('Deliveries')} about={t('Every attempt, newest first.')} />
      <SearchForm
        label={t('Event type')}
        placeholder={t('Event type')}
        value={eventType}
        onSearch={(text) => change({ eventType: text })}
      >
        <Select
          aria-label={t('Outcome')}
          value={outcome ?? ''}
          onChange={(event) => change({ outcome: event.target.value })}
          options={[
            ['', t('Any outcome')],
            ['success', t('Success')],
            ['failure', t('Failure')],
            ['timeout', t('Timeout')],
          ]}
        />
        <Select
          aria-label={t('Endpoint')}
          value={endpointId ?? ''}
          onChange={(event) => change({ endpointId: event.target.value })}
          options={[['', t('Any endpoint')], ...endpoints]}
        />
        <Select
          aria-label={t('Time')}
          value={isSpan ? '' : range}
          onChange={(event) => change({ range: event.target.value, start: '', end: '' })}
          options={[
            ...(isSpan ? [['', spanText(start, end)] as const] : []),
            ['1h', t('Last hour')],
            ['24h', t('Last 24 hours')],
            ['7d', t('Last 7 days')],
            ['30d', t('Last 30 days')],
          ]}
        />
      </SearchForm>
      <RowList
        label={t('Deliveries')}
        list={{
          ...list,
          rows: list.data?.pages.flatMap(({ data }) => data) ?? [],
          onEnd: list.hasNextPage ? () => void list.fetchNextPage() : undefined,
          isBusy: list.isFetchingNextPage,
        }}
        columns={columns()}
        onOpen={({ eventId }) => void navigate({ to: `/dashboard/events/${eventId}` })}
      >
        <Empty
          icon={Waypoints}
          title={t('No attempt matches')}
          command={firstEventCurl({ destination: `${location.origin}/receiver/demo` })}
        >
          {t('Try another outcome or a longer time, or send an event.')}
        </Empty>
      </RowList>
    </>
  )
}

function columns(): Column<Row>[] {
  return [
    {
      label: t('Answer'),
      width: '96px',
      narrow: '68px',
      cell: ({ statusCode }) => <ResponseCode code={statusCode} />,
    },
    {
      label: t('URL'),
      width: 'minmax(120px, 2fr)',
      cell: ({ url }) => <span className="mono">{url}</span>,
    },
    {
      label: t('Event'),
      width: 'minmax(90px, 1fr)',
      broad: true,
      cell: ({ eventType }) => <span className="mono">{eventType ?? '–'}</span>,
    },
    {
      label: t('Error'),
      width: 'minmax(90px, 1.5fr)',
      broad: true,
      cell: ({ error }) => <span className="muted">{error || '–'}</span>,
    },
    {
      label: t('Took'),
      width: '80px',
      broad: true,
      cell: ({ durationMs }) => milliseconds(durationMs),
    },
    {
      label: t('When'),
      width: 'minmax(84px, 170px)',
      cell: ({ attemptedAt }) => <Time at={attemptedAt} />,
    },
  ]
}
