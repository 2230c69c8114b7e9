/** Schemas of entitlements and usage, and what a tenant over its quota is told. */
import { FEATURES, type Feature, PLAN_NAMES } from '@posthorn/domain/plans'
import { z } from 'zod'
import { queryInteger } from './fields.ts'

const limit = z.number().int().describe('0: no limit')
const days = z.number().int().describe('in days; 0: for ever')

const features = Object.fromEntries(FEATURES.map((name) => [name, z.boolean()])) as Record<
  Feature,
  z.ZodBoolean
>

export const Entitlements = z.object({
  plan: z.enum(PLAN_NAMES),
  limits: z.object({
    eventsPerMonth: limit,
    requestsPerSecond: limit.describe('over all API keys and sessions together; 0: no limit'),
    endpoints: limit,
    endpointRatePerSec: limit.describe('the largest `rateLimitPerSec`; 0: no limit'),
    retentionDays: z.object({ events: days, attempts: days, auditLogs: days, authAudit: days }),
  }),
  features: z.object(features),
})
export type Entitlements = z.infer<typeof Entitlements>

export const CurrentUsage = z.object({
  period: z.object({ start: z.string(), end: z.string() }),
  events: z.number().int().describe('accepted in the period; at most two seconds old'),
  limit,
  remaining: z.number().int().nullable().describe('null: no limit'),
  resetsAt: z.string(),
})
export type CurrentUsage = z.infer<typeof CurrentUsage>

export const MAX_HISTORY_MONTHS = 24

export const UsageHistoryQuery = z.object({
  months: queryInteger(1, MAX_HISTORY_MONTHS, 12),
})
export type UsageHistoryQuery = z.infer<typeof UsageHistoryQuery>

export const UsageHistory = z.object({
  data: z.array(
    z.object({
      month: z.string().describe('in UTC, as 2026-11'),
      events: z.number().int(),
      attempts: z.number().int(),
    }),
  ),
})
export type UsageHistory = z.infer<typeof UsageHistory>

export function quotaMessage(used: { limit: number; resetsAt: string }): string {
  return `the month's quota of ${used.limit} events does not allow this; it begins anew at ${used.resetsAt}`
}
