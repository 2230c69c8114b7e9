/** How deliveries went over time, by workspace, project and endpoint. */
import { useQuery } from '@tanstack/react-query'
import { AnalyticsCharts } from '../../analytics/analytics-charts.tsx'
import { workspaceSource } from '../../analytics/analytics-source.ts'
import { useOpenAttempts } from '../../analytics/open-attempts.ts'
import { RangeSelect, useRange } from '../../analytics/range-select.tsx'
import { answerOf, api } from '../../api/client.ts'
import { t } from '../../texts/t.ts'
import { Select } from '../../ui/form.tsx'
import { PageHead } from '../../ui/parts.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { useEndpointOptions } from '../endpoints/endpoint-options.ts'
import { EndpointHealth } from './endpoint-health.tsx'

export function Analytics() {
  const [{ project, endpointId }] = useUrlState()
  const [range, zoom] = useRange()
  const openAttempts = useOpenAttempts(endpointId)
  const source = workspaceSource(project)
  return (
    <>
      <PageHead title={t('Analytics')} about={t('How deliveries went, counted as they happen.')} />
      <Filters />
      <div className="stack">
        <AnalyticsCharts
          source={source}
          range={range}
          endpointId={endpointId}
          onZoom={zoom}
          onOpen={openAttempts}
          canSend
        />
        {endpointId === undefined && <EndpointHealth range={range} projectId={project} />}
      </div>
    </>
  )
}

function Filters() {
  const [{ project, endpointId }, change] = useUrlState()
  const endpoints = useEndpointOptions()
  const projects = useQuery({
    queryKey: ['projects', 'names'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/v1/projects', { params: { query: { limit: 100 } }, signal })),
  })
  const found = projects.data?.data ?? []
  return (
    <form className="filters" onSubmit={(event) => event.preventDefault()}>
      <RangeSelect />
      <Select
        aria-label={t('Endpoint')}
        value={endpointId ?? ''}
        onChange={(event) => change({ endpointId: event.target.value })}
        options={[['', t('All endpoints')], ...endpoints]}
      />
      {(found.length > 1 || project !== undefined) && (
        <Select
          aria-label={t('Project')}
          value={project ?? ''}
          onChange={(event) => change({ project: event.target.value })}
          options={[['', t('All projects')], ...found.map(({ id, name }) => [id, name] as const)]}
        />
      )}
    </form>
  )
}
