/** One endpoint of a sub-account: its events, what it is set to, and what can be done with it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FlaskConical, KeyRound, Pause, Play, RotateCw, Trash2, ZapOff } from 'lucide-react'
import { Suspense, useState } from 'react'
import { answerOf, api, type Schemas } from '../api/client.ts'
import { endpointName } from '../endpoints/endpoint-name.ts'
import { endpointState } from '../endpoints/endpoint-state.ts'
import { EndpointForm } from '../endpoints/endpoint-form.tsx'
import { SecretShown } from '../endpoints/secret-shown.tsx'
import { t } from '../texts/t.ts'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Button, ErrorNote, NoAnswer, Note, PageHead, Skeleton } from '../ui/parts.tsx'
import { Status } from '../ui/status.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { toast } from '../ui/toast.tsx'
import { useUrlState } from '../ui/url-state.ts'
import { PortalCharts } from './lazy-charts.ts'
import { PortalEvents } from './portal-events.tsx'
import type { May } from './portal-session.ts'
import { portalValues, usePortalEventTypes } from './portal-values.ts'

type Endpoint = Schemas['PortalEndpoint']
type Shown = 'edit' | 'rotate' | 'replay' | 'delete' | null
const LIVE_MS = 5_000
const DAY_MS = 86_400_000

export function PortalEndpoint({ id, may }: { id: string; may: May }) {
  const query = useQuery({
    queryKey: ['endpoints', id],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/sub-account-api/endpoints/{id}', { params: { path: { id } }, signal })),
    refetchInterval: LIVE_MS,
  })
  const back = { to: '.', search: { view: 'endpoints' }, label: t('Endpoints') }
  const endpoint = query.data
  if (endpoint === undefined) {
    return (
      <>
        <PageHead title={t('Endpoint')} back={back} />
        <NoAnswer query={query} />
      </>
    )
  }
  const isOpen = endpoint.status === 'active' && endpoint.circuitState !== 'closed'
  return (
    <>
      <PageHead
        back={back}
        title={
          <span className="row">
            {endpointName(endpoint)} <Status of={endpointState(endpoint)} />
          </span>
        }
        about={<code className="wrap">{endpoint.url}</code>}
        actions={<Actions endpoint={endpoint} may={may} />}
      />
      {isOpen && (
        <div style={{ marginBottom: 16 }}>
          <Note icon={ZapOff} warning>
            {t(
              'It failed too often in a row, so its circuit is open: deliveries wait, and one is tried from time to time.',
            )}
          </Note>
        </div>
      )}
      <Parts id={id} may={may} />
    </>
  )
}

/** What happened there, one by one or as charts. */
function Parts({ id, may }: { id: string; may: May }) {
  const [{ tab = may('events:read') ? 'events' : 'charts' }] = useUrlState()
  const tabs = [
    ['events', t('Events'), 'events:read'],
    ['charts', t('Charts'), 'deliveries:read'],
  ] as const
  return (
    <>
      <Tabs
        label={t('Parts of the endpoint')}
        current={tab}
        tabs={tabs.filter(([, , scope]) => may(scope))}
        searchOf={(name) => ({ view: 'endpoints', id, tab: name })}
      />
      {tab === 'events' && may('events:read') && <PortalEvents endpointId={id} />}
      {tab === 'charts' && may('deliveries:read') && (
        <Suspense fallback={<Skeleton lines={6} />}>
          <PortalCharts endpointId={id} />
        </Suspense>
      )}
    </>
  )
}

