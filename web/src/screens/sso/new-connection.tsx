/** Setting a connection up: what to do at the provider, what it gives, and what it is to be given. */
import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { t } from '../../texts/t.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, problemOf, SelectField, TextArea, TextField } from '../../ui/form.tsx'
import { Button, ErrorNote, Note } from '../../ui/parts.tsx'
import { type FormState, useForm } from '../auth/form-state.ts'
import { ProviderValues } from './provider-values.tsx'
import type { Connection } from './read-connections.ts'
import { useDomains } from './domains.tsx'
import { PROVIDERS, stepsOf } from './providers.ts'

export function NewConnection({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [type, setType] = useState<Connection['type']>('oidc')
  const [provider, setProvider] = useState('okta')
  const [made, setMade] = useState<Connection | null>(null)
  const domains = useDomains()
  const form = useForm(async (fields) => {
    const chosen = domains.rows.map(({ domain }) => domain).filter((name) => `@${name}` in fields)
    const common = { type, name: fields['name'] ?? '', domains: chosen }
    const body =
      type === 'oidc'
        ? {
            ...common,
            oidc: {
              issuer: fields['issuer'] ?? '',
              clientId: fields['clientId'] ?? '',
              clientSecret: fields['clientSecret'] ?? '',
            },
          }
        : { ...common, idpMetadata: fields['idpMetadata'] ?? '' }
    setMade(await answerOf(api.POST('/api/v1/sso/connections', { body: body as never })))
    await client.invalidateQueries({ queryKey: ['sso', 'connections'] })
  })
  if (made !== null) {
    return (
      <Dialog title={made.name} onClose={onClose} broad>
        <Note icon={CircleCheck}>
          <p className="strong">{t('The connection is made. Now enter these at your provider.')}</p>
          <p className="muted">{t('Then try it: nobody has to use it until you enforce it.')}</p>
        </Note>
        <ProviderValues connection={made} />
        <div className="modal-foot">
          <Button look="main" onClick={onClose}>
            {t('Done')}
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={t('New connection')} onClose={onClose} broad>
      <form className="stack" onSubmit={form.onSubmit}>
        <div className="two">
          <SelectField
            label={t('Identity provider')}
            value={provider}
            onChange={({ target }) => setProvider(target.value)}
            options={PROVIDERS}
          />
          <SelectField
            label={t('It speaks')}
            value={type}
            onChange={({ target }) => setType(target.value as Connection['type'])}
            options={[
              ['oidc', 'OpenID Connect'],
              ['saml', 'SAML 2.0'],
            ]}
          />
        </div>
        <ol className="steps" aria-label={t('What to do there')}>
          {stepsOf(provider, type).map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <Fields
          key={`${type}${provider}`}
          type={type}
          name={PROVIDERS.find(([id]) => id === provider)?.[1] ?? ''}
          form={form}
        />
        <fieldset className="checks">
          <legend>{t('Whose addresses')}</legend>
          {domains.rows.map(({ id, domain }) => (
            <Check key={id} label={domain} name={`@${domain}`} defaultChecked />
          ))}
          {domains.rows.length === 0 && (
            <p className="muted">{t('No domain is added yet; you can do that afterwards.')}</p>
          )}
        </fieldset>
        {form.error !== null && <ErrorNote error={form.error} />}
        <div className="modal-foot">
          <Button type="submit" look="main" off={form.isBusy ? t('One moment …') : undefined}>
            {t('Make the connection')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface FieldsProps {
  type: Connection['type']
  name: string
  form: FormState
}

function Fields({ type, name, form: { error } }: FieldsProps) {
  return (
    <>
      <TextField
        label={t('Name')}
        name="name"
        required
        maxLength={100}
        defaultValue={name}
        problem={problemOf(error, 'name')}
      />
      {type === 'oidc' ? (
        <>
          <TextField
            label={t('Issuer')}
            name="issuer"
            type="url"
            required
            className="mono"
            placeholder="https://example.okta.com"
            problem={problemOf(error, 'oidc.issuer')}
          />
          <div className="two">
            <TextField
              label={t('Client ID')}
              name="clientId"
              required
              className="mono"
              autoComplete="off"
              problem={problemOf(error, 'oidc.clientId')}
            />
            <TextField
              label={t('Client secret')}
              name="clientSecret"
              type="password"
              required
              className="mono"
              autoComplete="off"
              problem={problemOf(error, 'oidc.clientSecret')}
            />
          </div>
        </>
      ) : (
        <TextArea
          label={t('Metadata of the provider')}
          name="idpMetadata"
          rows={7}
          required
          placeholder="<EntityDescriptor …>"
          problem={problemOf(error, 'idpMetadata')}
          hint={t('The XML that the provider shows or lets you download.')}
        />
      )}
    </>
  )
}
