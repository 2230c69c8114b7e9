/** SCIM: the provider makes and removes members by itself. Its address, its tokens, its steps. */
import { useQueryClient } from '@tanstack/react-query'
import { Plus, UserCog } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { SecretShown } from '../../endpoints/secret-shown.tsx'
import { apiCurl } from '../../events/curl.ts'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { problemOf, TextField } from '../../ui/form.tsx'
import { Button, Card, Code, Empty, ErrorNote } from '../../ui/parts.tsx'
import { Time } from '../../ui/time.tsx'
import { useForm } from '../auth/form-state.ts'

type Token = Awaited<ReturnType<typeof readTokens>>['data'][number]

function readTokens(cursor: string | undefined, signal?: AbortSignal) {
  const query = { limit: 100, ...(cursor && { cursor }) }
  return answerOf(api.GET('/api/v1/scim-tokens', { params: { query }, ...(signal && { signal }) }))
}

export function Provisioning() {
  const client = useQueryClient()
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const [revoked, setRevoked] = useState<Token | null>(null)
  const off = useOff('*')
  const list = usePages<Token>(['scim-tokens'], readTokens)
  return (
    <div className="cols">
      <Card
        title={t('Tokens')}
        query={list}
        actions={
          <Button size="small" look="main" off={off} onClick={() => setMaking(true)}>
            <Plus size={14} aria-hidden /> {t('New token')}
          </Button>
        }
      >
        {list.data && list.rows.length === 0 && (
          <Empty
            icon={UserCog}
            title={t('No tokens yet')}
            command={apiCurl('/scim-tokens', { name: 'Okta' })}
          >
            {t(
              'With a token your identity provider makes members, changes their names and removes them: whoever leaves the company is out of here at once.',
            )}
          </Empty>
        )}
        <ul className="list">
          {list.rows.map((token) => (
            <li key={token.id}>
              <span className="grow">
                <span className="strong wrap">{token.name}</span>{' '}
                <span className="small muted">
                  {token.lastUsedAt ? (
                    <>
                      {t('used')} <Time at={token.lastUsedAt} relative />
                    </>
                  ) : (
                    t('never used')
                  )}
                </span>
              </span>
              <Button size="small" look="danger" off={off} onClick={() => setRevoked(token)}>
                {t('Revoke')}
              </Button>
            </li>
          ))}
        </ul>
      </Card>
      <Steps />
      {isMaking && <NewToken onClose={() => setMaking(false)} onMade={setMade} />}
      {made !== null && (
        <SecretShown title={t('The new token')} secret={made} onClose={() => setMade(null)} />
      )}
      {revoked !== null && (
        <Confirm
          title={t('Revoke {name}?', { name: revoked.name })}
          action={t('Revoke it')}
          onClose={() => setRevoked(null)}
          onConfirm={async () => {
            const params = { path: { id: revoked.id } }
            await answerOf(api.DELETE('/api/v1/scim-tokens/{id}', { params }))
            await client.invalidateQueries({ queryKey: ['scim-tokens'] })
          }}
        >
          {t('The provider is refused within two seconds. Members stay as they are.')}
        </Confirm>
      )}
    </div>
  )
}

function Steps() {
  return (
    <Card title={t('How to set it up')}>
      <div className="card-body stack">
        <div className="field">
          <span className="label">{t('Base URL')}</span>
          <Code text={`${location.origin}/scim/v2`} label={t('Base URL')} />
        </div>
        <ol className="steps">
          <li>{t('Make a token here; it is shown once.')}</li>
          <li>
            {t(
              'Okta: the application → Provisioning → Configure API Integration. Entra: Enterprise applications → Provisioning → Automatic.',
            )}
          </li>
          <li>{t('Enter the base URL, and the token as the bearer token. Test it there.')}</li>
          <li>
            {t('Let it make, update and deactivate users. The user name is the e-mail address.')}
          </li>
        </ol>
        <p className="small muted">
          {t(
            'Users are known; groups are not. Deactivating somebody ends their sessions and keys.',
          )}
        </p>
      </div>
    </Card>
  )
}

function NewToken({ onClose, onMade }: { onClose: () => void; onMade: (token: string) => void }) {
  const client = useQueryClient()
  const form = useForm(async ({ name = '' }) => {
    const { token } = await answerOf(api.POST('/api/v1/scim-tokens', { body: { name } }))
    await client.invalidateQueries({ queryKey: ['scim-tokens'] })
    onClose()
    onMade(token)
  })
  return (
    <Dialog title={t('New token')} onClose={onClose}>
      <form className="stack" onSubmit={form.onSubmit}>
        <TextField
          label={t('Name')}
          name="name"
          required
          autoFocus
          maxLength={100}
          placeholder="Okta"
          problem={problemOf(form.error, 'name')}
        />
        {form.error !== null && <ErrorNote error={form.error} />}
        <div className="modal-foot">
          <Button type="submit" look="main" off={form.isBusy ? t('One moment …') : undefined}>
            {t('Make the token')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
