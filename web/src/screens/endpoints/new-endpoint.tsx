/** Making an endpoint; its secret is shown once, and then it can be tested. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { EndpointForm, NEW_ENDPOINT } from '../../endpoints/endpoint-form.tsx'
import { SecretShown } from '../../endpoints/secret-shown.tsx'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { Card, PageHead } from '../../ui/parts.tsx'
import { useEventTypeNames } from './event-type-names.ts'

export function NewEndpoint() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [created, setCreated] = useState<Schemas['EndpointCreated'] | null>(null)
  const names = useEventTypeNames()
  const off = useOff('endpoints:write')
  function open(id: string): void {
    void navigate({ to: `/dashboard/endpoints/${id}` })
  }
  return (
    <>
      <PageHead
        title={t('New endpoint')}
        back={{ to: '/dashboard/endpoints', label: t('Endpoints') }}
      />
      <div className="cols">
        <Card>
          <div className="card-body">
            <EndpointForm
              values={{ ...NEW_ENDPOINT, url: '' }}
              eventTypes={names}
              action={t('Make the endpoint')}
              isFull
              off={off}
              onSave={async (body) => {
                const endpoint = await answerOf(api.POST('/api/v1/endpoints', { body }))
                await client.invalidateQueries({ queryKey: ['endpoints'] })
                if (endpoint.signingSecret === null) open(endpoint.id)
                else setCreated(endpoint)
              }}
            />
          </div>
        </Card>
        <Card title={t('What is sent')}>
          <div className="card-body stack tight">
            <p>
              {t(
                'Each request carries the time and a signature: HMAC-SHA256 over “time.body” with the secret of the endpoint.',
              )}
            </p>
            <p className="muted">
              {t('Answer 2xx within the timeout. Anything else is tried again, later each time.')}
            </p>
            <p>
              <a href="/docs">{t('API reference')}</a>
            </p>
          </div>
        </Card>
      </div>
      {created?.signingSecret && (
        <SecretShown
          title={t('The signing secret')}
          secret={created.signingSecret}
          onClose={() => open(created.id)}
        />
      )}
    </>
  )
}
