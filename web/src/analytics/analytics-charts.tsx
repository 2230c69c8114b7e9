/** The charts of a workspace, a project, an endpoint or a sub-account over a range of time. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { useMemo } from 'react'
import { Chart } from '../charts/chart.tsx'
import type { ChartModel, ChartSpan } from '../charts/chart-model.ts'
import { firstEventCurl } from '../events/curl.ts'
import { t } from '../texts/t.ts'
import { Empty, ErrorNote, Skeleton } from '../ui/parts.tsx'
import type { AnalyticsRange } from './analytics-range.ts'
import type { AnalyticsSource } from './analytics-source.ts'
import { Figures } from './figures.tsx'
import {
  failuresModel,
  latencyModel,
  outcomesModel,
  summaryModel,
  sumOf,
  throughputModel,
} from './models.ts'

interface AnalyticsChartsProps {
  source: AnalyticsSource
  range: AnalyticsRange
  endpointId?: string | undefined
  onZoom: (span: ChartSpan) => void
  /** Shows the attempts of a bucket. */
  onOpen?: ((span: ChartSpan) => void) | undefined
  /** Tells how to get a first event in, where there is none. */
  canSend?: boolean
}

/** Numbers of a range that ends now are read again so often. */
const LIVE_MS = 15_000

export function AnalyticsCharts(props: AnalyticsChartsProps) {
  const { source, canSend = false } = props
  const summary = useSeries(props, 'summary', source.summary)
  if (summary.error) {
    return <ErrorNote error={summary.error} onRetry={() => void summary.refetch()} />
  }
  if (summary.data === undefined) return <Skeleton lines={12} />
  if (sumOf(summary.data.data.map(({ sent, attempts }) => sent + attempts)) === 0) {
    return (
      <div className="card">
        <Empty
          icon={ChartColumn}
          title={t('Nothing happened in this time')}
          {...(canSend && {
            command: firstEventCurl({ destination: `${location.origin}/receiver/demo` }),
          })}
        >
          {t('Choose a longer time, or send an event: it is counted within seconds.')}
        </Empty>
      </div>
    )
  }
  return (
    <div className="stack">
      <Figures {...props} summary={summary.data} />
      <div className="charts">
        <Series
          {...props}
          name="outcomes"
          title={t('Attempts')}
          about={t('By how they ended. Drag to zoom in.')}
          load={source.outcomes}
          toModel={outcomesModel}
        />
        <Series
          {...props}
          name="latency"
          title={t('Latency')}
          about={t('How long receivers took to answer.')}
          load={source.latency}
          toModel={latencyModel}
        />
        {source.failures && (
          <Series
            {...props}
            name="failures"
            title={t('Failures')}
            about={t('Failed attempts by what went wrong.')}
            load={source.failures}
            toModel={failuresModel}
          />
        )}
        <Series
          {...props}
          name="summary"
          title={t('Events')}
          about={t('What came in, and what became of it.')}
          load={source.summary}
          toModel={summaryModel}
        />
        {source.throughput && (
          <Series
            {...props}
            name="throughput"
            title={t('Throughput')}
            about={t('Events accepted a second, on average.')}
            load={source.throughput}
            toModel={throughputModel}
          />
        )}
      </div>
    </div>
  )
}

function useSeries<Body>(
  { source, range, endpointId }: Pick<AnalyticsChartsProps, 'source' | 'range' | 'endpointId'>,
  name: string,
  load: (query: AnalyticsRange & { endpointId?: string }, signal: AbortSignal) => Promise<Body>,
) {
  return useQuery({
    queryKey: [...source.key, name, range, endpointId],
    queryFn: ({ signal }) => load({ ...range, ...(endpointId && { endpointId }) }, signal),
    placeholderData: keepPreviousData,
    ...(range.to === undefined ? { refetchInterval: LIVE_MS } : {}),
  })
}

interface SeriesProps<Body> extends AnalyticsChartsProps {
  name: string
  title: string
  about: string
  load: (query: AnalyticsRange & { endpointId?: string }, signal: AbortSignal) => Promise<Body>
  toModel: (body: Body) => ChartModel
}

function Series<Body>(props: SeriesProps<Body>) {
  const { name, title, about, load, toModel, onZoom, onOpen } = props
  const { data, error, refetch } = useSeries(props, name, load)
  // The function that makes the model is of the module, and never another one.
  const model = useMemo(() => (data === undefined ? null : toModel(data)), [data])
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (model === null) return <Skeleton lines={6} />
  return <Chart title={title} about={about} model={model} onZoom={onZoom} onOpen={onOpen} />
}
