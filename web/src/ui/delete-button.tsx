/** Deletes one thing, once its dialog was answered. */
import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '../texts/t.ts'
import { Confirm } from './dialog.tsx'
import { Button } from './parts.tsx'

interface DeleteButtonProps {
  name: string
  off: string | undefined
  size?: 'small' | 'icon'
  onDelete: () => Promise<void>
  /** What becomes of whatever hangs on it. */
  children: ReactNode
}

export function DeleteButton(props: DeleteButtonProps) {
  const { name, off, size = 'icon', onDelete, children } = props
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <Button
        look="danger"
        size={size}
        off={off}
        aria-label={t('Delete {name}', { name })}
        onClick={() => setAsked(true)}
      >
        <Trash2 size={14} aria-hidden />
      </Button>
      {isAsked && (
        <Confirm
          title={t('Delete {name}?', { name })}
          action={t('Delete it')}
          onClose={() => setAsked(false)}
          onConfirm={onDelete}
        >
          {children}
        </Confirm>
      )}
    </>
  )
}
