/** The workspace's subscription, its use, the plans there are, and the invoices. */
import { answerOf, api } from '../../api/client.ts'

export type Overview = Awaited<ReturnType<typeof readOverview>>
export type Plan = Overview['plans'][number]

export function readOverview(signal: AbortSignal) {
  return answerOf(api.GET('/api/v1/billing/overview', { signal }))
}