function Actions({ endpoint, may }: { endpoint: Endpoint; may: May }) {
  const client = useQueryClient()
  const [, change] = useUrlState()
  const [shown, setShown] = useState<Shown>(null)
  const [error, setError] = useState<unknown>(null)
  const [rotated, setRotated] = useState<Schemas['PortalEndpointRotated'] | null>(null)
  const params = { path: { id: endpoint.id } }
  const close = (): void => setShown(null)
  const isActive = endpoint.status === 'active'
  async function run(work: () => Promise<unknown>): Promise<void> {
    setError(null)
    await work().catch(setError)
    await client.invalidateQueries({ queryKey: ['endpoints'] })
  }
  async function test(): Promise<void> {
    const event = await answerOf(
      api.POST('/sub-account-api/endpoints/{id}/test', { params, body: {} }),
    )
    if (may('events:read')) change({ view: 'events', id: event.id })
    else toast(t('A test is on its way.'))
  }
  const flip = () =>
    isActive
      ? api.POST('/sub-account-api/endpoints/{id}/pause', { params })
      : api.POST('/sub-account-api/endpoints/{id}/resume', { params })
  return (
    <>
      {may('endpoints:write') && (
        <>
          <Button look="main" onClick={() => void run(test)}>
            <FlaskConical size={14} aria-hidden /> {t('Send a test')}
          </Button>
          <Button onClick={() => void run(() => answerOf<unknown>(flip()))}>
            {isActive ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}{' '}
            {isActive ? t('Pause') : t('Resume')}
          </Button>
          <Button onClick={() => setShown('edit')}>{t('Edit')}</Button>
          <Button onClick={() => setShown('rotate')}>
            <KeyRound size={14} aria-hidden /> {t('New secret')}
          </Button>
        </>
      )}
      {may('events:retry') && (
        <Button onClick={() => setShown('replay')}>
          <RotateCw size={14} aria-hidden /> {t('Replay')}
        </Button>
      )}
      {may('endpoints:write') && (
        <Button
          look="danger"
          size="icon"
          aria-label={t('Delete')}
          onClick={() => setShown('delete')}
        >
          <Trash2 size={14} aria-hidden />
        </Button>
      )}
      {error !== null && <ErrorNote error={error} />}
      <Dialogs endpoint={endpoint} shown={shown} onClose={close} onRotated={setRotated} />
      {rotated && (
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

interface DialogsProps {
  endpoint: Endpoint
  shown: Shown
  onClose: () => void
  onRotated: (rotated: Schemas['PortalEndpointRotated']) => void
}

function Dialogs({ endpoint, shown, onClose, onRotated }: DialogsProps) {
  const client = useQueryClient()
  const [, change] = useUrlState()
  const names = usePortalEventTypes()
  const params = { path: { id: endpoint.id } }
  if (shown === 'edit') {
    return (
      <Dialog title={t('Edit')} onClose={onClose} broad>
        <EndpointForm
          values={endpoint}
          eventTypes={names}
          action={t('Save')}
          isFull={false}
          onSave={async (values) => {
            await answerOf(
              api.PATCH('/sub-account-api/endpoints/{id}', { params, body: portalValues(values) }),
            )
            await client.invalidateQueries({ queryKey: ['endpoints'] })
            onClose()
          }}
        />
      </Dialog>
    )
  }
  if (shown === 'rotate') {
    return (
      <Confirm
        title={t('Give it a new secret?')}
        action={t('Make a new secret')}
        onClose={onClose}
        onConfirm={async () =>
          onRotated(
            await answerOf(
              api.POST('/sub-account-api/endpoints/{id}/rotate-secret', {
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
    )
  }
  if (shown === 'replay') {
    const since = new Date(Date.now() - DAY_MS).toISOString()
    return (
      <Confirm
        title={t('Replay the last 24 hours?')}
        action={t('Replay')}
        onClose={onClose}
        onConfirm={async () =>
          toast(
            t('{n} are queued again.', {
              n: (
                await answerOf(
                  api.POST('/sub-account-api/endpoints/{id}/replay', { params, body: { since } }),
                )
              ).total,
            }),
          )
        }
      >
        {t('What this endpoint did not take in the last 24 hours is queued again.')}
      </Confirm>
    )
  }
  if (shown === 'delete') {
    return (
      <Confirm
        title={t('Delete the endpoint?')}
        action={t('Delete it')}
        onClose={onClose}
        onConfirm={async () => {
          await answerOf(api.DELETE('/sub-account-api/endpoints/{id}', { params }))
          client.removeQueries({ queryKey: ['endpoints'] })
          change({ id: '' })
        }}
      >
        {t('What waits for it becomes dead. Its history stays.')}
      </Confirm>
    )
  }
  return null
}
