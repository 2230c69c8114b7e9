/** Links to the portal of a sub-account, and the sessions that were made from them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2, Plus } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../api/client.ts'
import { t } from '../texts/t.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Check, problemOf, SelectField, TextField } from '../ui/form.tsx'
import { Button, Card, Code, Empty, ErrorNote, Note } from '../ui/parts.tsx'
import { Time } from '../ui/time.tsx'
import { useForm } from './auth/form-state.ts'

type Item = Schemas['SubAccountSessionItem']

export function SubAccountSessions({ id, off }: { id: string; off: string | undefined }) {
  const client = useQueryClient()
  const [isMinting, setMinting] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const query = useQuery({
    queryKey: ['sub-accounts', id, 'sessions'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/v1/sub-accounts/{id}/sessions', {
          params: { path: { id }, query: { limit: 50 } },
          signal,
        }),
      ),
  })
  async function revoke(sessionId: string): Promise<void> {
    setError(null)
    await answerOf(
      api.DELETE('/api/v1/sub-accounts/{id}/sessions/{sessionId}', {
        params: { path: { id, sessionId } },
      }),
    ).catch(setError)
    await client.invalidateQueries({ queryKey: ['sub-accounts', id] })
  }
  return (
    <Card
      title={t('Portal')}
      query={query}
      actions={
        <Button size="small" off={off} onClick={() => setMinting(true)}>
          <Plus size={14} aria-hidden /> {t('New link')}
        </Button>
      }
    >
      {error !== null && (
        <div className="card-body">
          <ErrorNote error={error} />
        </div>
      )}
      {query.data?.data.length === 0 && (
        <Empty icon={Link2} title={t('No links yet')}>
          {t(
            'A link opens the portal once. Your own page makes one whenever its customer wants in.',
          )}
        </Empty>
      )}
      <ul className="list">
        {query.data?.data.map((session) => (
          <Session
            key={session.id}
            session={session}
            off={off}
            onRevoke={() => void revoke(session.id)}
          />
        ))}
      </ul>
      {isMinting && <Mint id={id} onClose={() => setMinting(false)} />}
    </Card>
  )
}

function Session({
  session,
  off,
  onRevoke,
}: {
  session: Item
  off: string | undefined
  onRevoke: () => void
}) {
  const { created_at, expires_at, consumed_at, revoked_at, last_used_at, use_count, scopes } =
    session
  const isOver = revoked_at !== null || Date.parse(expires_at) < Date.now()
  return (
    <li>
      <span className="grow">
        <span className="strong">{consumed_at === null ? t('not opened yet') : t('opened')}</span>{' '}
        <span className="small muted">
          {t('made')} <Time at={created_at} relative />
        </span>
        <span className="small muted wrap" style={{ display: 'block' }}>
          {scopes.join(', ')}
          {last_used_at && (
            <>
              {' '}
              · {t('used {n} times, last', { n: use_count })} <Time at={last_used_at} relative />
            </>
          )}
        </span>
      </span>
      {isOver ? (
        <span className="badge deactivated">{revoked_at === null ? t('ended') : t('revoked')}</span>
      ) : (
        <Button size="small" look="danger" off={off} onClick={onRevoke}>
          {t('Revoke')}
        </Button>
      )}
    </li>
  )
}

const SCOPES = [
  'endpoints:read',
  'endpoints:write',
  'events:read',
  'events:retry',
  'deliveries:read',
] as const

function Mint({ id, onClose }: { id: string; onClose: () => void }) {
  const client = useQueryClient()
  const [url, setUrl] = useState<string | null>(null)
  const form = useForm(async (fields) => {
    const scopes = SCOPES.filter((scope) => scope in fields)
    const body = {
      expiresIn: Number(fields['expiresIn']),
      scopes,
      ...(fields['returnURL'] && { returnURL: fields['returnURL'] }),
    }
    const minted = await answerOf(
      api.POST('/api/v1/sub-accounts/{id}/sessions', { params: { path: { id } }, body }),
    )
    setUrl(minted.url)
    await client.invalidateQueries({ queryKey: ['sub-accounts', id] })
  })
  if (url !== null) {
    return (
      <Dialog title={t('The link')} onClose={onClose}>
        <Note icon={Link2} warning>
          {t('It opens once. Give it to nobody but this customer.')}
        </Note>
        <Code text={url} label={t('The link')} />
      </Dialog>
    )
  }
  return (
    <Dialog title={t('New link to the portal')} onClose={onClose}>
      <form className="stack" onSubmit={form.onSubmit}>
        <TextField
          label={t('Return URL')}
          name="returnURL"
          type="url"
          placeholder="https://app.example.com/webhooks"
          hint={t('Where the portal leads back to; empty: the workspace’s own.')}
          problem={problemOf(form.error, 'returnURL')}
        />
        <SelectField
          label={t('Lasts')}
          name="expiresIn"
          defaultValue="3600"
          options={[
            ['900', t('15 minutes')],
            ['3600', t('an hour')],
            ['28800', t('8 hours')],
            ['86400', t('a day')],
          ]}
        />
        <fieldset className="checks">
          <legend>{t('What it may do')}</legend>
          {SCOPES.map((scope) => (
            <Check key={scope} label={scope} name={scope} defaultChecked />
          ))}
        </fieldset>
        {form.error !== null && <ErrorNote error={form.error} />}
        <div className="modal-foot">
          <Button type="submit" look="main" off={form.isBusy ? t('One moment …') : undefined}>
            {t('Make the link')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
