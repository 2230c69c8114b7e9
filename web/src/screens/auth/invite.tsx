/** Joining a workspace by the link of an invitation. */
import { useQuery } from '@tanstack/react-query'
import { MailX } from 'lucide-react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { t } from '../../texts/t.ts'
import { problemOf, TextField } from '../../ui/form.tsx'
import { Button, ErrorNote, Note, Skeleton } from '../../ui/parts.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { AuthPage } from './auth-page.tsx'
import { useForm } from './form-state.ts'

export function Invite() {
  const [{ token = '' }] = useUrlState()
  const status = useQuery({
    queryKey: ['invite', token],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/auth/invite-status', { params: { query: { token } }, signal })),
  })
  if (status.isPending) {
    return (
      <AuthPage title={t('Your invitation')}>
        <Skeleton lines={3} />
      </AuthPage>
    )
  }
  if (status.data === undefined) {
    return (
      <AuthPage title={t('Your invitation')}>
        <ErrorNote error={status.error} />
      </AuthPage>
    )
  }
  if (status.data.status !== 'pending') return <Spent status={status.data.status} />
  return <Accept invitation={status.data} token={token} />
}

function Spent({ status }: { status: string }) {
  const texts: Readonly<Record<string, string>> = {
    accepted: t('This invitation was accepted already. Sign in instead.'),
    expired: t('This invitation is too old. Ask for a new one.'),
    revoked: t('This invitation was taken back.'),
  }
  return (
    <AuthPage title={t('Your invitation')}>
      <Note icon={MailX}>{texts[status] ?? status}</Note>
      <a className="button main wide" href="/login">
        {t('Sign in')}
      </a>
    </AuthPage>
  )
}

function Accept({ invitation, token }: { invitation: Schemas['InviteStatus']; token: string }) {
  const { email, clientName, role, existingUser } = invitation
  const form = useForm(async ({ name = '', password = '' }) => {
    const body = existingUser
      ? { token, password }
      : { token, password, ...(name === '' ? {} : { name }) }
    const answer = await answerOf(api.POST('/auth/accept-invite', { body }))
    location.assign(
      answer !== undefined && 'mfaRequired' in answer ? '/login?mfa=required' : '/dashboard',
    )
  })
  return (
    <AuthPage
      title={t('Join {name}', { name: clientName })}
      about={t('{email} is invited as {role}.', { email, role })}
    >
      <form className="stack" onSubmit={form.onSubmit}>
        {!existingUser && (
          <TextField
            label={t('Your name')}
            name="name"
            autoComplete="name"
            autoFocus
            problem={problemOf(form.error, 'name')}
          />
        )}
        <TextField
          label={existingUser ? t('Your password here') : t('Choose a password')}
          name="password"
          type="password"
          autoComplete={existingUser ? 'current-password' : 'new-password'}
          required
          minLength={existingUser ? 1 : 10}
          maxLength={128}
          problem={problemOf(form.error, 'password')}
        />
        {form.error !== null && <ErrorNote error={form.error} />}
        <Button
          type="submit"
          look="main"
          size="wide"
          off={form.isBusy ? t('One moment …') : undefined}
        >
          {t('Join')}
        </Button>
      </form>
    </AuthPage>
  )
}
