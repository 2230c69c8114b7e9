/** Whether a sample arrived, and what the other side said. */
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { t } from '../../texts/t.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Button } from '../../ui/parts.tsx'

export interface Tested {
  delivery: 'sent' | 'failed'
  statusCode: number | null
  error: string | null
}

export function TestResult({ tested, onClose }: { tested: Tested; onClose: () => void }) {
  const { delivery, statusCode, error } = tested
  const isSent = delivery === 'sent'
  return (
    <Dialog title={isSent ? t('The test arrived') : t('The test did not arrive')} onClose={onClose}>
      <div className={isSent ? 'note' : 'note error'}>
        {isSent ? (
          <CircleCheck size={16} className="delivered" aria-hidden />
        ) : (
          <TriangleAlert size={16} className="dead" aria-hidden />
        )}
        <div className="grow">
          <p className="strong">
            {statusCode === null
              ? isSent
                ? t('It was taken.')
                : t('No answer came.')
              : t('The other side answered {code}.', { code: statusCode })}
          </p>
          {error !== null && <p className="wrap muted">{error}</p>}
          {!isSent && (
            <p className="muted">
              {t('Check the address and its secret; a test is sent once, without retries.')}
            </p>
          )}
        </div>
      </div>
      <div className="modal-foot">
        <Button look="main" onClick={onClose}>
          {t('Close')}
        </Button>
      </div>
    </Dialog>
  )
}
