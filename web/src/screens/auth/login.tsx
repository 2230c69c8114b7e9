/**
 * Signing in: password and second factor, a passkey, a provider, the company's single sign-on, which
 * is found by the address, or the one-time link that a start of the service prints.
 */
import { useQuery } from '@tanstack/react-query'
import { Fingerprint, LogIn } from 'lucide-react'
import { useEffect, useState } from 'react'
import { answerOf, api, isFailure } from '../../api/client.ts'
import { t } from '../../texts/t.ts'
import { TextField } from '../../ui/form.tsx'
import { Button, ErrorNote, Note, Skeleton } from '../../ui/parts.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { AuthPage } from './auth-page.tsx'
import { useForm } from './form-state.ts'
import { refusalText } from './refusal-text.ts'
import { signInWithPasskey } from './passkey.ts'

/** A path of this site, and of no other. */
function enter(to: string | undefined): void {
  const isOwn = to !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(to) && !to.startsWith('/login')
  location.assign(isOwn && to !== '/' ? to : '/dashboard')
}

export function Login() {
  const [{ return: to, error, mfa }] = useUrlState()
  const [link] = useState(() => new URLSearchParams(location.hash.slice(1)).get('link'))
  const [isSecond, setSecond] = useState(mfa === 'required')
  if (link !== null) return <LinkLogin token={link} />
  if (isSecond) return <SecondFactor onDone={() => enter(to)} onBack={() => setSecond(false)} />
  return (
    <AuthPage
      title={t('Sign in')}
      about={
        <>
          {t('New here?')} <a href="/signup">{t('Make a workspace')}</a>
        </>
      }
    >
      {error !== undefined && (
        <Note warning icon={LogIn}>
          {refusalText(error)}
        </Note>
      )}
      <PasswordLogin onSecond={() => setSecond(true)} onDone={() => enter(to)} />
      <OtherWays to={to} onSecond={() => setSecond(true)} onDone={() => enter(to)} />
    </AuthPage>
  )
}

interface LoginProps {
  onSecond: () => void
  onDone: () => void
}

function PasswordLogin({ onSecond, onDone }: LoginProps) {
  const [sso, setSso] = useState<string | null>(null)
  const form = useForm(async ({ email = '', password = '' }) => {
    const answer = await answerOf(api.POST('/auth/login', { body: { email, password } }))
    if (answer !== undefined && 'mfaRequired' in answer) onSecond()
    else onDone()
  })
  async function discover(email: string): Promise<void> {
    if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) return setSso(null)
    const { data } = await api.GET('/auth/sso/discover', { params: { query: { email } } })
    setSso(data?.redirectUrl ?? null)
  }
  return (
    <form className="stack" onSubmit={form.onSubmit}>
      <TextField
        label={t('E-mail')}
        name="email"
        type="email"
        autoComplete="username webauthn"
        required
        autoFocus
        onBlur={(event) => void discover(event.target.value)}
      />
      {sso !== null && (
        <Button look="main" size="wide" onClick={() => location.assign(sso)}>
          {t('Continue with your company’s sign-on')}
        </Button>
      )}
      <TextField
        label={t('Password')}
        name="password"
        type="password"
        autoComplete="current-password"
        required
      />
      {form.error !== null && <LoginProblem error={form.error} />}
      <Button
        type="submit"
        look={sso === null ? 'main' : undefined}
        size="wide"
        off={form.isBusy ? t('One moment …') : undefined}
      >
        {t('Sign in')}
      </Button>
      <a className="small" href="/reset">
        {t('Forgot the password?')}
      </a>
    </form>
  )
}

/** It does not tell whether anybody has the address. */
function LoginProblem({ error }: { error: unknown }) {
  if (isFailure(error) && error.code === 'UNAUTHORIZED') {
    return <Note icon={LogIn}>{t('The address or the password is not right.')}</Note>
  }
  return <ErrorNote error={error} />
}

function OtherWays({ to, onSecond, onDone }: LoginProps & { to: string | undefined }) {
  const providers = useQuery({
    queryKey: ['providers'],
    queryFn: ({ signal }) => answerOf(api.GET('/auth/providers', { signal })),
  })
  const form = useForm(() => Promise.resolve())
  return (
    <div className="stack">
      <div className="or">{t('or')}</div>
      {form.error !== null && <ErrorNote error={form.error} />}
      <Button
        size="wide"
        onClick={() =>
          void form.run(async () => ((await signInWithPasskey('login')) ? onDone() : onSecond()))
        }
      >
        <Fingerprint size={16} aria-hidden /> {t('Sign in with a passkey')}
      </Button>
      {providers.data?.providers.map(({ id, name, loginUrl }) => (
        <a
          key={id}
          className="button wide"
          href={to === undefined ? loginUrl : `${loginUrl}?return=${encodeURIComponent(to)}`}
        >
          {t('Continue with {name}', { name })}
        </a>
      ))}
    </div>
  )
}

function SecondFactor({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const [isRecovery, setRecovery] = useState(false)
  const form = useForm(async ({ code = '' }) => {
    const body = isRecovery ? { recoveryCode: code.trim() } : { code: code.replaceAll(/\s/g, '') }
    await answerOf(api.POST('/auth/mfa/verify', { body }))
    onDone()
  })
  return (
    <AuthPage
      title={t('Second factor')}
      about={
        isRecovery
          ? t('One of the codes that you kept when you set it up.')
          : t('The six digits that your authenticator app shows now.')
      }
    >
      <form className="stack" onSubmit={form.onSubmit}>
        <TextField
          key={String(isRecovery)}
          label={isRecovery ? t('Recovery code') : t('Code')}
          name="code"
          autoComplete="one-time-code"
          inputMode={isRecovery ? 'text' : 'numeric'}
          className="mono"
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
          {t('Go on')}
        </Button>
        <Button
          size="wide"
          onClick={() =>
            void form.run(async () => void ((await signInWithPasskey('mfa')) && onDone()))
          }
        >
          <Fingerprint size={16} aria-hidden /> {t('Use a passkey instead')}
        </Button>
        <div className="row apart">
          <Button look="plain" size="small" onClick={onBack}>
            {t('Back')}
          </Button>
          <Button look="plain" size="small" onClick={() => setRecovery(!isRecovery)}>
            {isRecovery ? t('Use the app’s code') : t('Use a recovery code')}
          </Button>
        </div>
      </form>
    </AuthPage>
  )
}

/** The token leaves the address bar before it is sent. */
function LinkLogin({ token }: { token: string }) {
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    history.replaceState(null, '', '/login')
    answerOf(api.POST('/auth/session-link', { body: { token } })).then(
      () => enter(undefined),
      setError,
    )
  }, [token])
  return (
    <AuthPage title={t('Signing you in')}>
      {error === null ? <Skeleton lines={2} /> : <ErrorNote error={error} />}
      {error !== null && <a href="/login">{t('To the sign-in page')}</a>}
    </AuthPage>
  )
}
