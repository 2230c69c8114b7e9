/** One's passkeys: adding one asks the browser for it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { t } from '../../texts/t.ts'
import { Button, Card, ErrorNote } from '../../ui/parts.tsx'
import { Time } from '../../ui/time.tsx'

export function Passkeys() {
  const client = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const query = useQuery({
    queryKey: ['passkeys'],
    queryFn: ({ signal }) => answerOf(api.GET('/auth/passkeys', { signal })),
  })
  async function change(work: () => Promise<unknown>): Promise<void> {
    setError(null)
    await work().catch(setError)
    await client.invalidateQueries({ queryKey: ['passkeys'] })
  }
  return (
    <Card
      title={t('Passkeys')}
      actions={
        <Button size="small" onClick={() => void change(addPasskey)}>
          <Fingerprint size={14} aria-hidden /> {t('Add one')}
        </Button>
      }
    >
      {(error ?? query.error) !== null && (
        <div className="card-body">
          <ErrorNote error={error ?? query.error} />
        </div>
      )}
      {query.data?.data.length === 0 && (
        <p className="card-body muted">
          {t('None yet. A passkey signs in without a password and can’t be phished.')}
        </p>
      )}
      <ul className="list">
        {query.data?.data.map(({ id, name, createdAt, lastUsedAt }) => (
          <li key={id}>
            <span className="grow">
              <span className="strong">{name}</span>{' '}
              <span className="small muted">
                {lastUsedAt ? (
                  <>
                    {t('used')} <Time at={lastUsedAt} relative />
                  </>
                ) : (
                  <>
                    {t('made')} <Time at={createdAt} relative />
                  </>
                )}
              </span>
            </span>
            <Button
              size="small"
              look="danger"
              onClick={() =>
                void change(() =>
                  answerOf(api.DELETE('/auth/passkeys/{id}', { params: { path: { id } } })),
                )
              }
            >
              {t('Remove')}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

async function addPasskey(): Promise<void> {
  const options = await answerOf(api.POST('/auth/passkeys/options'))
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never)
  const made = await navigator.credentials.create({ publicKey }).catch(() => null)
  if (!(made instanceof PublicKeyCredential)) throw new Error(t('No passkey was made.'))
  const platform = /Mac|Windows|Android|iPhone|Linux/.exec(navigator.userAgent)?.[0] ?? t('Passkey')
  await answerOf(
    api.POST('/auth/passkeys', { body: { name: platform, response: made.toJSON() as never } }),
  )
}
