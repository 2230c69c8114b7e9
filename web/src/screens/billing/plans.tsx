/** The plans beside each other, and what a change would cost before it is made. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Minus } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/form.tsx'
import { Button, Card, ErrorNote, Skeleton } from '../../ui/parts.tsx'
import { count, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { useForm } from '../auth/form-state.ts'
import type { Overview, Plan } from './read-overview.ts'
import { money } from './money.ts'

type Cycle = 'monthly' | 'annual'
type PlanId = 'free' | 'starter' | 'growth' | 'scale' | 'self_hosted'

export function Plans({ overview, isSold }: { overview: Overview; isSold: boolean }) {
  const [{ cycle = 'monthly' }, change] = useUrlState()
  const [error, setError] = useState<unknown>(null)
  const [chosen, setChosen] = useState<Plan | null>(null)
  const off = useOff('billing:write')
  const wanted: Cycle = cycle === 'annual' ? 'annual' : 'monthly'
  const choose = (plan: Plan): void => {
    setError(null)
    if (overview.subscription !== null) setChosen(plan)
    else checkOut(plan.id as PlanId, wanted).catch(setError)
  }
  return (
    <Card
      title={t('Plans')}
      actions={
        isSold && (
          <Select
            aria-label={t('Paid')}
            value={wanted}
            onChange={({ target }) => change({ cycle: target.value })}
            options={[
              ['monthly', t('by the month')],
              ['annual', t('by the year')],
            ]}
          />
        )
      }
    >
      <div className="card-body stack">
        {error !== null && <ErrorNote error={error} />}
        <div className="plans">
          {overview.plans.map((plan) => (
            <PlanColumn
              key={plan.id}
              plan={plan}
              cycle={wanted}
              isCurrent={plan.id === overview.plan}
              off={off}
              onChoose={() => choose(plan)}
            />
          ))}
        </div>
      </div>
      {chosen !== null && (
        <ChangeDialog plan={chosen} cycle={wanted} onClose={() => setChosen(null)} />
      )}
    </Card>
  )
}

async function checkOut(planId: PlanId, cycle: Cycle): Promise<void> {
  const { url } = await answerOf(api.POST('/api/v1/billing/checkout', { body: { planId, cycle } }))
  location.assign(url)
}

interface PlanColumnProps {
  plan: Plan
  cycle: Cycle
  isCurrent: boolean
  off: string | undefined
  onChoose: () => void
}

function PlanColumn({ plan, cycle, isCurrent, off, onChoose }: PlanColumnProps) {
  const { limits, features } = plan
  const price = plan[cycle]
  const upTo = (value: number): string => (value === 0 ? t('any number') : count(value))
  return (
    <section className={isCurrent ? 'plan current' : 'plan'} aria-label={plan.name}>
      <div className="row apart">
        <h3>{plan.name}</h3>
        {isCurrent && <span className="pill">{t('yours')}</span>}
      </div>
      {price !== null && (
        <p>
          <span className="big">{money(price, plan.currency)}</span>{' '}
          <span className="small muted">{cycle === 'annual' ? t('a year') : t('a month')}</span>
        </p>
      )}
      <dl className="facts small">
        <dt>{t('Events a month')}</dt>
        <dd>{upTo(limits.eventsPerMonth)}</dd>
        <dt>{t('Requests a second')}</dt>
        <dd>{upTo(limits.requestsPerSecond)}</dd>
        <dt>{t('Endpoints')}</dt>
        <dd>{upTo(limits.endpoints)}</dd>
        <dt>{t('Kept')}</dt>
        <dd>
          {limits.retentionDays.events === 0
            ? t('for ever')
            : t('{n} days', { n: limits.retentionDays.events })}
        </dd>
      </dl>
      <ul className="features small">
        {Object.entries(features).map(([name, isIn]) => (
          <li key={name} className={isIn ? undefined : 'muted'}>
            {isIn ? (
              <Check size={14} className="delivered" aria-label={t('with')} />
            ) : (
              <Minus size={14} aria-label={t('without')} />
            )}
            {featureName(name)}
          </li>
        ))}
      </ul>
      {price !== null && !isCurrent && (
        <Button size="small" off={off} onClick={onChoose}>
          {t('Choose {name}', { name: plan.name })}
        </Button>
      )}
    </section>
  )
}

function featureName(name: string): string {
  const names: Readonly<Record<string, string>> = {
    transformations: t('Transformations'),
    inbound: t('Inbound'),
    alerting: t('Alerting'),
    sub_accounts: t('Sub-accounts'),
    sso: t('Single sign-on'),
    saml: 'SAML',
    scim: 'SCIM',
    gdpr: t('Data subject requests'),
  }
  return names[name] ?? name
}

interface ChangeDialogProps {
  plan: Plan
  cycle: Cycle
  onClose: () => void
}

function ChangeDialog({ plan, cycle, onClose }: ChangeDialogProps) {
  const client = useQueryClient()
  const body = { planId: plan.id as PlanId, cycle }
  const preview = useQuery({
    queryKey: ['billing', 'preview', plan.id, cycle],
    queryFn: ({ signal }) => answerOf(api.POST('/api/v1/billing/preview-update', { body, signal })),
    gcTime: 0,
    retry: false,
  })
  const form = useForm(async () => {
    await answerOf(api.POST('/api/v1/billing/update', { body }))
    await client.invalidateQueries({ queryKey: ['billing'] })
    toast(t('The plan is changed.'))
    onClose()
  })
  const error = form.error ?? preview.error
  const shown = preview.data
  return (
    <Dialog title={t('Change to {name}', { name: plan.name })} onClose={onClose}>
      {preview.isPending && <Skeleton lines={3} />}
      {error !== null && <ErrorNote error={error} />}
      {shown && (
        <>
          <p>
            {shown.effective === 'immediately' ? t('In force at once.') : t('In force from')}{' '}
            {shown.effective === 'period_end' && <Time at={shown.effectiveAt} />}
          </p>
          <ul className="list">
            {shown.lines.map(({ description, amount, periodStart, periodEnd }) => (
              <li key={`${description}${periodStart}${periodEnd}`}>
                <span className="grow">{description}</span>
                <span>{money(amount, shown.currency)}</span>
              </li>
            ))}
          </ul>
          <dl className="facts">
            <dt>{t('To pay now')}</dt>
            <dd className="strong">{money(shown.amountDue, shown.currency)}</dd>
            <dt>{t('Then each period')}</dt>
            <dd>{money(shown.recurringAmount, shown.currency)}</dd>
          </dl>
        </>
      )}
      <form className="modal-foot" onSubmit={form.onSubmit}>
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button
          type="submit"
          look="main"
          off={shown && !form.isBusy ? undefined : t('One moment …')}
        >
          {t('Change the plan')}
        </Button>
      </form>
    </Dialog>
  )
}
