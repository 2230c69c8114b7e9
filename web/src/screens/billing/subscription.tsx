/** The subscription: what is paid until when, its end, and a change that waits. */
import { useQueryClient } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Button, Card, ErrorNote } from '../../ui/parts.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Overview } from './read-overview.ts'

type Subscribed = NonNullable<Overview['subscription']>

interface SubscriptionProps {
  subscription: Subscribed
  /** Of its plan. */
  name: string
}

export function Subscription({ subscription, name }: SubscriptionProps) {
  const client = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const [isEnding, setEnding] = useState(false)
  const off = useOff('billing:write')
  const { cycle, status, currentPeriodEnd, cancelAtPeriodEnd, scheduledChange } = subscription
  async function change(work: () => Promise<unknown>): Promise<void> {
    await work()
    await client.invalidateQueries({ queryKey: ['billing'] })
    toast(t('Saved.'))
  }
  const run = (work: () => Promise<unknown>): void => {
    setError(null)
    change(work).catch(setError)
  }
  return (
    <Card
      title={t('Subscription')}
      actions={
        <div className="row">
          <Button size="small" off={off} onClick={() => openPortal().catch(setError)}>
            <CreditCard size={14} aria-hidden /> {t('Cards and invoices')}
          </Button>
          {cancelAtPeriodEnd ? (
            <Button
              size="small"
              off={off}
              onClick={() => run(() => answerOf(api.POST('/api/v1/billing/resume')))}
            >
              {t('Keep it')}
            </Button>
          ) : (
            <Button size="small" look="danger" off={off} onClick={() => setEnding(true)}>
              {t('Cancel it')}
            </Button>
          )}
        </div>
      }
    >
      <div className="card-body stack tight">
        {error !== null && <ErrorNote error={error} />}
        <dl className="facts">
          <dt>{t('Plan')}</dt>
          <dd>
            <span className="strong">{name}</span> ·{' '}
            {cycle === 'annual' ? t('by the year') : t('by the month')}{' '}
            <span className="pill">{status}</span>
          </dd>
          {currentPeriodEnd && (
            <>
              <dt>{cancelAtPeriodEnd ? t('Ends') : t('Renews')}</dt>
              <dd>
                <Time at={currentPeriodEnd} />
              </dd>
            </>
          )}
          {scheduledChange && (
            <>
              <dt>{t('Changes to')}</dt>
              <dd className="row">
                {scheduledChange.planId} · <Time at={scheduledChange.effectiveAt} />
                <Button
                  size="small"
                  off={off}
                  onClick={() =>
                    run(() => answerOf(api.DELETE('/api/v1/billing/scheduled-change')))
                  }
                >
                  {t('Take it back')}
                </Button>
              </dd>
            </>
          )}
        </dl>
      </div>
      {isEnding && (
        <Confirm
          title={t('Cancel the subscription?')}
          action={t('Cancel it')}
          onClose={() => setEnding(false)}
          onConfirm={() => change(() => answerOf(api.POST('/api/v1/billing/cancel')))}
        >
          {t('It goes on to the end of the period that is paid, and can be kept until then.')}
        </Confirm>
      )}
    </Card>
  )
}

async function openPortal(): Promise<void> {
  const { url } = await answerOf(api.POST('/api/v1/billing/portal'))
  location.assign(url)
}
