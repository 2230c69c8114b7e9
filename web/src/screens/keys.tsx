/** API keys: what each may do, shown once when it is made. */
import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../api/client.ts'
import { usePages } from '../api/queries.ts'
import { SecretShown } from '../endpoints/secret-shown.tsx'
import { useOff } from '../session.tsx'
import { t } from '../texts/t.ts'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Check, problemOf, SelectField, TextField } from '../ui/form.tsx'
import { Button, Card, Empty, ErrorNote, PageHead, Skeleton } from '../ui/parts.tsx'
import { Time } from '../ui/time.tsx'
import { useForm } from './auth/form-state.ts'

type Row = Schemas['ApiKey']

export function Keys() {
  const client = useQueryClient()
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const [revoked, setRevoked] = useState<Row | null>(null)
  const off = useOff('api-keys:write')
  const list = usePages<Row>(['keys'], (cursor, signal) =>
    answerOf(
      api.GET('/api/v1/api-keys', {
        params: { query: { limit: 100, ...(cursor && { cursor }) } },
        signal,
      }),
    ),
  )
  return (
    <>
      <PageHead
        title={t('API keys')}
        about={t('With what your own servers call the API.')}
        actions={
          <Button look="main" off={off} onClick={() => setMaking(true)}>
            <Plus size={14} aria-hidden /> {t('New key')}
          </Button>
        }
      />
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={5} />}
      {list.data && (
        <Card>
          {list.rows.length === 0 && (
            <Empty icon={KeyRound} title={t('No keys yet')}>
              {t('Make one for each server, with no more scopes than it needs.')}
            </Empty>
          )}
          <ul className="list">
            {list.rows.map((key) => (
              <KeyEntry key={key.id} apiKey={key} off={off} onRevoke={() => setRevoked(key)} />
            ))}
          </ul>
        </Card>
      )}
      {isMaking && <NewKey onClose={() => setMaking(false)} onMade={setMade} />}
      {made !== null && (
        <SecretShown title={t('The new API key')} secret={made} onClose={() => setMade(null)} />
      )}
      {revoked !== null && (
        <Confirm
          title={t('Revoke {name}?', { name: revoked.name })}
          action={t('Revoke it')}
          onClose={() => setRevoked(null)}
          onConfirm={async () => {
            await answerOf(
              api.DELETE('/api/v1/api-keys/{id}', { params: { path: { id: revoked.id } } }),
            )
            await client.invalidateQueries({ queryKey: ['keys'] })
          }}
        >
          {t('Whatever uses it is refused within a second. It can’t be brought back.')}
        </Confirm>
      )}
    </>
  )
}

function KeyEntry({
  apiKey,
  off,
  onRevoke,
}: {
  apiKey: Row
  off: string | undefined
  onRevoke: () => void
}) {
  const { name, keyPrefix, scopes, isActive, expiresAt, createdAt, rateLimit } = apiKey
  return (
    <li>
      <span className="grow">
        <span className="strong">{name}</span> <code className="muted">{keyPrefix}…</code>
        <span className="small muted wrap" style={{ display: 'block' }}>
          {scopes.includes('*') ? t('may do everything') : scopes.join(', ')}
          {rateLimit !== null && ` · ${t('{n} requests a second', { n: rateLimit })}`}
        </span>
      </span>
      <span className="small muted">
        {expiresAt === null ? (
          <>
            {t('made')} <Time at={createdAt} relative />
          </>
        ) : (
          <>
            {t('ends')} <Time at={expiresAt} relative />
          </>
        )}
      </span>
      {isActive ? (
        <Button look="danger" size="small" off={off} onClick={onRevoke}>
          {t('Revoke')}
        </Button>
      ) : (
        <span className="badge disabled">{t('ended')}</span>
      )}
    </li>
  )
}

const RESOURCES = [
  'events',
  'deliveries',
  'endpoints',
  'event-types',
  'inbound',
  'alerts',
  'connectors',
  'analytics',
  'api-keys',
  'team',
  'projects',
  'sub-accounts',
  'audit',
  'billing',
  'account',
]
const DAY_MS = 86_400_000

function NewKey({ onClose, onMade }: { onClose: () => void; onMade: (key: string) => void }) {
  const client = useQueryClient()
  const [isAll, setAll] = useState(false)
  const form = useForm(async (fields) => {
    const scopes = isAll ? ['*'] : Object.keys(fields).filter((name) => name.includes(':'))
    const days = Number(fields['days'])
    const expiresAt = days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString()
    const body = { name: fields['name'] ?? '', scopes: scopes as never, expiresAt }
    const { key } = await answerOf(api.POST('/api/v1/api-keys', { body }))
    await client.invalidateQueries({ queryKey: ['keys'] })
    onClose()
    onMade(key)
  })
  return (
    <Dialog title={t('New API key')} onClose={onClose} broad>
      <form className="stack" onSubmit={form.onSubmit}>
        <TextField
          label={t('Name')}
          name="name"
          required
          autoFocus
          maxLength={100}
          placeholder={t('Order service, production')}
          problem={problemOf(form.error, 'name')}
        />
        <SelectField
          label={t('Ends')}
          name="days"
          options={[
            ['0', t('never')],
            ['30', t('in 30 days')],
            ['90', t('in 90 days')],
            ['365', t('in a year')],
          ]}
        />
        <fieldset className="stack tight">
          <legend>{t('What it may do')}</legend>
          <Check
            label={t('Everything')}
            checked={isAll}
            onChange={(event) => setAll(event.target.checked)}
          />
          {!isAll && (
            <div className="checks">
              {RESOURCES.flatMap((resource) => [`${resource}:read`, `${resource}:write`]).map(
                (scope) => (
                  <Check
                    key={scope}
                    label={scope}
                    name={scope}
                    defaultChecked={scope === 'events:write'}
                  />
                ),
              )}
            </div>
          )}
        </fieldset>
        {form.error !== null && <ErrorNote error={form.error} />}
        <div className="modal-foot">
          <Button type="submit" look="main" off={form.isBusy ? t('One moment …') : undefined}>
            {t('Make the key')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
