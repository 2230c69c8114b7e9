/** E-mail domains, each proved by a TXT record: step 1, for a connection counts for those alone. */
import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Clock, Globe, Plus } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { apiCurl } from '../../events/curl.ts'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { problemOf, TextField } from '../../ui/form.tsx'
import { Button, Card, Code, Empty, ErrorNote, Skeleton } from '../../ui/parts.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { useForm } from '../auth/form-state.ts'

type Domain = Awaited<ReturnType<typeof readDomains>>['data'][number]

function readDomains(cursor: string | undefined, signal?: AbortSignal) {
  const query = { limit: 100, ...(cursor && { cursor }) }
  return answerOf(api.GET('/api/v1/sso/domains', { params: { query }, ...(signal && { signal }) }))
}

export function useDomains() {
  return usePages<Domain>(['sso', 'domains'], readDomains)
}

export function Domains() {
  const client = useQueryClient()
  const list = useDomains()
  const off = useOff('*')
  const form = useForm(async ({ domain = '' }) => {
    await answerOf(api.POST('/api/v1/sso/domains', { body: { domain: domain.trim() } }))
    await client.invalidateQueries({ queryKey: ['sso', 'domains'] })
  })
  return (
    <Card title={t('1. Prove your e-mail domain')}>
      <div className="card-body stack">
        <form className="inline-form" onSubmit={form.onSubmit}>
          <TextField
            label={t('Domain')}
            name="domain"
            required
            placeholder="example.com"
            className="mono"
            problem={problemOf(form.error, 'domain')}
          />
          <Button
            type="submit"
            look="main"
            off={off ?? (form.isBusy ? t('One moment …') : undefined)}
          >
            <Plus size={14} aria-hidden /> {t('Add the domain')}
          </Button>
        </form>
        {form.error !== null && <ErrorNote error={form.error} />}
        {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
        {list.isPending && <Skeleton lines={2} />}
      </div>
      {list.data && list.rows.length === 0 && (
        <Empty
          icon={Globe}
          title={t('No domains yet')}
          command={apiCurl('/sso/domains', { domain: 'example.com' })}
        >
          {t(
            'Add the part of your addresses behind the @. You then put one text into its DNS, which shows that it is yours.',
          )}
        </Empty>
      )}
      <ul className="list">
        {list.rows.map((domain) => (
          <DomainEntry key={domain.id} domain={domain} off={off} />
        ))}
      </ul>
    </Card>
  )
}

function DomainEntry({ domain, off }: { domain: Domain; off: string | undefined }) {
  const client = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const [isMissing, setMissing] = useState(false)
  const { id, domain: name, status, txtRecord, verifiedAt } = domain
  const params = { path: { id } }
  const refresh = () => client.invalidateQueries({ queryKey: ['sso', 'domains'] })
  async function verify(): Promise<void> {
    const answer = await answerOf(api.POST('/api/v1/sso/domains/{id}/verify', { params }))
    setMissing(answer.status !== 'verified')
    if (answer.status === 'verified') toast(t('The domain is proved.'))
    await refresh()
  }
  return (
    <li>
      <span className="grow strong mono wrap">{name}</span>
      {status === 'verified' ? (
        <span className="badge delivered">
          <CircleCheck size={14} aria-hidden /> {t('proved')}{' '}
          {verifiedAt && <Time at={verifiedAt} relative />}
        </span>
      ) : (
        <>
          <span className="badge queued">
            <Clock size={14} aria-hidden /> {t('waits for its record')}
          </span>
          <Button
            size="small"
            off={off}
            onClick={() => {
              setError(null)
              verify().catch(setError)
            }}
          >
            {t('Look for it now')}
          </Button>
        </>
      )}
      <DeleteButton
        size="small"
        name={name}
        off={off}
        onDelete={async () => {
          await answerOf(api.DELETE('/api/v1/sso/domains/{id}', { params }))
          await refresh()
        }}
      >
        {t('Its people do not join by themselves any more.')}
      </DeleteButton>
      {status !== 'verified' && (
        <div className="full stack tight">
          <p className="muted">
            {t('In the DNS of {name}, add a TXT record at the domain itself with this text:', {
              name,
            })}
          </p>
          <Code text={txtRecord} label={t('TXT record')} />
          {isMissing && (
            <p className="failed strong" role="status">
              {t('It is not there yet. New records can take an hour to be seen everywhere.')}
            </p>
          )}
        </div>
      )}
      {error !== null && (
        <div className="full">
          <ErrorNote error={error} />
        </div>
      )}
    </li>
  )
}
