/** A job for a data subject as it is stored, and as the API shows it. */
import type { SubjectJob, SubjectJobKind } from '@posthorn/contracts/compliance'
import { API } from '@posthorn/contracts/route'
import { type Seal, sealedAt, type SealedPlace } from '@posthorn/store/seal'

/** For so long the document of an export can be downloaded. */
export const EXPORT_DAYS = 30
const DAY_MS = 86_400_000

export interface SubjectJobRow {
  id: string
  tenantId: string
  kind: SubjectJobKind
  /** Sealed. */
  subjectEmail: string | null
  status: SubjectJob['status']
  done: number
  total: number | null
  error: string | null
  createdAt: Date
  completedAt: Date | null
  /** Its document is still there. */
  hasDocument: boolean
}

/** Columns of `subject_jobs j`. */
export const JOB_COLUMNS = `j.id, j.tenant_id AS "tenantId", j.kind,
  j.subject_email AS "subjectEmail", j.status, j.done::float8 AS done, j.total::float8 AS total,
  j.error, j.created_at AS "createdAt", j.completed_at AS "completedAt",
  j.kind = 'export' AND j.status = 'completed' AND EXISTS (
    SELECT FROM subject_export_pieces p WHERE p.tenant_id = j.tenant_id AND p.job_id = j.id
  ) AS "hasDocument"`

/** Where the address of a job is sealed. */
export function placeOf({ tenantId, id }: Pick<SubjectJobRow, 'tenantId' | 'id'>): SealedPlace {
  return sealedAt('subject_jobs.subject_email', tenantId, id)
}

/** @param now epoch ms */
export function isDownloadable(row: SubjectJobRow, now: number): boolean {
  const { hasDocument, completedAt } = row
  return hasDocument && completedAt !== null && completedAt.getTime() > now - EXPORT_DAYS * DAY_MS
}

/** @param now epoch ms */
export function toSubjectJob(
  row: SubjectJobRow,
  seal: Pick<Seal, 'open'>,
  now: number,
): SubjectJob {
  const { id, kind, status, done, total, error, createdAt, completedAt, subjectEmail } = row
  return {
    id,
    kind,
    subjectEmail: subjectEmail === null ? null : seal.open(subjectEmail, placeOf(row)),
    status,
    progress: { done, total: total === null ? null : Math.max(total, done) },
    error,
    createdAt: createdAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
    downloadUrl: isDownloadable(row, now) ? `${API}/gdpr/jobs/${id}/download` : null,
    notes: [...NOTES[kind]],
  }
}

const OUT_OF_REACH = [
  'messages on Kafka that stay there until their own retention removes them',
  "objects that were delivered into the customer's own storage, and what endpoints have received",
]

const NOTES: Record<SubjectJobKind, readonly string[]> = {
  export: ['what is encoded otherwise than in JSON or percent-encoding (base64, say) is not found'],
  erasure: [...OUT_OF_REACH, 'sign-ins, and the user record of a member: remove it from the team'],
  workspace_deletion: OUT_OF_REACH,
}
