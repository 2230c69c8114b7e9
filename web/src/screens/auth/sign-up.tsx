/** Making a workspace, and proving an address by the link of a mail. */
import { Mail } from 'lucide-react'
import { useEffect, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { t } from '../../texts/t.ts'
import { problemOf, TextField } from '../../ui/form.tsx'
import { Button, ErrorNote, Note, Skeleton } from '../../ui/parts.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { AuthPage } from './auth-page.tsx'
import { useForm } from './form-state.ts'

export function SignUp() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useForm(async ({ email = '', password = '', companyName = '' }) => {
    await answerOf(api.POST('/auth/signup', { body: { email, password, companyName } }))
    setSentTo(email)
  })
  if (sentTo !== null) return <MailSent to={sentTo} />
  return (
    <AuthPage
      title={t('Make a workspace')}
      about={
        <>
          {t('Have one already?')} <a href="/login">{t('Sign in')}</a>
        </>
      }
    >
      <form className="stack" onSubmit={form.onSubmit}>
        <TextField
          label={t('Company')}
          name="companyName"
          autoComplete="organization"
          required
          autoFocus
          problem={problemOf(form.error, 'companyName')}
        />
        <TextField
          label={t('E-mail')}
          name="email"
          type="email"
          autoComplete="username"
          required
          problem={problemOf(form.error, 'email')}
        />
        <TextField
          label={t('Password')}
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          maxLength={128}
          hint={t('10 characters or more; a sentence is easy to keep in mind.')}
          problem={problemOf(form.error, 'password')}
        />
        {form.error !== null && <ErrorNote error={form.error} />}
        <Button
          type="submit"
          look="main"
          size="wide"
          off={form.isBusy ? t('One moment …') : undefined}
        >
          {t('Make the workspace')}
        </Button>
      </form>
    </AuthPage>
  )
}

function MailSent({ to }: { to: string }) {
  const form = useForm(() =>
    answerOf(api.POST('/auth/resend-verification', { body: { email: to } })),
  )
  return (
    <AuthPage title={t('Look at your mails')}>
      <Note icon={Mail}>
        {t('We sent a link to {email}. It proves the address. You can sign in already.', {
          email: to,
        })}
      </Note>
      {form.error !== null && <ErrorNote error={form.error} />}
      <a className="button main wide" href="/login">
        {t('Sign in')}
      </a>
      <form onSubmit={form.onSubmit}>
        <Button type="submit" size="wide" off={form.isBusy ? t('One moment …') : undefined}>
          {t('Send it again')}
        </Button>
      </form>
    </AuthPage>
  )
}

export function Verify() {
  const [{ token }] = useUrlState()
  const [email, setEmail] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    if (token === undefined) return
    answerOf(api.POST('/auth/verify-email', { body: { token } })).then(
      (answer) => setEmail(answer?.email ?? ''),
      setError,
    )
  }, [token])
  return (
    <AuthPage title={t('Your e-mail address')}>
      {error !== null && <ErrorNote error={error} />}
      {token === undefined && (
        <Note icon={Mail}>{t('The link of the mail was not complete. Open it again.')}</Note>
      )}
      {token !== undefined && error === null && email === null && <Skeleton lines={2} />}
      {email !== null && <Note icon={Mail}>{t('{email} is verified.', { email })}</Note>}
      <a className="button main wide" href="/dashboard">
        {t('To the dashboard')}
      </a>
    </AuthPage>
  )
}
