/** The frame of the portal: its parts, how long the session lasts, and the way back. */
import { useQuery } from '@tanstack/react-query'
import { LogOut, Moon, Sun, TimerReset } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import { t } from '../texts/t.ts'
import { Mark } from '../ui/mark.tsx'
import { Button, Note, Skeleton } from '../ui/parts.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { chooseAppearance } from '../ui/theme.ts'
import { Countdown } from '../ui/time.tsx'
import { useUrlState } from '../ui/url-state.ts'
import { PortalCharts } from './lazy-charts.ts'
import { PortalEndpoint } from './portal-endpoint.tsx'
import { PortalEndpoints } from './portal-endpoints.tsx'
import { PortalEvent } from './portal-event.tsx'
import { PortalEvents } from './portal-events.tsx'
import { backTo, type PortalSession } from './portal-session.ts'
import { PortalEventTypes } from './portal-event-types.tsx'

const ASK_MS = 60_000
const WARN_MS = 120_000

export function PortalShell({ opened }: { opened: PortalSession }) {
  const query = useQuery({
    queryKey: ['session'],
    queryFn: ({ signal }) => answerOf(api.GET('/sub-account-api/session', { signal })),
    initialData: opened,
    refetchInterval: ASK_MS,
    retry: false,
  })
  const session = query.data
  const isFramed = window.parent !== window
  // The page around a frame has these landmarks already.
  const Top = isFramed ? 'div' : 'header'
  const content = (
    <>
      <Expiry session={session} />
      <View session={session} />
    </>
  )
  return (
    <div className="portal">
      <Top className="portal-head">
        <Head session={session} />
      </Top>
      {isFramed ? (
        <section className="page" aria-label={t('Webhooks')}>
          {content}
        </section>
      ) : (
        <main className="page">{content}</main>
      )}
    </div>
  )
}

function Head({ session }: { session: PortalSession }) {
  const [{ view = 'endpoints' }] = useUrlState()
  const { theme, scopes, name, returnUrl, subAccountId } = session
  const tabs = [
    ['endpoints', t('Endpoints'), 'endpoints:read'],
    ['events', t('Events'), 'events:read'],
    ['charts', t('Charts'), 'deliveries:read'],
    ['types', t('Event types'), 'endpoints:read'],
  ] as const
  return (
    <>
      <span className="brand">
        {theme?.logo ? <img src={theme.logo} alt="" /> : <Mark />}
        {theme?.brandName ?? name ?? t('Webhooks')}
      </span>
      <Tabs
        label={t('Parts of the portal')}
        current={view}
        tabs={tabs.filter(([, , scope]) => scopes.includes(scope))}
        searchOf={(name) => ({ view: name })}
      />
      <div className="row tight">
        <ThemeButton />
        <a className="button plain" href={backTo(returnUrl, subAccountId, 'DONE')}>
          <LogOut size={14} aria-hidden /> {t('Leave')}
        </a>
      </div>
    </>
  )
}

function ThemeButton() {
  const [isDark, setDark] = useState(
    () =>
      getComputedStyle(document.documentElement).colorScheme === 'dark' ||
      (document.documentElement.dataset['theme'] === undefined &&
        matchMedia('(prefers-color-scheme: dark)').matches),
  )
  return (
    <Button
      look="plain"
      size="icon"
      aria-label={isDark ? t('Light theme') : t('Dark theme')}
      onClick={() => {
        chooseAppearance(isDark ? 'light' : 'dark')
        setDark(!isDark)
      }}
    >
      {isDark ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
    </Button>
  )
}

/** Says two minutes before that the session ends; at its end the host's page takes over. */
function Expiry({ session: { expiresAt, returnUrl, subAccountId } }: { session: PortalSession }) {
  const [left, setLeft] = useState(() => Date.parse(expiresAt) - Date.now())
  useEffect(() => {
    const look = (): void => {
      const rest = Date.parse(expiresAt) - Date.now()
      setLeft(rest)
      if (rest <= 0) location.assign(backTo(returnUrl, subAccountId, 'SESSION_EXPIRED'))
    }
    look()
    const timer = setInterval(look, 1_000)
    return () => clearInterval(timer)
  }, [expiresAt, returnUrl, subAccountId])
  if (left > WARN_MS) return null
  return (
    <div role="alert" style={{ marginBottom: 16 }}>
      <Note icon={TimerReset} warning>
        {t('This session ends')} <Countdown until={expiresAt} />.
      </Note>
    </div>
  )
}

function View({ session }: { session: PortalSession }) {
  const [{ view = 'endpoints', id }] = useUrlState()
  const may = (scope: PortalSession['scopes'][number]): boolean => session.scopes.includes(scope)
  if (view === 'events' && may('events:read'))
    return id === undefined ? <PortalEvents /> : <PortalEvent id={id} may={may} />
  if (view === 'charts' && may('deliveries:read')) return <Charts />
  if (view === 'types' && may('endpoints:read')) return <PortalEventTypes />
  if (may('endpoints:read'))
    return id === undefined || view !== 'endpoints' ? (
      <PortalEndpoints may={may} />
    ) : (
      <PortalEndpoint id={id} may={may} />
    )
  if (may('events:read')) return <PortalEvents />
  return (
    <Note icon={LogOut}>
      {t('This link shows nothing: it was made without the scopes for it.')}
    </Note>
  )
}

/** They come when they are looked at. */
function Charts() {
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      <PortalCharts />
    </Suspense>
  )
}
