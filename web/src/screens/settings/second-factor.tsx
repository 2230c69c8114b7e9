/** A second factor: an authenticator app, and recovery codes for when it is lost. */
import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, ShieldCheck } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { problemOf, TextField } from '../../ui/form.tsx'
import { Button, Card, Code, ErrorNote, Note, Skeleton } from '../../ui/parts.tsx'
import { useForm } from '../auth/form-state.ts'

const QrCode = lazy(async () => ({ default: (await import('../../ui/qr-code.tsx')).QrCode }))

export function SecondFactor() {
  const { user } = useSession()
  const client = useQueryClient()
  const [shown, setShown] = useState<'set-up' | 'renew' | 'end' | null>(null)
  const close = (): void => {
    setShown(null)
    void client.invalidateQueries({ queryKey: ['session'] })
  }
  const isOn = user?.mfaEnabled === true
  return (
    <Card
      title={t('Second factor')}
      actions={
        <div className="row">
          {isOn && (
            <Button size="small" onClick={() => setShown('renew')}>
              {t('New recovery codes')}
            </Button>
          )}
          <Button
            size="small"
            look={isOn ? 'danger' : undefined}
            onClick={() => setShown(isOn ? 'end' : 'set-up')}
          >
            {isOn ? t('Ask for none') : t('Set it up')}
          </Button>
        </div>
      }
    >
      <p className="card-body row">
        <ShieldCheck size={16} className={isOn ? 'delivered' : 'muted'} aria-hidden />
        {isOn
          ? t('A code of your app is asked for after the password.')
          : t('Only your password is asked for.')}
      </p>
      {shown === 'set-up' && <SetUp onClose={close} />}
      {shown === 'renew' && <Renew onClose={close} />}
      {shown === 'end' && <EndIt onClose={close} />}
    </Card>
  )
}

function SetUp({ onClose }: { onClose: () => void }) {
  const [enrolment, setEnrolment] = useState<Schemas['MfaEnrolment'] | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const begin = useForm(async () => setEnrolment(await answerOf(api.POST('/auth/mfa/enroll'))))
  const activate = useForm(async ({ code = '' }) => {
    const { recoveryCodes } = await answerOf(
      api.POST('/auth/mfa/activate', { body: { code: code.replaceAll(/\s/g, '') } }),
    )
    setCodes(recoveryCodes)
  })
  if (codes !== null) return <Codes codes={codes} onClose={onClose} />
  return (
    <Dialog title={t('Set up a second factor')} onClose={onClose}>
      {enrolment === null ? (
        <form className="stack" onSubmit={begin.onSubmit}>
          <p>{t('You need an authenticator app on your phone or in your password manager.')}</p>
          {begin.error !== null && <ErrorNote error={begin.error} />}
          <div className="modal-foot">
            <Button type="submit" look="main">
              {t('Get a secret')}
            </Button>
          </div>
        </form>
      ) : (
        <form className="stack" onSubmit={activate.onSubmit}>
          <p>{t('Scan this with the app, or type the secret into it.')}</p>
          <Suspense fallback={<Skeleton lines={4} />}>
            <QrCode text={enrolment.otpauthUrl} label={t('QR code of the secret')} />
          </Suspense>
          <Code text={enrolment.secret} label={t('Secret')} />
          <p>
            <a href={enrolment.otpauthUrl}>{t('It is on this device: open it')}</a>
          </p>
          <CodeField error={activate.error} />
          <div className="modal-foot">
            <Button type="submit" look="main">
              {t('Activate')}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

function Codes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog title={t('Recovery codes')} onClose={onClose}>
      <Note icon={KeyRound} warning>
        {t('Keep them now: they are never shown again. Each works once, when your app is lost.')}
      </Note>
      <Code text={codes.join('\n')} label={t('Recovery codes')} />
    </Dialog>
  )
}

function Renew({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const form = useForm(async ({ code = '' }) => {
    const body = { code: code.replaceAll(/\s/g, '') }
    const renewed = await answerOf(api.POST('/auth/mfa/recovery-codes', { body }))
    setCodes(renewed.recoveryCodes)
  })
  if (codes !== null) return <Codes codes={codes} onClose={onClose} />
  return (
    <Dialog title={t('New recovery codes')} onClose={onClose}>
      <form className="stack" onSubmit={form.onSubmit}>
        <p>{t('Those of before are void from then on.')}</p>
        <CodeField error={form.error} />
        <div className="modal-foot">
          <Button type="submit" look="main">
            {t('Make new ones')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function CodeField({ error }: { error: unknown }) {
  return (
    <>
      <TextField
        label={t('The six digits that the app shows')}
        name="code"
        className="mono"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        autoFocus
        problem={problemOf(error, 'code')}
      />
      {error !== null && <ErrorNote error={error} />}
    </>
  )
}

function EndIt({ onClose }: { onClose: () => void }) {
  const form = useForm(async ({ password = '' }) => {
    await answerOf(api.DELETE('/auth/mfa', { body: { password } }))
    onClose()
  })
  return (
    <Dialog title={t('Ask for no second factor?')} onClose={onClose}>
      <form className="stack" onSubmit={form.onSubmit}>
        <TextField
          label={t('Your password')}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus
        />
        {form.error !== null && <ErrorNote error={form.error} />}
        <div className="modal-foot">
          <Button type="submit" look="danger">
            {t('Ask for none')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
