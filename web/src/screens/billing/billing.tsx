/** What is used and what it costs: the month against its quota, the plan, the plans, the invoices. */
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleSlash, Info, LoaderCircle } from 'lucide-react'
import { t } from '../../texts/t.ts'
import { Card, ErrorNote, Note, PageHead, Skeleton } from '../../ui/parts.tsx'
import { Time } from '../../ui/time.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { money } from './money.ts'
import { Plans } from './plans.tsx'
import { type Overview, readOverview } from './read-overview.ts'
import { Subscription } from './subscription.tsx'
import { Usage } from './usage.tsx'

/** Until the provider has told us of what was paid. */
const AGAIN_MS = 2_000

export function Billing() {
  const [{ checkout }] = useUrlState()
  const query = useQuery({
    queryKey: ['billing'],
    queryFn: ({ signal }) => readOverview(signal),
    refetchInterval: ({ state }) =>
      checkout === 'success' && state.data?.subscription === null ? AGAIN_MS : false,
  })
  const overview = query.data
  return (
    <>
      <PageHead
        title={t('Billing and usage')}
        about={t('What this workspace uses, and what it may use.')}
      />
      <div className="stack">
        {overview && <Outcome checkout={checkout} isPaid={overview.subscription !== null} />}
        <Usage />
        {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
        {query.isPending && <Skeleton lines={6} />}
        {overview && <Sold overview={overview} />}
      </div>
    </>
  )
}

/** What became of the checkout that the provider's page has led back from. */
function Outcome({ checkout, isPaid }: { checkout: string | undefined; isPaid: boolean }) {
  if (checkout === 'cancelled' && !isPaid) {
    return <Note icon={CircleSlash}>{t('Nothing was bought. The plan stays as it was.')}</Note>
  }
  if (checkout !== 'success') return null
  return (
    <div role="status" className={isPaid ? 'good' : undefined}>
      {isPaid ? (
        <Note icon={CircleCheck}>{t('The plan is paid, and in force from now on.')}</Note>
      ) : (
        <Note icon={LoaderCircle}>
          {t('The payment is being confirmed. This page shows it by itself.')}
        </Note>
      )}
    </div>
  )
}

/** Without a provider nothing is sold, and every workspace has the plan of the installation. */
function Sold({ overview }: { overview: Overview }) {
  const isSold = overview.plans.some(({ monthly, annual }) => monthly !== null || annual !== null)
  return (
    <>
      {!isSold && overview.subscription === null && (
        <Note icon={Info}>
          <p className="strong">{t('Nothing is sold here.')}</p>
          <p className="muted">
            {t(
              'This installation has no billing provider: its operator sets the plan with DEFAULT_PLAN, and nobody is asked to pay. With BILLING_PROVIDER=stripe plans are bought on this page.',
            )}
          </p>
        </Note>
      )}
      {overview.subscription && (
        <Subscription subscription={overview.subscription} name={nameOf(overview)} />
      )}
      <Plans overview={overview} isSold={isSold} />
      {(isSold || overview.invoices.length > 0) && <Invoices invoices={overview.invoices} />}
    </>
  )
}

function nameOf({ plans, subscription }: Overview): string {
  const id = subscription?.planId ?? ''
  return plans.find((plan) => plan.id === id)?.name ?? id
}

function Invoices({ invoices }: { invoices: Overview['invoices'] }) {
  return (
    <Card title={t('Invoices')}>
      {invoices.length === 0 && (
        <p className="card-body muted">{t('None yet. The first comes with a paid plan.')}</p>
      )}
      <ul className="list">
        {invoices.map(
          ({ id, number, amountDue, currency, status, createdAt, hostedUrl, pdfUrl }) => (
            <li key={id}>
              <span className="grow">
                <span className="strong">{number ?? id}</span>{' '}
                <span className="small muted">
                  <Time at={createdAt} />
                </span>
              </span>
              <span className="pill">{status}</span>
              <span className="strong">{money(amountDue, currency)}</span>
              {hostedUrl && (
                <a href={hostedUrl} target="_blank" rel="noreferrer">
                  {t('Open')}
                </a>
              )}
              {pdfUrl && (
                <a href={pdfUrl} target="_blank" rel="noreferrer">
                  PDF
                </a>
              )}
            </li>
          ),
        )}
      </ul>
    </Card>
  )
}
