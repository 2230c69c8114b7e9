/** How deliveries went over time, of all endpoints or of one. */
import { AnalyticsCharts } from '../../analytics/analytics-charts.tsx'
import { workspaceSource } from '../../analytics/analytics-source.ts'
import { useOpenAttempts } from '../../analytics/open-attempts.ts'
import { RangeSelect, useRange } from '../../analytics/range-select.tsx'
import { t } from '../../texts/t.ts'
import { Select } from '../../ui/form.tsx'
import { PageHead } from '../../ui/parts.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { useEndpointOptions } from '../endpoints/endpoint-options.ts'
import { EndpointHealth } from './endpoint-health.tsx'

export function Analytics() {
  const [{ endpointId }] = useUrlState()
  const [range, zoom] = useRange()
  const openAttempts = useOpenAttempts(endpointId)
  return (
    <>
      <PageHead title={t('Analytics')} about={t('How deliveries went, counted as they happen.')} />
      <Filters />
      <div className="stack">
        <AnalyticsCharts
          source={workspaceSource}
          range={range}
          endpointId={endpointId}
          onZoom={zoom}
          onOpen={openAttempts}
          canSend
        />
        {endpointId === undefined && <EndpointHealth range={range} />}
      </div>
    </>
  )
}

function Filters() {
  const [{ endpointId }, change] = useUrlState()
  const endpoints = useEndpointOptions()
  return (
    <form className="filters" onSubmit={(event) => event.preventDefault()}>
      <RangeSelect />
      <Select
        aria-label={t('Endpoint')}
        value={endpointId ?? ''}
        onChange={(event) => change({ endpointId: event.target.value })}
        options={[['', t('All endpoints')], ...endpoints]}
      />
    </form>
  )
}
