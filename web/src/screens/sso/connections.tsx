/** The identity providers: setting one up, trying it, and asking everybody to use it. */
import { useQueryClient } from '@tanstack/react-query'
import { ExternalLink, KeyRound, Lock, LockOpen, Plus } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { apiCurl } from '../../events/curl.ts'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { Button, Card, Empty, ErrorNote } from '../../ui/parts.tsx'
import { Status } from '../../ui/status.tsx'
import { toast } from '../../ui/toast.tsx'
import { EnforceDialog } from './enforce-dialog.tsx'
import { NewConnection } from './new-connection.tsx'
import { ProviderValues } from './provider-values.tsx'
import { type Connection, readConnections } from './read-connections.ts'

const EXAMPLE = {
  type: 'oidc',
  name: 'Okta',
  domains: ['example.com'],
  oidc: { issuer: 'https://example.okta.com', clientId: '…', clientSecret: '…' },
}

export function Connections() {
  const [isMaking, setMaking] = useState(false)
  const off = useOff('*')
  const list = usePages<Connection>(['sso', 'connections'], readConnections)
  const add = (
    <Button size="small" look="main" off={off} onClick={() => setMaking(true)}>
      <Plus size={14} aria-hidden /> {t('New connection')}
    </Button>
  )
  return (
    <Card title={t('2. Connect your identity provider')} actions={add} query={list}>
      {list.data && list.rows.length === 0 && (
        <Empty
          icon={KeyRound}
          title={t('No connections yet')}
          command={apiCurl('/sso/connections', EXAMPLE)}
        >
          {t(
            'Okta, Entra ID, Google, Keycloak or any other that speaks OpenID Connect or SAML 2.0. You get the values to enter there, and can try it before anybody has to use it.',
          )}
        </Empty>
      )}
      <ul className="list">
        {list.rows.map((connection) => (
          <Entry key={connection.id} connection={connection} off={off} />
        ))}
      </ul>
      {isMaking && <NewConnection onClose={() => setMaking(false)} />}
    </Card>
  )
}

function Entry({ connection, off }: { connection: Connection; off: string | undefined }) {
  const client = useQueryClient()
  const [isEnforcing, setEnforcing] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const { id, name, type, domains, status, enforced, loginUrl } = connection
  const params = { path: { id } }
  const refresh = () => client.invalidateQueries({ queryKey: ['sso', 'connections'] })
  async function relax(): Promise<void> {
    await answerOf(api.PATCH('/api/v1/sso/connections/{id}', { params, body: { enforced: false } }))
    await refresh()
    toast(t('Passwords are taken again.'))
  }
  return (
    <li>
      <span className="grow">
        <span className="row">
          <span className="strong wrap">{name}</span>
          <span className="pill">{type === 'oidc' ? 'OpenID Connect' : 'SAML 2.0'}</span>
          <Status of={status === 'active' ? 'active' : 'deactivated'} />
          {enforced && (
            <span className="badge delivered">
              <Lock size={14} aria-hidden /> {t('enforced')}
            </span>
          )}
        </span>
        <span className="small muted wrap">
          {domains.length === 0 ? t('for no domain yet') : domains.join(', ')}
        </span>
      </span>
      <span className="row tight">
        <a className="button small" href={loginUrl} target="_blank" rel="noreferrer">
          <ExternalLink size={14} aria-hidden /> {t('Try it')}
        </a>
        <Button
          size="small"
          off={off}
          onClick={() => {
            setError(null)
            if (enforced) relax().catch(setError)
            else setEnforcing(true)
          }}
        >
          {enforced ? <LockOpen size={14} aria-hidden /> : <Lock size={14} aria-hidden />}
          {enforced ? t('Take passwords again') : t('Enforce')}
        </Button>
        <DeleteButton
          size="small"
          name={name}
          off={off}
          onDelete={async () => {
            await answerOf(api.DELETE('/api/v1/sso/connections/{id}', { params }))
            await refresh()
          }}
        >
          {t('Its members stay, and sign in otherwise.')}
        </DeleteButton>
      </span>
      {error !== null && (
        <div className="full">
          <ErrorNote error={error} />
        </div>
      )}
      <details className="full">
        <summary>{t('Values for your identity provider')}</summary>
        <ProviderValues connection={connection} />
      </details>
      {isEnforcing && <EnforceDialog connection={connection} onClose={() => setEnforcing(false)} />}
    </li>
  )
}
