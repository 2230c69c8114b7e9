/** One sub-account: its portal, what it is, and the end of it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { CircleOff, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import { useOff } from '../session.tsx'
import { t } from '../texts/t.ts'
import { Confirm } from '../ui/dialog.tsx'
import { Button, Card, Json, NoAnswer, PageHead } from '../ui/parts.tsx'
import { Status } from '../ui/status.tsx'
import { Time } from '../ui/time.tsx'
import { SubAccountEmbed } from './sub-account-embed.tsx'
import { SubAccountSessions } from './sub-account-sessions.tsx'

export function SubAccount() {
  const { id } = useParams({ strict: false }) as { id: string }
  const client = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const off = useOff('sub-accounts:write')
  const params = { path: { id } }
  const query = useQuery({
    queryKey: ['sub-accounts', id],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/sub-accounts/{id}', { params, signal })),
  })
  const back = { to: '/dashboard/sub-accounts', label: t('Sub-accounts') }
  const account = query.data
  if (account === undefined) {
    return (
      <>
        <PageHead title={t('Sub-account')} back={back} />
        <NoAnswer query={query} />
      </>
    )
  }
  const isActive = account.status === 'active'
  async function setActive(): Promise<void> {
    const call = isActive
      ? api.DELETE('/api/v1/sub-accounts/{id}', { params })
      : api.PATCH('/api/v1/sub-accounts/{id}', { params, body: { status: 'active' } })
    await answerOf<unknown>(call)
    await client.invalidateQueries({ queryKey: ['sub-accounts'] })
  }
  return (
    <>
      <PageHead
        back={back}
        title={
          <span className="row">
            {account.name ?? account.externalId} <Status of={account.status} />
          </span>
        }
        about={<code className="wrap">{account.externalId}</code>}
        actions={
          <Button look={isActive ? 'danger' : undefined} off={off} onClick={() => setAsked(true)}>
            {isActive ? <CircleOff size={14} aria-hidden /> : <RotateCcw size={14} aria-hidden />}
            {isActive ? t('Deactivate') : t('Reactivate')}
          </Button>
        }
      />
      <div className="cols">
        <div className="stack">
          <SubAccountSessions
            id={id}
            off={off ?? (isActive ? undefined : t('It is deactivated.'))}
          />
          <SubAccountEmbed id={id} />
          <Card title={t('Metadata')}>
            <div className="card-body">
              <Json value={account.metadata ?? {}} label={t('Metadata')} />
            </div>
          </Card>
        </div>
        <Card title={t('Facts')}>
          <div className="card-body">
            <dl className="facts">
              <dt>{t('Id')}</dt>
              <dd className="mono">{account.id}</dd>
              <dt>{t('E-mail')}</dt>
              <dd>{account.email ?? '–'}</dd>
              <dt>{t('Made')}</dt>
              <dd>
                <Time at={account.createdAt} />
              </dd>
            </dl>
          </div>
        </Card>
      </div>
      {isAsked && (
        <Confirm
          title={isActive ? t('Deactivate it?') : t('Reactivate it?')}
          action={isActive ? t('Deactivate') : t('Reactivate')}
          onClose={() => setAsked(false)}
          onConfirm={setActive}
        >
          {isActive
            ? t(
                'It takes no new events and its portal closes. What was accepted is still delivered, and its history stays.',
              )
            : t('It takes events again.')}
        </Confirm>
      )}
    </>
  )
}
