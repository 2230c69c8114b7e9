/** How deliveries to a sub-account went over time, all of them or one endpoint's. */
import { AnalyticsCharts } from '../analytics/analytics-charts.tsx'
import { portalSource } from '../analytics/analytics-source.ts'
import { RangeSelect, useRange } from '../analytics/range-select.tsx'
import { t } from '../texts/t.ts'
import { PageHead } from '../ui/parts.tsx'

export function PortalCharts({ endpointId }: { endpointId?: string }) {
  const [range, zoom] = useRange()
  return (
    <>
      {endpointId === undefined && (
        <PageHead title={t('Charts')} about={t('How your systems took what was sent.')} />
      )}
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <RangeSelect />
      </form>
      <AnalyticsCharts source={portalSource} range={range} endpointId={endpointId} onZoom={zoom} />
    </>
  )
}
