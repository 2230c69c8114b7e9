/** Bodies and answers of bulk replays. */
import { z } from 'zod'
import { Timestamp } from './fields.ts'

/** An event with status `failed` waits for its next attempt. */
export const REPLAYED_STATUSES = ['dead', 'failed'] as const
const ReplayedStatus = z.enum(REPLAYED_STATUSES)

export const CreateReplay = z
  .strictObject({
    since: Timestamp,
    until: Timestamp.optional(),
    status: z.union([ReplayedStatus, z.array(ReplayedStatus).min(1).max(10)]).optional(),
  })
  .superRefine(({ since, until }, context) => {
    if (until === undefined || Date.parse(until) >= Date.parse(since)) return
    context.addIssue({ code: 'custom', message: 'must not be before since', path: ['until'] })
  })
export type CreateReplay = z.infer<typeof CreateReplay>

export const Replay = z.object({
  id: z.string(),
  endpointId: z.string(),
  status: z.enum(['running', 'done']),
  total: z.number().int().describe('as found at the start; once done, what was queued again'),
  done: z.number().int(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
})
export type Replay = z.infer<typeof Replay>
