/** Changing one's password: one's other sessions end. */
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { t } from '../../texts/t.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { problemOf, TextField } from '../../ui/form.tsx'
import { Button, Card, ErrorNote } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'
import { useForm } from '../auth/form-state.ts'

export function PasswordCard() {
  const [isChanging, setChanging] = useState(false)
  return (
    <Card
      title={t('Password')}
      actions={
        <Button size="small" onClick={() => setChanging(true)}>
          {t('Change it')}
        </Button>
      }
    >
      <p className="card-body muted">{t('A new one ends your sessions in other browsers.')}</p>
      {isChanging && <ChangePassword onClose={() => setChanging(false)} />}
    </Card>
  )
}

function ChangePassword({ onClose }: { onClose: () => void }) {
  const form = useForm(async ({ currentPassword = '', newPassword = '' }) => {
    await answerOf(api.POST('/auth/change-password', { body: { currentPassword, newPassword } }))
    toast(t('The password is changed.'))
    onClose()
  })
  return (
    <Dialog title={t('A new password')} onClose={onClose}>
      <form className="stack" onSubmit={form.onSubmit}>
        <TextField
          label={t('Your password')}
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          required
          autoFocus
          problem={problemOf(form.error, 'currentPassword')}
        />
        <TextField
          label={t('The new one')}
          name="newPassword"
          type="password"
          autoComplete="new-password"
          required
          problem={problemOf(form.error, 'newPassword')}
          hint={t('10 characters or more; a sentence is easy to keep in mind.')}
        />
        {form.error !== null && <ErrorNote error={form.error} />}
        <div className="modal-foot">
          <Button type="submit" look="main" off={form.isBusy ? t('One moment …') : undefined}>
            {t('Change it')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
