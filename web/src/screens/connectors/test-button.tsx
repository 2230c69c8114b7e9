/** Sends a sample, and says whether it arrived and what the other side said. */
import { CircleCheck, FlaskConical, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../texts/t.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Button, ErrorNote } from '../../ui/parts.tsx'

interface Tested {
  delivery: 'sent' | 'failed'
  statusCode: number | null
  error: string | null
}

interface TestButtonProps {
  off: string | undefined
  onTest: () => Promise<Tested>
}

export function TestButton({ off, onTest }: TestButtonProps) {
  const [tested, setTested] = useState<Tested | null>(null)
  const [isTesting, setTesting] = useState(false)
  const [error, setError] = useState<unknown>(null)
  function test(): void {
    setTesting(true)
    setError(null)
    void onTest()
      .then(setTested, setError)
      .finally(() => setTesting(false))
  }
  return (
    <>
      <Button off={off ?? (isTesting ? t('One moment …') : undefined)} onClick={test}>
        <FlaskConical size={14} aria-hidden /> {t('Send a test')}
      </Button>
      {error !== null && <ErrorNote error={error} />}
      {tested && <TestResult tested={tested} onClose={() => setTested(null)} />}
    </>
  )
}

function TestResult({ tested, onClose }: { tested: Tested; onClose: () => void }) {
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
