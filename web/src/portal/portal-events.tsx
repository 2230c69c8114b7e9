/** The events of a sub-account, newest first. */
import { Send } from 'lucide-react'
import { answerOf, api, type Schemas } from '../api/client.ts'
import { usePages } from '../api/queries.ts'
import { eventColumns, statusOptions } from '../events/event-columns.tsx'
import { t } from '../texts/t.ts'
import { Select } from '../ui/form.tsx'
import { Empty, PageHead } from '../ui/parts.tsx'
import { RowList } from '../ui/row-list.tsx'
import { SearchForm } from '../ui/search-form.tsx'
import { useUrlState } from '../ui/url-state.ts'

type Item = Schemas['PortalEventListItem']
const LIVE_MS = 3_000

export function PortalEvents({ endpointId }: { endpointId?: string }) {
  const [{ status, eventType }, change] = useUrlState()
  const list = usePages<Item>(
    ['events', { endpointId, status, eventType }],
    (cursor, signal) => {
      const query = {
        limit: 100,
        ...(cursor && { cursor }),
        ...(endpointId && { endpointId }),
        ...(status && { status: status as Item['status'] }),
        ...(eventType && { eventType }),
      }
      return answerOf(api.GET('/sub-account-api/events', { params: { query }, signal }))
    },
    LIVE_MS,
  )
  return (
    <>
      {endpointId === undefined && (
        <PageHead title={t('Events')} about={t('What was sent to you, and what became of it.')} />
      )}
      <SearchForm
        label={t('Event type')}
        placeholder={t('Event type')}
        value={eventType}
        onSearch={(text) => change({ eventType: text })}
      >
        <Select
          aria-label={t('Status')}
          value={status ?? ''}
          onChange={(event) => change({ status: event.target.value })}
          options={statusOptions()}
        />
      </SearchForm>
      <RowList
        label={t('Events')}
        list={list}
        columns={eventColumns()}
        onOpen={({ id }) => change({ view: 'events', id, status: '', eventType: '' })}
      >
        <Empty icon={Send} title={status || eventType ? t('No event matches') : t('No events yet')}>
          {t('They show here by themselves as they happen.')}
        </Empty>
      </RowList>
    </>
  )
}
