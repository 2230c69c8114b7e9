/** The charts of the portal, which come when they are looked at. */
import { lazy } from 'react'

export const PortalCharts = lazy(async () => ({
  default: (await import('./portal-charts.tsx')).PortalCharts,
}))
