/** Everything of the workspace as one file, and its end. */
import { Download, Trash2, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useOff, useSession } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { problemOf, TextField } from '../../ui/form.tsx'
import { Button, Card, ErrorNote, Note } from '../../ui/parts.tsx'
import { useForm } from '../auth/form-state.ts'

export function WholeWorkspace() {
  const { client } = useSession()
  const off = useOff('account:write')
  const [isDeleting, setDeleting] = useState(false)
  return (
    <div className="stack">
      <Card title={t('Export')}>
        <div className="card-body stack tight">
          <p className="muted">
            {t(
              'One JSON document with every table of the workspace and its sub-accounts, without secrets. It streams: large ones take a while.',
            )}
          </p>
          <div className="row">
            {off === undefined ? (
              <a className="button main" href="/api/v1/gdpr/export" download>
                <Download size={14} aria-hidden /> {t('Export the workspace')}
              </a>
            ) : (
              <Button off={off}>
                <Download size={14} aria-hidden /> {t('Export the workspace')}
              </Button>
            )}
          </div>
        </div>
      </Card>
      <Card title={t('Deletion')}>
        <div className="card-body stack tight">
          <p className="muted">
            {t(
              'Keys and sessions stop within two seconds, nothing is accepted or delivered any more, and every row goes, of sub-accounts too.',
            )}
          </p>
          <div className="row">
            <Button look="danger" off={off} onClick={() => setDeleting(true)}>
              <Trash2 size={14} aria-hidden /> {t('Delete the workspace …')}
            </Button>
          </div>
        </div>
      </Card>
      {isDeleting && <Deletion name={client.name} onClose={() => setDeleting(false)} />}
    </div>
  )
}

function Deletion({ name, onClose }: { name: string; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const form = useForm(async ({ confirm = '' }) => {
    await answerOf(api.DELETE('/api/v1/gdpr/data', { body: { confirm } }))
    location.assign('/login')
  })
  const isSame = typed === name
  return (
    <Dialog title={t('Delete {name} for good?', { name })} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          if (isSame) form.onSubmit(event)
          else event.preventDefault()
        }}
      >
        <Note icon={TriangleAlert} warning>
          {t('Nobody can bring it back, we neither. Export it first if you may need it.')}
        </Note>
        <TextField
          label={t('Type the name of the workspace: {name}', { name })}
          name="confirm"
          autoFocus
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          problem={problemOf(form.error, 'confirm')}
        />
        {form.error !== null && <ErrorNote error={form.error} />}
        <div className="modal-foot">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            look="danger"
            off={
              isSame
                ? form.isBusy
                  ? t('One moment …')
                  : undefined
                : t('Type the name exactly as it is.')
            }
          >
            {t('Delete everything')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
