/** The events of a sub-account, newest first. */
import { Send } from 'lucide-react'
import { answerOf, api, type Schemas } from '../api/client.ts'
import { usePages } from '../api/queries.ts'
import { eventColumns } from '../events/event-columns.tsx'
import { t } from '../texts/t.ts'
import { Select, textIn } from '../ui/form.tsx'
import { Grid } from '../ui/grid.tsx'
import { Empty, ErrorNote, PageHead, Skeleton } from '../ui/parts.tsx'
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
      <form
        className="filters"
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          change({ eventType: textIn(event.currentTarget, 'q') })
        }}
      >
        <input
          key={eventType ?? ''}
          className="input search"
          type="search"
          name="q"
          aria-label={t('Event type')}
          placeholder={t('Event type')}
          defaultValue={eventType ?? ''}
        />
        <Select
          aria-label={t('Status')}
          value={status ?? ''}
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
      </form>
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={8} />}
      {list.data && list.rows.length === 0 && (
        <div className="card">
          <Empty
            icon={Send}
            title={status || eventType ? t('No event matches') : t('No events yet')}
          >
            {t('They show here by themselves as they happen.')}
          </Empty>
        </div>
      )}
      {list.rows.length > 0 && (
        <Grid
          label={t('Events')}
          columns={eventColumns()}
          rows={list.rows}
          onEnd={list.onEnd}
          isBusy={list.isBusy}
          onOpen={({ id }) => change({ view: 'events', id, status: '', eventType: '' })}
        />
      )}
    </>
  )
}
