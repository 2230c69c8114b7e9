/** The way from a bucket of a chart to the attempts that it counts. */
import { useNavigate } from '@tanstack/react-router'
import type { ChartSpan } from '../charts/chart-model.ts'

export function useOpenAttempts(endpointId: string | undefined): (span: ChartSpan) => void {
  const navigate = useNavigate()
  return ({ from, to }) => {
    const [start, end] = [new Date(from).toISOString(), new Date(to).toISOString()]
    const search = { start, end, ...(endpointId && { endpointId }) }
    void navigate({ to: '/dashboard/deliveries', search: search as never })
  }
}
