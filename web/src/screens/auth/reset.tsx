/** A forgotten password: a mail first, then, by its link, a new one. */
import { KeyRound, Mail } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { t } from '../../texts/t.ts'
import { problemOf, TextField } from '../../ui/form.tsx'
import { Button, ErrorNote, Note } from '../../ui/parts.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { AuthPage } from './auth-page.tsx'
import { useForm } from './form-state.ts'

export function Reset() {
  const [{ token }] = useUrlState()
  return token === undefined ? <AskForMail /> : <NewPassword token={token} />
}

function AskForMail() {
  const [isSent, setSent] = useState(false)
  const form = useForm(async ({ email = '' }) => {
    await answerOf(api.POST('/auth/forgot-password', { body: { email } }))
    setSent(true)
  })
  return (
    <AuthPage
      title={t('Forgot the password?')}
      about={<a href="/login">{t('Back to signing in')}</a>}
    >
      {isSent ? (
        <Note icon={Mail}>
          {t('If somebody here has this address, a mail with a link is on its way.')}
        </Note>
      ) : (
        <form className="stack" onSubmit={form.onSubmit}>
          <TextField
            label={t('E-mail')}
            name="email"
            type="email"
            autoComplete="username"
            required
            autoFocus
          />
          {form.error !== null && <ErrorNote error={form.error} />}
          <Button
            type="submit"
            look="main"
            size="wide"
            off={form.isBusy ? t('One moment …') : undefined}
          >
            {t('Send a link')}
          </Button>
        </form>
      )}
    </AuthPage>
  )
}

function NewPassword({ token }: { token: string }) {
  const [isDone, setDone] = useState(false)
  const form = useForm(async ({ newPassword = '' }) => {
    await answerOf(api.POST('/auth/reset-password', { body: { token, newPassword } }))
    setDone(true)
  })
  return (
    <AuthPage title={t('A new password')} about={t('Every session of yours ends.')}>
      {isDone ? (
        <>
          <Note icon={KeyRound}>{t('The password is changed.')}</Note>
          <a className="button main wide" href="/login">
            {t('Sign in')}
          </a>
        </>
      ) : (
        <form className="stack" onSubmit={form.onSubmit}>
          <TextField
            label={t('New password')}
            name="newPassword"
            type="password"
            autoComplete="new-password"
            minLength={10}
            maxLength={128}
            required
            autoFocus
            problem={problemOf(form.error, 'newPassword')}
          />
          {form.error !== null && <ErrorNote error={form.error} />}
          <Button
            type="submit"
            look="main"
            size="wide"
            off={form.isBusy ? t('One moment …') : undefined}
          >
            {t('Set it')}
          </Button>
        </form>
      )}
    </AuthPage>
  )
}
