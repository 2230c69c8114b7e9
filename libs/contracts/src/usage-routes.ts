/** The routes that tell what a workspace's plan allows, and how much of it is used. */
import { may } from './access.ts'
import { API, entry } from './route.ts'
import * as usage from './usage.ts'

export const usageRoutes = {
  getEntitlements: entry({
    method: 'GET',
    path: `${API}/entitlements`,
    service: 'portal-api',
    access: may('account:read'),
    summary: 'What the plan of the workspace allows',
    status: 200,
    answer: usage.Entitlements,
  }),
  getCurrentUsage: entry({
    method: 'GET',
    path: `${API}/usage/current`,
    service: 'portal-api',
    access: may('account:read'),
    summary: 'The events of this month, and what is left of its quota',
    status: 200,
    answer: usage.CurrentUsage,
  }),
  getUsageHistory: entry({
    method: 'GET',
    path: `${API}/usage/history`,
    service: 'portal-api',
    access: may('account:read'),
    summary: 'The events and attempts of each month, newest first',
    status: 200,
    query: usage.UsageHistoryQuery,
    answer: usage.UsageHistory,
  }),
}
