/** How each endpoint does over a range, the worst first. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Webhook } from 'lucide-react'
import type { AnalyticsRange } from '../../analytics/analytics-range.ts'
import type { EndpointHealth as Health } from '../../analytics/analytics-source.ts'
import { percent } from '../../analytics/figures.tsx'
import { answerOf, api } from '../../api/client.ts'
import { stateColumn } from '../../endpoints/endpoint-columns.tsx'
import { t } from '../../texts/t.ts'
import { type Column, Grid } from '../../ui/grid.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/parts.tsx'
import { atMost, milliseconds, Time } from '../../ui/time.tsx'

type Row = Health & { id: string }
const LIVE_MS = 15_000

export function useEndpointHealth(range: AnalyticsRange) {
  return useQuery({
    queryKey: ['analytics', 'health', range],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/v1/analytics/endpoint-health', { params: { query: range }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: LIVE_MS,
  })
}

export function EndpointHealth({ range }: { range: AnalyticsRange }) {
  const navigate = useNavigate()
  const { data, error, refetch } = useEndpointHealth(range)
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={5} />
  const rows = data.data.map((health): Row => ({ ...health, id: health.endpointId }))
  return (
    <section className="stack tight" aria-label={t('Endpoints, the worst first')}>
      <h2>{t('Endpoints, the worst first')}</h2>
      {rows.length === 0 ? (
        <div className="card">
          <Empty icon={Webhook} title={t('No endpoints yet')}>
            {t('Each endpoint shows here with its rate, its latency and what waits for it.')}
          </Empty>
        </div>
      ) : (
        <Grid
          label={t('Endpoints, the worst first')}
          columns={columns()}
          rows={rows}
          onOpen={({ id }) =>
            void navigate({ to: `/dashboard/endpoints/${id}`, search: { tab: 'charts' } as never })
          }
        />
      )}
    </section>
  )
}

function columns(): Column<Row>[] {
  return [
    stateColumn(),
    {
      label: t('Endpoint'),
      width: 'minmax(120px, 2fr)',
      cell: ({ url }) =>
        url === null ? (
          <span className="muted">{t('polled, or storage')}</span>
        ) : (
          <span className="mono">{url}</span>
        ),
    },
    {
      label: t('Success'),
      width: '76px',
      cell: ({ deliveryRate }) => <Rate share={deliveryRate} />,
    },
    {
      label: t('p95'),
      width: '84px',
      broad: true,
      cell: ({ p95Ms }) => (p95Ms === null ? '–' : milliseconds(Math.round(p95Ms))),
    },
    {
      label: t('Waiting'),
      width: '84px',
      broad: true,
      cell: ({ waiting, capped }) => atMost(waiting, capped),
    },
    {
      label: t('Last failure'),
      width: '150px',
      broad: true,
      cell: ({ lastFailureAt }) =>
        lastFailureAt === null ? (
          <span className="muted">–</span>
        ) : (
          <Time at={lastFailureAt} relative />
        ),
    },
  ]
}

const GOOD = 99
const POOR = 90

export function Rate({ share }: { share: number | null }) {
  if (share === null) return <span className="muted">–</span>
  const kind = share >= GOOD ? 'delivered' : share >= POOR ? 'failed' : 'dead'
  return <span className={`strong ${kind}`}>{percent(share / 100)}</span>
}
