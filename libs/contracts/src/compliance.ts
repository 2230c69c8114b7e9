/** Bodies and answers of retention, of jobs for data subjects, and of whole workspaces. */
import { MAX_RETENTION_DAYS } from '@posthorn/domain/retention'
import { z } from 'zod'
import { EmailAddress } from './email-address.ts'
import { PageQuery, pageOf } from './fields.ts'

const days = z.number().int().min(0).max(MAX_RETENTION_DAYS)
const ownDays = days.nullable().describe('null: as the plan says; 0: for ever')

const EffectiveRetention = z.object({
  eventDays: days,
  deliveryAttemptDays: days,
  auditLogDays: days,
  authAuditDays: days,
})
export type EffectiveRetention = z.infer<typeof EffectiveRetention>

export const Retention = z.object({
  eventDays: ownDays,
  deliveryAttemptDays: ownDays,
  auditLogDays: ownDays,
  authAuditDays: ownDays,
  effective: EffectiveRetention,
  planDefaults: EffectiveRetention,
})
export type Retention = z.infer<typeof Retention>

export const UpdateRetention = z
  .strictObject({
    eventDays: ownDays,
    deliveryAttemptDays: ownDays,
    auditLogDays: ownDays,
    authAuditDays: ownDays,
  })
  .partial()
export type UpdateRetention = z.infer<typeof UpdateRetention>

export const SubjectRequest = z
  .strictObject({
    email: EmailAddress.optional(),
    subjectEmail: EmailAddress.optional().describe('another name of email'),
  })
  .superRefine(({ email, subjectEmail }, context) => {
    if ((email === undefined) !== (subjectEmail === undefined)) return
    const message = 'must be given, either as email or as subjectEmail'
    context.addIssue({ code: 'custom', path: ['email'], message })
  })
  .meta({ oneOf: [{ required: ['email'] }, { required: ['subjectEmail'] }] })
export type SubjectRequest = z.infer<typeof SubjectRequest>

export const SUBJECT_JOB_KINDS = ['export', 'erasure', 'workspace_deletion'] as const
export type SubjectJobKind = (typeof SUBJECT_JOB_KINDS)[number]
export const SUBJECT_JOB_STATUSES = ['queued', 'running', 'completed', 'failed'] as const

export const SubjectJob = z.object({
  id: z.string(),
  kind: z.enum(SUBJECT_JOB_KINDS),
  subjectEmail: z.string().nullable(),
  status: z.enum(SUBJECT_JOB_STATUSES),
  progress: z.object({
    done: z.number().int(),
    total: z.number().int().nullable().describe('null: not yet counted'),
  }),
  error: z.string().nullable(),
  createdAt: z.string(),
  completedAt: z.string().nullable(),
  downloadUrl: z.string().nullable(),
  notes: z.array(z.string()).describe('what the job does not reach'),
})
export type SubjectJob = z.infer<typeof SubjectJob>
export const SubjectJobPage = pageOf(SubjectJob)
export const SubjectJobListQuery = PageQuery

const row = z.record(z.string(), z.unknown())

export const SubjectExport = z.object({
  schema_version: z.literal(1),
  client_id: z.string(),
  exported_at: z.string(),
  events: z.array(row),
  delivery_attempts: z.array(row),
  audit_logs: z.array(row),
})

export const WorkspaceExport = z.looseObject({
  schema_version: z.literal(1),
  client_id: z.string(),
  exported_at: z.string(),
})

export const DeleteWorkspace = z.strictObject({
  confirm: z.string().max(255).describe("the workspace's name"),
})
export type DeleteWorkspace = z.infer<typeof DeleteWorkspace>
