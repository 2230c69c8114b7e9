/** What belongs to the reader, and what to the workspace. */
import { useQuery } from '@tanstack/react-query'
import { Info } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import { useSession } from '../session.tsx'
import { t } from '../texts/t.ts'
import {
  Button,
  ButtonLink,
  Card,
  Code,
  ErrorNote,
  Note,
  PageHead,
  Skeleton,
} from '../ui/parts.tsx'
import { count, Time } from '../ui/time.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useUrlState } from '../ui/url-state.ts'
import { PasswordCard } from './settings/password.tsx'
import { Passkeys } from './settings/passkeys.tsx'
import { SecondFactor } from './settings/second-factor.tsx'
import { Sessions } from './settings/sessions.tsx'
import { WorkspaceSecurity } from './settings/workspace-security.tsx'

export function Settings() {
  const [{ tab = 'workspace' }] = useUrlState()
  const tabs = [
    ['workspace', t('Workspace')],
    ['security', t('Security')],
    ['you', t('You')],
  ] as const
  return (
    <>
      <PageHead title={t('Settings')} />
      <Tabs label={t('Parts of the settings')} current={tab} tabs={tabs} />
      {tab === 'workspace' && <Workspace />}
      {tab === 'security' && (
        <div className="stack">
          <WorkspaceSecurity />
          <SignInCard />
        </div>
      )}
      {tab === 'you' && <You />}
    </>
  )
}

function SignInCard() {
  return (
    <Card
      title={t('Single sign-on')}
      actions={<ButtonLink to={'/dashboard/sso' as string}>{t('Set it up')}</ButtonLink>}
    >
      <p className="card-body muted">
        {t('Your company’s own identity provider decides who comes in.')}
      </p>
    </Card>
  )
}

function You() {
  const { user } = useSession()
  return (
    <div className="stack">
      {user === null ? (
        <Note icon={Info}>
          {t(
            'You are signed in by an API key. Passkeys and a second factor belong to people: invite yourself in the team.',
          )}
        </Note>
      ) : (
        <>
          <PasswordCard />
          <SecondFactor />
          <Passkeys />
        </>
      )}
      <Sessions />
    </div>
  )
}

function Workspace() {
  const { client } = useSession()
  const plan = useQuery({
    queryKey: ['entitlements'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/entitlements', { signal })),
  })
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/usage/current', { signal })),
  })
  const ips = useQuery({
    queryKey: ['egress'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/egress-ips', { signal })),
  })
  const limit = (value: number | undefined): string =>
    value === undefined ? '…' : value === 0 ? t('no limit') : count(value)
  return (
    <div className="stack">
      <Card title={t('Plan and use')}>
        <div className="card-body">
          {plan.error && <ErrorNote error={plan.error} />}
          {plan.isPending && <Skeleton />}
          {plan.data && (
            <dl className="facts">
              <dt>{t('Workspace')}</dt>
              <dd>
                {client.name} <code className="muted">{client.id}</code>
              </dd>
              <dt>{t('Plan')}</dt>
              <dd>{plan.data.plan}</dd>
              <dt>{t('Events this month')}</dt>
              <dd>
                {usage.data ? count(usage.data.events) : '…'} ·{' '}
                {plan.data.limits.eventsPerMonth > 0 && `${t('limit')}: `}
                {limit(plan.data.limits.eventsPerMonth)}
                {usage.data && (
                  <>
                    {' '}
                    · {t('begins anew')} <Time at={usage.data.resetsAt} relative />
                  </>
                )}
              </dd>
              <dt>{t('Endpoints')}</dt>
              <dd>{limit(plan.data.limits.endpoints)}</dd>
              <dt>{t('Requests a second')}</dt>
              <dd>{limit(plan.data.limits.requestsPerSecond)}</dd>
              <dt>{t('Events are kept')}</dt>
              <dd>
                {plan.data.limits.retentionDays.events === 0
                  ? t('for ever')
                  : t('{n} days', { n: plan.data.limits.retentionDays.events })}
              </dd>
            </dl>
          )}
        </div>
      </Card>
      <SigningSecret />
      <Card title={t('Addresses that deliveries come from')}>
        <div className="card-body">
          {ips.data?.ips.length === 0 && (
            <p className="muted">
              {t('None are set: whoever runs this service names them in EGRESS_IPS.')}
            </p>
          )}
          {ips.data !== undefined && ips.data.ips.length > 0 && (
            <Code text={ips.data.ips.join('\n')} label={t('Addresses')} />
          )}
        </div>
      </Card>
    </div>
  )
}

/** The secret that signs for endpoints without one of their own. */
function SigningSecret() {
  const [isShown, setShown] = useState(false)
  const query = useQuery({
    queryKey: ['signing-secret'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/signing-secret', { signal })),
    enabled: isShown,
    gcTime: 0,
  })
  return (
    <Card
      title={t('Signing secret')}
      actions={
        <Button size="small" onClick={() => setShown(!isShown)}>
          {isShown ? t('Hide') : t('Show')}
        </Button>
      }
    >
      <div className="card-body stack tight">
        <p className="muted">{t('It signs for every endpoint that has no secret of its own.')}</p>
        {query.error && <ErrorNote error={query.error} />}
        {isShown && query.data && (
          <Code text={query.data.signingSecret} label={t('Signing secret')} />
        )}
      </div>
    </Card>
  )
}
