/** A dialog over the page: keeps the focus, closes by Esc, and gives the focus back. */
import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { t } from '../texts/t.ts'
import { Button, ErrorNote } from './parts.tsx'

interface DialogProps {
  title: string
  onClose: () => void
  broad?: boolean
  children: ReactNode
}

export function Dialog({ title, onClose, broad = false, children }: DialogProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className={broad ? 'modal broad' : 'modal'}>
        <AriaDialog>
          <div className="modal-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button look="plain" size="icon" aria-label={t('Close')} onClick={onClose}>
              <X size={16} aria-hidden />
            </Button>
          </div>
          <div className="modal-body">{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

interface ConfirmProps {
  title: string
  broad?: boolean
  children: ReactNode
  action: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Asks before what can't be undone. */
export function Confirm(props: ConfirmProps) {
  const { title, broad = false, children, action, onConfirm, onClose } = props
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  return (
    <Dialog title={title} onClose={onClose} broad={broad}>
      <div>{children}</div>
      {error !== null && <ErrorNote error={error} />}
      <div className="modal-foot">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button
          look="danger"
          autoFocus
          off={isBusy ? t('It is being done.') : undefined}
          onClick={() => {
            setBusy(true)
            onConfirm().then(onClose, (failure: unknown) => {
              setError(failure)
              setBusy(false)
            })
          }}
        >
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
