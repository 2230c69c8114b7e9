/** What can be subscribed to, with an example of each. */
import { Tags } from 'lucide-react'
import { answerOf, api, type Schemas } from '../api/client.ts'
import { usePages } from '../api/queries.ts'
import { exampleOf } from '../events/example-of.ts'
import { t } from '../texts/t.ts'
import { Card, Empty, ErrorNote, Json, PageHead, Skeleton } from '../ui/parts.tsx'

export function PortalEventTypes() {
  const list = usePages<Schemas['PortalEventType']>(['event-types'], (cursor, signal) =>
    answerOf(
      api.GET('/sub-account-api/event-types', {
        params: { query: { limit: 100, ...(cursor && { cursor }) } },
        signal,
      }),
    ),
  )
  return (
    <>
      <PageHead title={t('Event types')} about={t('What your endpoints can subscribe to.')} />
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={6} />}
      {list.data && list.rows.length === 0 && (
        <div className="card">
          <Empty icon={Tags} title={t('No event types yet')}>
            {t('Endpoints can subscribe to * until there are some.')}
          </Empty>
        </div>
      )}
      <div className="stack">
        {list.rows.map(({ id, name, description, schema }) => (
          <Card key={id} title={name}>
            <div className="card-body stack tight">
              <p className="muted">{description}</p>
              {schema !== null && (
                <details>
                  <summary>{t('An example')}</summary>
                  <Json value={exampleOf(schema)} label={t('An example')} />
                </details>
              )}
            </div>
          </Card>
        ))}
      </div>
    </>
  )
}
