/** A secret that is shown this once. */
import { KeyRound } from 'lucide-react'
import { t } from '../texts/t.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Button, Code, Note } from '../ui/parts.tsx'
import { Time } from '../ui/time.tsx'

interface SecretShownProps {
  title: string
  secret: string
  previousValidUntil?: string | null
  onClose: () => void
}

export function SecretShown({ title, secret, previousValidUntil, onClose }: SecretShownProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Note icon={KeyRound} warning>
        {t('Keep it now: it is never shown again.')}
      </Note>
      <Code text={secret} label={title} />
      {previousValidUntil && (
        <p className="muted">
          {t('The former one signs as well until')} <Time at={previousValidUntil} />.
        </p>
      )}
      <div className="modal-foot">
        <Button look="main" onClick={onClose}>
          {t('I have kept it')}
        </Button>
      </div>
    </Dialog>
  )
}
