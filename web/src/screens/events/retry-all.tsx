/**
 * Sends again all that a filter matches, a thousand at a time, until none is left or it is stopped.
 * The API takes one of status and endpoint; for other filters the action says so.
 */
import { useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useRef, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Button, ErrorNote } from '../../ui/parts.tsx'
import { count } from '../../ui/time.tsx'

const BATCH = 1_000

type Filters = Readonly<Record<string, string | undefined>>
type Which = { status: 'dead' | 'failed' } | { endpointId: string }

export function RetryAll({ filters }: { filters: Filters }) {
  const [isAsked, setAsked] = useState(false)
  const role = useOff('events:write')
  const which = whichOf(filters)
  const off =
    role ?? (which === null ? t('Filter by one of: dead, retry due, or an endpoint.') : undefined)
  return (
    <>
      <Button off={off} onClick={() => setAsked(true)}>
        <RotateCw size={14} aria-hidden /> {t('Replay all that match')}
      </Button>
      {isAsked && which !== null && <RetryDialog which={which} onClose={() => setAsked(false)} />}
    </>
  )
}

function whichOf(filters: Filters): Which | null {
  const given = Object.entries(filters).filter(([, value]) => Boolean(value))
  const [name, value] = given[0] ?? []
  if (given.length !== 1 || value === undefined) return null
  if (name === 'endpointId') return { endpointId: value }
  if (name === 'status' && (value === 'dead' || value === 'failed')) return { status: value }
  return null
}

function RetryDialog({ which, onClose }: { which: Which; onClose: () => void }) {
  const client = useQueryClient()
  const isStopped = useRef(false)
  const [done, setDone] = useState<number | null>(null)
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>(null)
  async function run(): Promise<void> {
    setRunning(true)
    let total = 0
    try {
      for (let retried = BATCH; retried === BATCH && !isStopped.current; ) {
        const answer = await answerOf(
          api.POST('/api/v1/events/batch/retry', { body: { ...which, limit: BATCH } }),
        )
        retried = answer.retried
        total += retried
        setDone(total)
      }
    } catch (failure) {
      setError(failure)
    }
    setRunning(false)
    await client.invalidateQueries({ queryKey: ['events'] })
  }
  function close(): void {
    isStopped.current = true
    onClose()
  }
  return (
    <Dialog title={t('Replay all that match')} onClose={close}>
      <p>
        {t('Everything that the filter matches is queued again, also what is not on the screen.')}
      </p>
      <p role="status" className="strong">
        {done !== null && t('{n} queued again', { n: count(done) })}{' '}
        {done !== null && !isRunning && t('· done')}
      </p>
      {error !== null && <ErrorNote error={error} />}
      <div className="modal-foot">
        <Button onClick={close}>{isRunning ? t('Stop') : t('Close')}</Button>
        {done === null && (
          <Button
            look="main"
            off={isRunning ? t('One moment …') : undefined}
            onClick={() => void run()}
          >
            {t('Replay all')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
