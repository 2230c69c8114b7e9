/** Writes the stations of a job into the log of sign-ins, where `metadata.job_id` names the job. */
import type { SubjectJobKind } from '@posthorn/contracts/compliance'
import { newId } from '@posthorn/domain/ids'
import type { TransactionClient } from '@posthorn/store/transaction'

export interface JobEvent {
  tenantId: string
  jobId: string
  kind: SubjectJobKind
  station: 'queued' | 'completed' | 'failed'
  /** Who asked for it. */
  userId: string | null
  /** The address that the job is about; of a workspace's deletion that of who asked for it. */
  subject: string | null
  ip: string | null
  userAgent: string | null
}

export async function recordJobEvent(client: TransactionClient, event: JobEvent): Promise<void> {
  const { tenantId, jobId, kind, station, userId, subject, ip, userAgent } = event
  await client.query(
    `INSERT INTO auth_audit_logs (id, tenant_id, event, user_id, subject, ip, user_agent, metadata)
     VALUES ($1, $2, $3, $4, $5, $6, $7, jsonb_build_object('job_id', $8::text))`,
    [newId(), tenantId, `gdpr.${kind}.${station}`, userId, subject, ip, userAgent, jobId],
  )
}
