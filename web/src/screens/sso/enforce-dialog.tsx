/** Asks everybody of the domains to come by the provider; one admin keeps a password for accidents. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { answerOf, api } from '../../api/client.ts'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/form.tsx'
import { Button, ErrorNote, Note, Skeleton } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'
import { useForm } from '../auth/form-state.ts'
import type { Connection } from './read-connections.ts'

export function EnforceDialog({
  connection,
  onClose,
}: {
  connection: Connection
  onClose: () => void
}) {
  const client = useQueryClient()
  const { user } = useSession()
  const team = useQuery({
    queryKey: ['team', 'admins'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/v1/team', { params: { query: { limit: 100 } }, signal })),
  })
  const admins = (team.data?.data ?? []).filter(
    ({ role, status }) => role === 'admin' && status === 'active',
  )
  const form = useForm(async ({ admin = '' }) => {
    const body = { enforced: true, breakGlassUserId: admin }
    const params = { path: { id: connection.id } }
    await answerOf(api.PATCH('/api/v1/sso/connections/{id}', { params, body }))
    await client.invalidateQueries({ queryKey: ['sso', 'connections'] })
    toast(t('From now on only this connection lets people of its domains in.'))
    onClose()
  })
  const why =
    admins.length === 0 ? t('Invite an admin first: somebody must keep a password.') : undefined
  return (
    <Dialog title={t('Enforce {name}?', { name: connection.name })} onClose={onClose}>
      <form className="stack" onSubmit={form.onSubmit}>
        <Note icon={TriangleAlert} warning>
          {t('Try it in another browser first. Passwords of {domains} are refused from then on.', {
            domains: connection.domains.join(', ') || '–',
          })}
        </Note>
        {team.isPending && <Skeleton lines={1} />}
        {team.error && <ErrorNote error={team.error} />}
        {team.data && admins.length > 0 && (
          <SelectField
            label={t('Who may still use a password')}
            name="admin"
            defaultValue={admins.find(({ userId }) => userId === user?.id)?.userId}
            hint={t('One admin, for the day on which the provider does not answer.')}
            options={admins.map(({ userId, email }) => [userId, email] as const)}
          />
        )}
        {why && <p className="muted">{why}</p>}
        {form.error !== null && <ErrorNote error={form.error} />}
        <div className="modal-foot">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            look="danger"
            off={why ?? (form.isBusy ? t('One moment …') : undefined)}
          >
            {t('Enforce it')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
