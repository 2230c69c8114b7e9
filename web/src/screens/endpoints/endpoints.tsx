/** All endpoints, with what is wrong with them. */
import { useNavigate } from '@tanstack/react-router'
import { Plus, Webhook } from 'lucide-react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { endpointColumns } from '../../endpoints/endpoint-columns.tsx'
import { t } from '../../texts/t.ts'
import type { Column } from '../../ui/grid.tsx'
import { ButtonLink, Empty, PageHead } from '../../ui/parts.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { apiCurl } from '../../events/curl.ts'

type Row = Schemas['Endpoint']

const EXAMPLE = { url: 'https://example.com/webhooks', eventTypes: ['*'] }

export function Endpoints() {
  const navigate = useNavigate()
  const list = usePages<Row>(['endpoints', 'list'], (cursor, signal) =>
    answerOf(
      api.GET('/api/v1/endpoints', {
        params: { query: { limit: 100, ...(cursor && { cursor }) } },
        signal,
      }),
    ),
  )
  return (
    <>
      <PageHead
        title={t('Endpoints')}
        about={t('Where events are delivered, and which of them.')}
        actions={
          <ButtonLink to={'/dashboard/endpoints/new' as string} look="main">
            <Plus size={14} aria-hidden /> {t('New endpoint')}
          </ButtonLink>
        }
      />
      <RowList
        label={t('Endpoints')}
        list={list}
        columns={columns()}
        onOpen={({ id }) => void navigate({ to: `/dashboard/endpoints/${id}` })}
      >
        <Empty
          icon={Webhook}
          title={t('No endpoints yet')}
          command={apiCurl('/endpoints', EXAMPLE)}
        >
          {t(
            'An endpoint is a URL of yours or of a customer, and the types of events that it wants.',
          )}
        </Empty>
      </RowList>
    </>
  )
}

function columns(): Column<Row>[] {
  return [
    ...endpointColumns(),
    { label: t('Mode'), width: '72px', broad: true, cell: ({ deliveryMode }) => deliveryMode },
    { label: t('Version'), width: '64px', broad: true, cell: ({ version }) => version },
  ]
}
