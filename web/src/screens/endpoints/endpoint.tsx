/** One endpoint: what happens there, what it is set to, and its versions. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Ban, Send, ZapOff } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { endpointName } from '../../endpoints/endpoint-name.ts'
import { endpointState } from '../../endpoints/endpoint-state.ts'
import { changesOf, EndpointForm } from '../../endpoints/endpoint-form.tsx'
import { eventColumns } from '../../events/event-columns.tsx'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { Card, Empty, NoAnswer, Note, PageHead, Skeleton } from '../../ui/parts.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { EndpointCharts } from '../analytics/endpoint-charts.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { useEventTypeNames } from './event-type-names.ts'
import { Versions } from './versions.tsx'

const FilterTab = lazy(async () => ({ default: (await import('./filter.tsx')).FilterTab }))
const TransformationTab = lazy(async () => ({
  default: (await import('./transformation.tsx')).TransformationTab,
}))

const LIVE_MS = 3_000

export function Endpoint() {
  const { id } = useParams({ strict: false }) as { id: string }
  const [{ tab = 'events' }] = useUrlState()
  const query = useQuery({
    queryKey: ['endpoints', id],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/v1/endpoints/{id}', { params: { path: { id } }, signal })),
    refetchInterval: LIVE_MS,
  })
  const back = { to: '/dashboard/endpoints', label: t('Endpoints') }
  const endpoint = query.data
  if (endpoint === undefined) {
    return (
      <>
        <PageHead title={t('Endpoint')} back={back} />
        <NoAnswer query={query} />
      </>
    )
  }
  return (
    <>
      <PageHead
        back={back}
        title={
          <span className="row">
            {endpointName(endpoint)} <Status of={endpointState(endpoint)} />
          </span>
        }
        about={<code className="wrap">{endpoint.url}</code>}
        actions={<EndpointActions endpoint={endpoint} />}
      />
      <Trouble endpoint={endpoint} />
      <Tabs
        label={t('Parts of the endpoint')}
        current={tab}
        tabs={[
          ['events', t('Events')],
          ['charts', t('Charts')],
          ['settings', t('Settings')],
          ['filter', t('Filter')],
          ['transformation', t('Transformation')],
          ['versions', t('Versions')],
        ]}
      />
      {tab === 'events' && <EndpointEvents id={id} />}
      {tab === 'charts' && <EndpointCharts id={id} />}
      {tab === 'settings' && <EndpointSettings endpoint={endpoint} />}
      <Suspense fallback={<Skeleton lines={6} />}>
        {tab === 'filter' && <FilterTab endpoint={endpoint} />}
        {tab === 'transformation' && <TransformationTab endpoint={endpoint} />}
      </Suspense>
      {tab === 'versions' && <Versions endpoint={endpoint} />}
    </>
  )
}

/** Why nothing arrives, when nothing does. */
function Trouble({
  endpoint: { status, circuitState, updatedAt },
}: {
  endpoint: Schemas['Endpoint']
}) {
  if (status === 'disabled') {
    return (
      <div className="stack tight" style={{ marginBottom: 16 }}>
        <Note icon={Ban} warning>
          {t('Disabled since')} <Time at={updatedAt} />.{' '}
          {t(
            'The receiver answered 410, which means that it wants nothing more. Enable it when that is mended.',
          )}
        </Note>
      </div>
    )
  }
  if (circuitState === 'closed') return null
  return (
    <div style={{ marginBottom: 16 }}>
      <Note icon={ZapOff} warning>
        {circuitState === 'open'
          ? t(
              'It failed too often in a row, so its circuit is open: deliveries wait, and one is tried from time to time.',
            )
          : t(
              'Its circuit is half-open: one delivery is being tried, and if that arrives, the others follow.',
            )}
      </Note>
    </div>
  )
}

function EndpointEvents({ id }: { id: string }) {
  const navigate = useNavigate()
  const list = usePages<Schemas['EventListItem']>(
    ['events', { endpointId: id }],
    (cursor, signal) =>
      answerOf(
        api.GET('/api/v1/events', {
          params: { query: { endpointId: id, limit: 100, ...(cursor && { cursor }) } },
          signal,
        }),
      ),
    LIVE_MS,
  )
  return (
    <RowList
      label={t('Events')}
      list={list}
      columns={eventColumns()}
      onOpen={(row) => void navigate({ to: `/dashboard/events/${row.id}` })}
    >
      <Empty icon={Send} title={t('Nothing was sent here yet')}>
        {t('Send a test with the button above, or an event of a type that it subscribes to.')}
      </Empty>
    </RowList>
  )
}

function EndpointSettings({ endpoint }: { endpoint: Schemas['Endpoint'] }) {
  const client = useQueryClient()
  const names = useEventTypeNames()
  const off = useOff('endpoints:write')
  const path = { id: endpoint.id }
  return (
    <div className="cols">
      <Card>
        <div className="card-body">
          <EndpointForm
            key={endpoint.version}
            values={endpoint}
            eventTypes={names}
            action={t('Save')}
            isFull
            off={off}
            onSave={async (values) => {
              const body = changesOf(pick(endpoint), values)
              await answerOf(api.PATCH('/api/v1/endpoints/{id}', { params: { path }, body }))
              await client.invalidateQueries({ queryKey: ['endpoints'] })
              toast(t('Saved as a new version.'))
            }}
          />
        </div>
      </Card>
      <Card title={t('Facts')}>
        <div className="card-body">
          <dl className="facts">
            <dt>{t('Id')}</dt>
            <dd className="mono">{endpoint.id}</dd>
            <dt>{t('Secret')}</dt>
            <dd>
              {endpoint.signingSecretHint === null ? (
                t('that of the workspace')
              ) : (
                <code>…{endpoint.signingSecretHint}</code>
              )}
            </dd>
            <dt>{t('Version')}</dt>
            <dd>{endpoint.version}</dd>
            <dt>{t('Made')}</dt>
            <dd>
              <Time at={endpoint.createdAt} />
            </dd>
            <dt>{t('Changed')}</dt>
            <dd>
              <Time at={endpoint.updatedAt} />
            </dd>
          </dl>
        </div>
      </Card>
    </div>
  )
}

function pick({
  url,
  description,
  eventTypes,
  maxRetries,
  timeoutMs,
  rateLimitPerSec,
  fifo,
  deliveryMode,
}: Schemas['Endpoint']) {
  return {
    url,
    description,
    eventTypes,
    maxRetries,
    timeoutMs,
    rateLimitPerSec,
    fifo,
    deliveryMode,
  }
}
