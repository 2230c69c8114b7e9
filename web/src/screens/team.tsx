/** The members of the workspace, their roles, and invitations. */
import { useQueryClient } from '@tanstack/react-query'
import { Check, Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../api/client.ts'
import { usePages } from '../api/queries.ts'
import { useOff, useSession } from '../session.tsx'
import { t } from '../texts/t.ts'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { problemOf, Select, SelectField, TextField } from '../ui/form.tsx'
import { Button, Card, ErrorNote, PageHead, Skeleton } from '../ui/parts.tsx'
import { Status } from '../ui/status.tsx'
import { Time } from '../ui/time.tsx'
import { toast } from '../ui/toast.tsx'
import { useForm } from './auth/form-state.ts'

type Member = Schemas['TeamMember']
type Role = Member['role']

function roles(): [Role, string][] {
  return [
    ['viewer', t('viewer')],
    ['editor', t('editor')],
    ['admin', t('admin')],
  ]
}

export function Team() {
  const [isInviting, setInviting] = useState(false)
  const [removed, setRemoved] = useState<Member | null>(null)
  const client = useQueryClient()
  const off = useOff('team:write')
  const list = usePages<Member>(['team'], (cursor, signal) =>
    answerOf(
      api.GET('/api/v1/team', {
        params: { query: { limit: 100, ...(cursor && { cursor }) } },
        signal,
      }),
    ),
  )
  return (
    <>
      <PageHead
        title={t('Team')}
        about={t('Who works here, and what they may do.')}
        actions={
          <Button look="main" off={off} onClick={() => setInviting(true)}>
            <Plus size={14} aria-hidden /> {t('Invite')}
          </Button>
        }
      />
      <div className="stack">
        {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
        {list.isPending && <Skeleton lines={5} />}
        {list.data && (
          <Card>
            <ul className="list">
              {list.rows.map((member) => (
                <MemberEntry
                  key={member.userId}
                  member={member}
                  off={off}
                  onRemove={() => setRemoved(member)}
                />
              ))}
              {list.rows.length === 0 && (
                <li className="muted">
                  {t('Nobody yet: this workspace is used by API keys alone. Invite somebody.')}
                </li>
              )}
            </ul>
          </Card>
        )}
        <RoleMatrix />
      </div>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {removed !== null && (
        <Confirm
          title={t('Remove {email}?', { email: removed.email })}
          action={t('Remove')}
          onClose={() => setRemoved(null)}
          onConfirm={async () => {
            await answerOf(
              api.DELETE('/api/v1/team/{userId}', { params: { path: { userId: removed.userId } } }),
            )
            await client.invalidateQueries({ queryKey: ['team'] })
          }}
        >
          {t('Their sessions end, and the API keys that they made go on.')}
        </Confirm>
      )}
    </>
  )
}

function MemberEntry({
  member,
  off,
  onRemove,
}: {
  member: Member
  off: string | undefined
  onRemove: () => void
}) {
  const { user } = useSession()
  const client = useQueryClient()
  const { userId, email, name, role, status, lastLoginAt } = member
  async function change(next: string): Promise<void> {
    const call = api.PATCH('/api/v1/team/{userId}', {
      params: { path: { userId } },
      body: { role: next as Role },
    })
    await answerOf(call).then(
      () => toast(t('The role is changed.')),
      (error: Error) => toast(error.message),
    )
    await client.invalidateQueries({ queryKey: ['team'] })
  }
  return (
    <li>
      <span className="avatar" aria-hidden>
        {(name ?? email).slice(0, 1).toUpperCase()}
      </span>
      <span className="grow">
        <span className="strong wrap">{name ?? email}</span>{' '}
        {user?.id === userId && <span className="pill">{t('you')}</span>}
        <span className="small muted wrap" style={{ display: 'block' }}>
          {email}
          {lastLoginAt && (
            <>
              {' '}
              · {t('last here')} <Time at={lastLoginAt} relative />
            </>
          )}
        </span>
      </span>
      <Status of={status} />
      <Select
        aria-label={t('Role of {email}', { email })}
        value={role}
        disabled={off !== undefined}
        title={off}
        options={roles()}
        onChange={(event) => void change(event.target.value)}
      />
      <Button look="danger" size="small" off={off} onClick={onRemove}>
        {t('Remove')}
      </Button>
    </li>
  )
}

function InviteDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const form = useForm(async ({ email = '', role = 'viewer' }) => {
    await answerOf(api.POST('/api/v1/team/invite', { body: { email, role: role as Role } }))
    await client.invalidateQueries({ queryKey: ['team'] })
    toast(t('A mail with a link is on its way to {email}.', { email }))
    onClose()
  })
  return (
    <Dialog title={t('Invite somebody')} onClose={onClose}>
      <form className="stack" onSubmit={form.onSubmit}>
        <TextField
          label={t('E-mail')}
          name="email"
          type="email"
          required
          autoFocus
          problem={problemOf(form.error, 'email')}
        />
        <SelectField label={t('Role')} name="role" defaultValue="editor" options={roles()} />
        {form.error !== null && <ErrorNote error={form.error} />}
        <div className="modal-foot">
          <Button type="submit" look="main" off={form.isBusy ? t('One moment …') : undefined}>
            {t('Send the invitation')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function RoleMatrix() {
  const rows: [string, boolean, boolean, boolean][] = [
    [t('Read everything'), true, true, true],
    [
      t('Send and replay events, change endpoints, event types, inbound and alerts'),
      false,
      true,
      true,
    ],
    [t('Keys, team, projects, sub-accounts, billing, settings'), false, false, true],
  ]
  const mark = (may: boolean) =>
    may ? (
      <Check size={16} className="delivered" aria-label={t('yes')} />
    ) : (
      <Minus size={16} className="muted" aria-label={t('no')} />
    )
  return (
    <Card title={t('What roles may do')}>
      <div
        className="card-body"
        style={{ overflowX: 'auto' }}
        tabIndex={0}
        role="region"
        aria-label={t('What roles may do')}
      >
        <table className="matrix">
          <thead>
            <tr>
              <th scope="col">{t('Action')}</th>
              {roles().map(([role, label]) => (
                <th key={role} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([what, ...may]) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                {may.map((one, at) => (
                  <td key={roles()[at]?.[0]}>{mark(one)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
