/** What a person's address finds: an export of it, or its erasure, as jobs with their progress. */
import { useQueryClient } from '@tanstack/react-query'
import { Download, Eraser, FileSearch, UserSearch } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { problemOf, TextField } from '../../ui/form.tsx'
import { Button, Card, Empty, ErrorNote, Skeleton } from '../../ui/parts.tsx'
import { Status } from '../../ui/status.tsx'
import { count, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { useForm } from '../auth/form-state.ts'

type Job = Schemas['ListSubjectJobsAnswer']['data'][number]
const LIVE_MS = 2_000

export function SubjectJobs() {
  const off = useOff('account:write')
  const list = usePages<Job>(
    ['subject-jobs'],
    (cursor, signal) =>
      answerOf(
        api.GET('/api/v1/gdpr/jobs', {
          params: { query: { limit: 50, ...(cursor && { cursor }) } },
          signal,
        }),
      ),
    LIVE_MS,
  )
  return (
    <div className="stack">
      <Request off={off} />
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={4} />}
      {list.data && (
        <Card title={t('Jobs')}>
          {list.rows.length === 0 && (
            <Empty icon={UserSearch} title={t('No jobs yet')} command={exportCurl()}>
              {t(
                'A job looks through events, attempts and logs for the address, of sub-accounts too.',
              )}
            </Empty>
          )}
          <ul className="list">
            {list.rows.map((job) => (
              <JobEntry key={job.id} job={job} off={off} />
            ))}
          </ul>
          {list.onEnd && (
            <div className="card-body">
              <Button onClick={list.onEnd}>{t('More')}</Button>
            </div>
          )}
        </Card>
      )}
    </div>
  )
}

/** A session's cookie is needed: API keys may not ask for people's data. */
function exportCurl(): string {
  return [
    `curl -b jar -X POST ${location.origin}/api/v1/gdpr/data-export`,
    `-H 'Content-Type: application/json'`,
    `-d '{"email":"ann@example.com"}'`,
  ].join(' \\\n  ')
}

function Request({ off }: { off: string | undefined }) {
  const client = useQueryClient()
  const [erased, setErased] = useState<string | null>(null)
  const form = useForm(async ({ email = '' }) => {
    await answerOf(api.POST('/api/v1/gdpr/data-export', { body: { email } as never }))
    await client.invalidateQueries({ queryKey: ['subject-jobs'] })
    toast(t('The export is being made; it shows below.'))
  })
  return (
    <Card title={t('A person asks')}>
      <form
        className="card-body stack"
        onSubmit={(event) => {
          const { submitter } = event.nativeEvent as SubmitEvent
          if (submitter?.getAttribute('value') === 'erase') {
            event.preventDefault()
            const email = new FormData(event.currentTarget).get('email')
            if (off === undefined && typeof email === 'string') setErased(email.trim())
          } else if (off === undefined) form.onSubmit(event)
          else event.preventDefault()
        }}
      >
        <TextField
          label={t('Their e-mail address')}
          name="email"
          type="email"
          required
          autoComplete="off"
          placeholder="ann@example.com"
          problem={problemOf(form.error, 'email')}
          hint={t(
            'Only the whole address counts, in any case, as it is or encoded in JSON or URLs.',
          )}
        />
        {form.error !== null && <ErrorNote error={form.error} />}
        <div className="row">
          <Button
            type="submit"
            look="main"
            off={off ?? (form.isBusy ? t('One moment …') : undefined)}
          >
            <FileSearch size={14} aria-hidden /> {t('Export what refers to them')}
          </Button>
          <Button type="submit" value="erase" look="danger" off={off}>
            <Eraser size={14} aria-hidden /> {t('Erase it …')}
          </Button>
        </div>
      </form>
      {erased !== null && (
        <Confirm
          title={t('Erase what refers to {email}?', { email: erased })}
          action={t('Erase it for good')}
          onClose={() => setErased(null)}
          onConfirm={async () => {
            const body = { email: erased } as never
            await answerOf(api.POST('/api/v1/gdpr/data-erasure', { body }))
            await client.invalidateQueries({ queryKey: ['subject-jobs'] })
          }}
        >
          {t(
            'Events that wait end dead, payloads and bodies are blanked, rows of the audit log go. It can’t be undone.',
          )}
        </Confirm>
      )}
    </Card>
  )
}

function kindText(kind: Job['kind']): string {
  if (kind === 'export') return t('Export')
  return kind === 'erasure' ? t('Erasure') : t('Deletion of the workspace')
}

function JobEntry({ job, off }: { job: Job; off: string | undefined }) {
  const { kind, subjectEmail, status, progress, error, downloadUrl, notes } = job
  const { done, total } = progress
  return (
    <li>
      <div className="grow">
        <p>
          <span className="strong">{kindText(kind)}</span>{' '}
          {subjectEmail !== null && <span className="mono">{subjectEmail}</span>}
        </p>
        <p className="small muted">
          <Time at={job.createdAt} />
          {job.completedAt !== null && (
            <>
              {' – '}
              <Time at={job.completedAt} />
            </>
          )}
          {' · '}
          {total === null
            ? t('{done} rows looked at', { done: count(done) })
            : t('{done} of {total}', { done: count(done), total: count(total) })}
        </p>
        {status === 'running' && total !== null && total > 0 && (
          <progress value={done} max={total} aria-label={kindText(kind)} />
        )}
        {error !== null && <p className="problem">{error}</p>}
        {notes.length > 0 && (
          <details>
            <summary className="small">{t('What it does not reach')}</summary>
            <ul className="notes small">
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <Status of={status === 'failed' ? 'failed_job' : status} />
      {downloadUrl !== null && off === undefined && (
        <a className="button small" href={downloadUrl} download>
          <Download size={14} aria-hidden /> {t('Download')}
        </a>
      )}
    </li>
  )
}
