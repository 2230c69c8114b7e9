/** Projects: parts of a workspace whose endpoints and events know nothing of each other. */
import { useQueryClient } from '@tanstack/react-query'
import { Boxes, Pencil, Plus } from 'lucide-react'
import { answerOf, api, type Schemas } from '../api/client.ts'
import { usePages } from '../api/queries.ts'
import { projectEventCurl } from '../events/curl.ts'
import { useOff } from '../session.tsx'
import { t } from '../texts/t.ts'
import { DeleteButton } from '../ui/delete-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { problemOf, SelectField, TextField } from '../ui/form.tsx'
import { Button, Card, Code, CopyButton, ErrorNote, PageHead, Skeleton } from '../ui/parts.tsx'
import { Time } from '../ui/time.tsx'
import { toast } from '../ui/toast.tsx'
import { useUrlState } from '../ui/url-state.ts'
import { useForm } from './auth/form-state.ts'

type Project = Schemas['Project']
type Environment = Project['environment']

function environments(): [Environment, string][] {
  return [
    ['production', t('Production')],
    ['staging', t('Staging')],
    ['development', t('Development')],
  ]
}

export function Projects() {
  const [{ open }, change] = useUrlState()
  const off = useOff('projects:write')
  const list = usePages<Project>(['projects'], (cursor, signal) =>
    answerOf(
      api.GET('/api/v1/projects', {
        params: { query: { limit: 100, ...(cursor && { cursor }) } },
        signal,
      }),
    ),
  )
  const opened = open === 'new' ? null : list.rows.find(({ id }) => id === open)
  const first = list.rows.find(({ isDefault }) => !isDefault) ?? list.rows[0]
  return (
    <>
      <PageHead
        title={t('Projects')}
        about={t('Apart from each other: an event of one never goes to an endpoint of another.')}
        actions={
          <Button look="main" off={off} onClick={() => change({ open: 'new' })}>
            <Plus size={14} aria-hidden /> {t('New project')}
          </Button>
        }
      />
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={4} />}
      {list.data && (
        <div className="stack">
          <Card>
            <ul className="list">
              {list.rows.map((project) => (
                <Entry
                  key={project.id}
                  project={project}
                  off={off}
                  onEdit={() => change({ open: project.id })}
                />
              ))}
            </ul>
          </Card>
          <Card title={t('How to use one')}>
            <div className="card-body stack tight">
              <p className="muted">
                {t(
                  'A request with its id in X-Project-ID acts in that project, and one without it in the default project.',
                )}
              </p>
              {first && <Code text={projectEventCurl(first.id)} label={t('Command')} />}
            </div>
          </Card>
        </div>
      )}
      {opened !== undefined && (
        <ProjectDialog project={opened} off={off} onClose={() => change({ open: '' })} />
      )}
    </>
  )
}

interface EntryProps {
  project: Project
  off: string | undefined
  onEdit: () => void
}

function Entry({ project, off, onEdit }: EntryProps) {
  const client = useQueryClient()
  const { id, name, environment, isDefault, createdAt } = project
  const word = environments().find(([value]) => value === environment)?.[1] ?? environment
  return (
    <li>
      <Boxes size={16} className="muted" aria-hidden />
      <span className="grow">
        <span className="row">
          <span className="strong wrap">{name}</span>
          <span className={`pill ${environment}`}>{word}</span>
          {isDefault && <span className="pill">{t('default')}</span>}
        </span>
        <span className="row tight small muted">
          <code className="small wrap">{id}</code> · {t('made')} <Time at={createdAt} relative />
        </span>
      </span>
      <span className="row tight">
        <CopyButton text={id} label={t('Copy the id')} />
        <Button size="small" off={off} aria-label={t('Edit {name}', { name })} onClick={onEdit}>
          <Pencil size={14} aria-hidden /> {t('Edit')}
        </Button>
        <DeleteButton
          size="small"
          name={name}
          off={off ?? (isDefault ? t('The default project stays.') : undefined)}
          onDelete={async () => {
            await answerOf(api.DELETE('/api/v1/projects/{id}', { params: { path: { id } } }))
            await client.invalidateQueries({ queryKey: ['projects'] })
          }}
        >
          {t('Only a project without endpoints can be deleted. Its events stay readable.')}
        </DeleteButton>
      </span>
    </li>
  )
}

interface ProjectDialogProps {
  project: Project | null
  off: string | undefined
  onClose: () => void
}

function ProjectDialog({ project, off, onClose }: ProjectDialogProps) {
  const client = useQueryClient()
  const form = useForm(async (fields) => {
    const body = {
      name: fields['name'] ?? '',
      environment: fields['environment'] as Environment,
    }
    await answerOf(
      project === null
        ? api.POST('/api/v1/projects', { body })
        : api.PATCH('/api/v1/projects/{id}', { params: { path: { id: project.id } }, body }),
    )
    await client.invalidateQueries({ queryKey: ['projects'] })
    toast(t('Saved.'))
    onClose()
  })
  return (
    <Dialog title={project === null ? t('New project') : project.name} onClose={onClose}>
      <form className="stack" onSubmit={form.onSubmit}>
        <TextField
          label={t('Name')}
          name="name"
          required
          autoFocus
          maxLength={100}
          defaultValue={project?.name ?? ''}
          problem={problemOf(form.error, 'name')}
        />
        <SelectField
          label={t('Environment')}
          name="environment"
          defaultValue={project?.environment ?? 'staging'}
          options={environments()}
        />
        {form.error !== null && <ErrorNote error={form.error} />}
        <div className="modal-foot">
          <Button
            type="submit"
            look="main"
            off={off ?? (form.isBusy ? t('One moment …') : undefined)}
          >
            {t('Save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
