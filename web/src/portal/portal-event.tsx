/** One event of a sub-account: what was tried and why, the payload, and sending it again. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import { Attempts } from '../events/attempts.tsx'
import { Explanation } from '../events/explanation.tsx'
import { useCatchUp } from '../events/use-catch-up.ts'
import { t } from '../texts/t.ts'
import { Button, Card, ErrorNote, Json, NoAnswer, PageHead } from '../ui/parts.tsx'
import { Status } from '../ui/status.tsx'
import { Time } from '../ui/time.tsx'
import { toast } from '../ui/toast.tsx'
import type { May } from './portal-session.ts'

const LIVE_MS = 3_000

export function PortalEvent({ id, may }: { id: string; may: May }) {
  const client = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const params = { path: { eventId: id } }
  const query = useQuery({
    queryKey: ['event', id],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/sub-account-api/events/{eventId}', { params, signal })),
    refetchInterval: LIVE_MS,
  })
  const event = query.data
  const stage = [event?.status, event?.deliveryAttempts.length]
  const explanation = useQuery({
    queryKey: ['event', id, 'explain', ...stage],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/sub-account-api/events/{eventId}/explain', { params, signal })),
    placeholderData: (before) => before,
  })
  const attempts = useQuery({
    queryKey: ['event', id, 'attempts', ...stage],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/sub-account-api/events/{eventId}/deliveries', { params, signal })),
    enabled: may('deliveries:read'),
    placeholderData: (before) => before,
  })
  useCatchUp(id, event?.status, explanation.data?.status)
  const back = { to: '.', search: { view: 'events' }, label: t('Events') }
  if (event === undefined) {
    return (
      <>
        <PageHead title={t('Event')} back={back} />
        <NoAnswer query={query} />
      </>
    )
  }
  async function retry(): Promise<void> {
    setError(null)
    await answerOf(api.POST('/sub-account-api/events/{eventId}/retry', { params })).then(
      () => toast(t('The event is queued again.')),
      setError,
    )
    await client.invalidateQueries({ queryKey: ['event', id] })
  }
  const failed = event.status === 'dead' || event.status === 'failed'
  return (
    <>
      <PageHead
        back={back}
        title={
          <span className="row">
            {event.eventType ?? t('Direct event')} <Status of={event.status} />
          </span>
        }
        about={
          <>
            <code className="wrap">{id}</code> · <Time at={event.createdAt} />
          </>
        }
        actions={
          may('events:retry') && (
            <Button
              look="main"
              off={failed ? undefined : t('Only what failed can be sent again.')}
              onClick={() => void retry()}
            >
              <RotateCw size={14} aria-hidden /> {t('Send again')}
            </Button>
          )
        }
      />
      <div className="stack">
        {error !== null && <ErrorNote error={error} />}
        {explanation.data && <Explanation explanation={explanation.data} />}
        {attempts.data && attempts.data.deliveries.length > 0 && (
          <Card title={t('Attempts')}>
            <div className="card-body">
              <Attempts
                attempts={attempts.data.deliveries}
                payload={event.payload}
                hasHeaders={false}
              />
            </div>
          </Card>
        )}
        <Card title={t('Payload')}>
          <div className="card-body">
            <Json value={event.payload} label={t('Payload')} />
          </div>
        </Card>
      </div>
    </>
  )
}
