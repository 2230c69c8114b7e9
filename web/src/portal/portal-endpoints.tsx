/** The endpoints of a sub-account, and making one. */
import { useQueryClient } from '@tanstack/react-query'
import { Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../api/client.ts'
import { usePages } from '../api/queries.ts'
import { endpointColumns } from '../endpoints/endpoint-columns.tsx'
import { EndpointForm, NEW_ENDPOINT } from '../endpoints/endpoint-form.tsx'
import { SecretShown } from '../endpoints/secret-shown.tsx'
import { t } from '../texts/t.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Button, Empty, PageHead } from '../ui/parts.tsx'
import { RowList } from '../ui/row-list.tsx'
import { useUrlState } from '../ui/url-state.ts'
import { portalValues, usePortalEventTypes } from './portal-values.ts'
import type { May } from './portal-session.ts'

type Row = Schemas['PortalEndpoint']

export function PortalEndpoints({ may }: { may: May }) {
  const [, change] = useUrlState()
  const [isMaking, setMaking] = useState(false)
  const list = usePages<Row>(['endpoints', 'list'], (cursor, signal) =>
    answerOf(
      api.GET('/sub-account-api/endpoints', {
        params: { query: { limit: 100, ...(cursor && { cursor }) } },
        signal,
      }),
    ),
  )
  const add = may('endpoints:write') && (
    <Button look="main" onClick={() => setMaking(true)}>
      <Plus size={14} aria-hidden /> {t('New endpoint')}
    </Button>
  )
  const open = (id: string): void => change({ view: 'endpoints', id })
  return (
    <>
      <PageHead
        title={t('Endpoints')}
        about={t('Where we tell your systems what happens.')}
        actions={add}
      />
      <RowList
        label={t('Endpoints')}
        list={list}
        columns={endpointColumns()}
        onOpen={({ id }) => open(id)}
      >
        <Empty icon={Webhook} title={t('No endpoints yet')} action={add}>
          {t(
            'An endpoint is a URL of your own server. Each event that it subscribes to is sent there, signed.',
          )}
        </Empty>
      </RowList>
      {isMaking && <NewEndpoint onClose={() => setMaking(false)} onMade={open} />}
    </>
  )
}

function NewEndpoint({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }) {
  const client = useQueryClient()
  const names = usePortalEventTypes()
  const [made, setMade] = useState<Schemas['PortalEndpointCreated'] | null>(null)
  if (made?.signingSecret) {
    return (
      <SecretShown
        title={t('The signing secret')}
        secret={made.signingSecret}
        onClose={() => onMade(made.id)}
      />
    )
  }
  return (
    <Dialog title={t('New endpoint')} onClose={onClose} broad>
      <EndpointForm
        values={NEW_ENDPOINT}
        eventTypes={names}
        action={t('Make the endpoint')}
        isFull={false}
        onSave={async (values) => {
          const endpoint = await answerOf(
            api.POST('/sub-account-api/endpoints', { body: portalValues(values) }),
          )
          await client.invalidateQueries({ queryKey: ['endpoints'] })
          if (endpoint.signingSecret === null) onMade(endpoint.id)
          else setMade(endpoint)
        }}
      />
    </Dialog>
  )
}
