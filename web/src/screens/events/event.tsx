/** One event: what it is, what was tried, why, and sending it again, edited or as it is. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Pencil, RotateCw, Search, Send } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { CodeEditor } from '../../code/code-editor.tsx'
import { Attempts } from '../../events/attempts.tsx'
import { Explanation } from '../../events/explanation.tsx'
import { useCatchUp } from '../../events/use-catch-up.ts'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import {
  Button,
  Card,
  CopyButton,
  Empty,
  ErrorNote,
  Json,
  NoAnswer,
  PageHead,
  Skeleton,
} from '../../ui/parts.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { EditEvent } from './edit-event.tsx'

const LIVE_MS = 2_000

export function Event() {
  const { id } = useParams({ strict: false }) as { id: string }
  const event = useQuery({
    queryKey: ['event', id],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/v1/events/{eventId}', { params: { path: { eventId: id } }, signal })),
    // What may still change is followed; what ended is not.
    refetchInterval: ({ state }) => (isOpen(state.data) ? LIVE_MS : false),
  })
  const back = { to: '/dashboard/events', label: t('Events') }
  if (event.data === undefined) {
    return (
      <>
        <PageHead title={t('Event')} back={back} />
        <NoAnswer query={event} />
      </>
    )
  }
  return (
    <>
      <PageHead
        back={back}
        title={
          <span className="row">
            {event.data.eventType ?? t('Direct event')} <Status of={event.data.status} />
          </span>
        }
        about={
          <span className="row tight">
            <code className="wrap">{id}</code> <CopyButton text={id} label={t('Copy the id')} />
          </span>
        }
        actions={<EventActions event={event.data} />}
      />
      <div className="cols">
        <div className="stack">
          <Story event={event.data} />
          <Payload value={event.data.payload} />
        </div>
        <Card title={t('Facts')}>
          <div className="card-body">
            <Facts event={event.data} />
          </div>
        </Card>
      </div>
    </>
  )
}

/** Large ones are searched and folded in an editor, which comes when it is asked for. */
function Payload({ value }: { value: unknown }) {
  const [isSearching, setSearching] = useState(false)
  return (
    <Card
      title={t('Payload')}
      actions={
        <Button size="small" aria-pressed={isSearching} onClick={() => setSearching(!isSearching)}>
          <Search size={14} aria-hidden /> {t('Search and fold')}
        </Button>
      }
    >
      <div className="card-body">
        {isSearching ? (
          <CodeEditor
            label={t('Payload')}
            isLabelHidden
            language="json"
            value={JSON.stringify(value, null, 2)}
            isSearching
          />
        ) : (
          <Json value={value} label={t('Payload')} />
        )}
      </div>
    </Card>
  )
}

function isOpen(event: Schemas['EventDetail'] | undefined): boolean {
  return event !== undefined && event.status !== 'delivered' && event.status !== 'dead'
}

/** The explanation and the attempts change when the event does. */
function Story({ event }: { event: Schemas['EventDetail'] }) {
  const path = { eventId: event.id }
  const explanation = useQuery({
    queryKey: ['event', event.id, 'explain', event.status, event.attempts],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/v1/events/{eventId}/explain', { params: { path }, signal })),
    placeholderData: (before) => before,
  })
  useCatchUp(event.id, event.status, explanation.data?.status)
  const attempts = useQuery({
    queryKey: ['event', event.id, 'attempts', event.status, event.deliveryAttempts.length],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/v1/events/{eventId}/deliveries', { params: { path }, signal })),
    placeholderData: (before) => before,
  })
  return (
    <>
      {explanation.data && <Explanation explanation={explanation.data} />}
      {explanation.error && <ErrorNote error={explanation.error} />}
      <Card title={t('Attempts')}>
        <div className="card-body">
          {attempts.isPending && <Skeleton />}
          {attempts.error && <ErrorNote error={attempts.error} />}
          {attempts.data?.deliveries.length === 0 && (
            <Empty icon={Send} title={t('Nothing was tried yet')}>
              {t('The first attempt shows here by itself.')}
            </Empty>
          )}
          {attempts.data && (
            <Attempts attempts={attempts.data.deliveries} payload={event.payload} hasHeaders />
          )}
        </div>
      </Card>
    </>
  )
}

function Facts({ event }: { event: Schemas['EventDetail'] }) {
  return (
    <dl className="facts">
      {event.destination && (
        <>
          <dt>{t('Destination')}</dt>
          <dd className="mono">{event.destination}</dd>
        </>
      )}
      <dt>{t('Accepted')}</dt>
      <dd>
        <Time at={event.createdAt} />
      </dd>
      {event.deliverAt && (
        <>
          <dt>{t('Due')}</dt>
          <dd>
            <Time at={event.deliverAt} />
          </dd>
        </>
      )}
      {event.deliveredAt && (
        <>
          <dt>{t('Delivered')}</dt>
          <dd>
            <Time at={event.deliveredAt} />
          </dd>
        </>
      )}
      {event.deadReason && (
        <>
          <dt>{t('Dead because')}</dt>
          <dd>{event.deadReason}</dd>
        </>
      )}
      <dt>{t('Attempts')}</dt>
      <dd>{t('{n} of {max}', { n: event.attempts, max: event.maxAttempts })}</dd>
      <dt>{t('Priority')}</dt>
      <dd>{event.priority}</dd>
      <dt>{t('Idempotency key')}</dt>
      <dd className="mono">{event.idempotencyKey}</dd>
      <dt>{t('Trace id')}</dt>
      <dd className="mono">{event.traceId}</dd>
      {event.eventType && (
        <>
          <dt>{t('Alike')}</dt>
          <dd>
            <Link
              to={'/dashboard/events' as string}
              search={{ eventType: event.eventType } as never}
            >
              {t('Events of this type')}
            </Link>
          </dd>
        </>
      )}
    </dl>
  )
}

function EventActions({ event }: { event: Schemas['EventDetail'] }) {
  const client = useQueryClient()
  const [isEditing, setEditing] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const role = useOff('events:write')
  const state =
    event.status === 'dead' || event.status === 'failed'
      ? undefined
      : t('Only what failed can be sent again.')
  const off = role ?? state
  const path = { eventId: event.id }
  async function replay(): Promise<void> {
    setError(null)
    try {
      await answerOf(api.POST('/api/v1/events/{eventId}/replay', { params: { path } }))
      toast(t('The event is queued again.'))
    } catch (failure) {
      setError(failure)
    }
    await client.invalidateQueries({ queryKey: ['event', event.id] })
  }
  return (
    <>
      <Button off={off} onClick={() => setEditing(true)}>
        <Pencil size={14} aria-hidden /> {t('Edit and replay')}
      </Button>
      <Button look="main" off={off} onClick={() => void replay()}>
        <RotateCw size={14} aria-hidden /> {t('Replay')}
      </Button>
      {error !== null && <ErrorNote error={error} />}
      {isEditing && <EditEvent event={event} onClose={() => setEditing(false)} />}
    </>
  )
}
