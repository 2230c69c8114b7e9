/** What can be done with an endpoint: a test, a pause, a new secret, sending again, an end. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FlaskConical, KeyRound, Pause, Play, RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { SecretShown } from '../../endpoints/secret-shown.tsx'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Button, ErrorNote } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'

type Shown = 'rotate' | 'delete' | 'replay' | null
const DAY_MS = 86_400_000

export function EndpointActions({ endpoint }: { endpoint: Schemas['Endpoint'] }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [shown, setShown] = useState<Shown>(null)
  const [error, setError] = useState<unknown>(null)
  const [rotated, setRotated] = useState<Schemas['EndpointRotated'] | null>(null)
  const off = useOff('endpoints:write')
  const offReplay = useOff('events:write')
  const params = { path: { id: endpoint.id } }
  const close = (): void => setShown(null)
  async function run(work: () => Promise<unknown>): Promise<void> {
    setError(null)
    await work().catch(setError)
    await client.invalidateQueries({ queryKey: ['endpoints', endpoint.id] })
  }
  const isActive = endpoint.status === 'active'
  return (
    <>
      <Button
        look="main"
        off={off}
        onClick={() =>
          void run(async () => {
            const event = await answerOf(
              api.POST('/api/v1/endpoints/{id}/test', { params, body: {} }),
            )
            await navigate({ to: `/dashboard/events/${event.id}` })
          })
        }
      >
        <FlaskConical size={14} aria-hidden /> {t('Send a test')}
      </Button>
      <Button off={off} onClick={() => void run(() => setStatus(endpoint.id, !isActive))}>
        {isActive ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
        {isActive ? t('Pause') : endpoint.status === 'disabled' ? t('Enable') : t('Resume')}
      </Button>
      <Button off={offReplay} onClick={() => setShown('replay')}>
        <RotateCw size={14} aria-hidden /> {t('Replay')}
      </Button>
      <Button off={off} onClick={() => setShown('rotate')}>
        <KeyRound size={14} aria-hidden /> {t('New secret')}
      </Button>
      <Button
        look="danger"
        size="icon"
        off={off}
        aria-label={t('Delete')}
        onClick={() => setShown('delete')}
      >
        <Trash2 size={14} aria-hidden />
      </Button>
      {error !== null && <ErrorNote error={error} />}
      {shown === 'rotate' && (
        <Confirm
          title={t('Give it a new secret?')}
          action={t('Make a new secret')}
          onClose={close}
          onConfirm={async () =>
            setRotated(
              await answerOf(
                api.POST('/api/v1/endpoints/{id}/rotate-secret', {
                  params,
                  body: { gracePeriodMinutes: 60 },
                }),
              ),
            )
          }
        >
          {t(
            'For an hour both secrets sign, so that the receiver can be changed without losing anything.',
          )}
        </Confirm>
      )}
      {shown === 'replay' && (
        <Confirm
          title={t('Replay the last 24 hours?')}
          action={t('Replay')}
          onClose={close}
          onConfirm={() => replayDay(endpoint.id)}
        >
          {t('What this endpoint did not take in the last 24 hours is queued again.')}
        </Confirm>
      )}
      {shown === 'delete' && (
        <Confirm
          title={t('Delete the endpoint?')}
          action={t('Delete it')}
          onClose={close}
          onConfirm={async () => {
            await answerOf(api.DELETE('/api/v1/endpoints/{id}', { params }))
            client.removeQueries({ queryKey: ['endpoints'] })
            await navigate({ to: '/dashboard/endpoints' })
          }}
        >
          {t('What waits for it becomes dead. Its history stays.')}
        </Confirm>
      )}
      {rotated !== null && (
        <SecretShown
          title={t('The new signing secret')}
          secret={rotated.signingSecret}
          previousValidUntil={rotated.previousValidUntil}
          onClose={() => setRotated(null)}
        />
      )}
    </>
  )
}

async function setStatus(id: string, isActive: boolean): Promise<void> {
  const params = { path: { id } }
  await answerOf(
    isActive
      ? api.POST('/api/v1/endpoints/{id}/resume', { params })
      : api.POST('/api/v1/endpoints/{id}/pause', { params }),
  )
  toast(
    isActive
      ? t('It gets events again, what waited first.')
      : t('Paused: events wait until it is resumed.'),
  )
}

async function replayDay(id: string): Promise<void> {
  const body = { since: new Date(Date.now() - DAY_MS).toISOString() }
  const { total } = await answerOf(
    api.POST('/api/v1/endpoints/{id}/replay', { params: { path: { id } }, body }),
  )
  toast(t('{n} are queued again.', { n: total }))
}
