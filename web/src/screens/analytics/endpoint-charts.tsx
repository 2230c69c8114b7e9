/** The charts of one endpoint, on its page. */
import { AnalyticsCharts } from '../../analytics/analytics-charts.tsx'
import { workspaceSource } from '../../analytics/analytics-source.ts'
import { useOpenAttempts } from '../../analytics/open-attempts.ts'
import { RangeSelect, useRange } from '../../analytics/range-select.tsx'

export function EndpointCharts({ id }: { id: string }) {
  const [range, zoom] = useRange()
  const openAttempts = useOpenAttempts(id)
  return (
    <>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <RangeSelect />
      </form>
      <AnalyticsCharts
        source={workspaceSource}
        range={range}
        endpointId={id}
        onZoom={zoom}
        onOpen={openAttempts}
      />
    </>
  )
}
