/** Connectors: the places that rules tell, and that events are told of besides. */
import { useNavigate } from '@tanstack/react-router'
import { Plug, Plus } from 'lucide-react'
import { answerOf, api } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { apiCurl } from '../../events/curl.ts'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import type { Column } from '../../ui/grid.tsx'
import { Button, Empty, PageHead } from '../../ui/parts.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { Time } from '../../ui/time.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { ConnectorForm } from './connector-form.tsx'
import { CONNECTOR_TYPES, type ConnectorRow, lookOf } from './connector-types.ts'

const EXAMPLE = {
  name: 'ops-chat',
  type: 'slack',
  config: { webhookUrl: 'https://hooks.slack.com/services/T000/B000/XXXX' },
}

export function Connectors() {
  const [{ add }] = useUrlState()
  if (add !== undefined) return <NewConnector type={add} />
  return <List />
}

function List() {
  const [, change] = useUrlState()
  const navigate = useNavigate()
  const off = useOff('connectors:write')
  const list = usePages<ConnectorRow>(['connectors', 'list'], (cursor, signal) =>
    answerOf(
      api.GET('/api/v1/connectors', {
        params: { query: { limit: 100, ...(cursor && { cursor }) } },
        signal,
      }),
    ),
  )
  return (
    <>
      <PageHead
        title={t('Connectors')}
        about={t('Places that alert rules tell, and that events are told to if you like.')}
        actions={
          <Button look="main" off={off} onClick={() => change({ add: 'choose' })}>
            <Plus size={14} aria-hidden /> {t('New connector')}
          </Button>
        }
      />
      <RowList
        label={t('Connectors')}
        list={list}
        columns={columns()}
        onOpen={({ name }) => void navigate({ to: `/dashboard/connectors/${name}` })}
      >
        <Empty icon={Plug} title={t('No connectors yet')} command={apiCurl('/connectors', EXAMPLE)}>
          {t('A Slack channel, a mailbox, a webhook: set up once, told by many rules.')}
        </Empty>
      </RowList>
    </>
  )
}

function columns(): Column<ConnectorRow>[] {
  return [
    {
      label: t('Name'),
      width: 'minmax(110px, 1fr)',
      cell: ({ name }) => <span className="strong mono">{name}</span>,
    },
    {
      label: t('Where'),
      width: 'minmax(110px, 1fr)',
      cell: ({ type }) => {
        const { icon: Icon, label } = lookOf(type)
        return (
          <span className="badge">
            <Icon size={14} aria-hidden /> {label}
          </span>
        )
      },
    },
    {
      label: t('Told of events'),
      width: 'minmax(110px, 2fr)',
      broad: true,
      cell: ({ eventTypes }) =>
        eventTypes.length === 0 ? (
          <span className="muted">{t('alerts only')}</span>
        ) : (
          <span className="mono">{eventTypes.join(', ')}</span>
        ),
    },
    {
      label: t('Changed'),
      width: '150px',
      broad: true,
      cell: ({ updatedAt }) => <Time at={updatedAt} relative />,
    },
  ]
}

function NewConnector({ type }: { type: string }) {
  const [, change] = useUrlState()
  const navigate = useNavigate()
  const chosen = CONNECTOR_TYPES.find((one) => one === type)
  const back = { to: '/dashboard/connectors', label: t('Connectors') }
  if (chosen !== undefined) {
    return (
      <>
        <PageHead
          title={t('New connector: {type}', { type: lookOf(chosen).label })}
          back={{ ...back, search: { add: 'choose' } }}
        />
        <ConnectorForm
          type={chosen}
          connector={null}
          onSaved={async ({ name }) => {
            await navigate({ to: `/dashboard/connectors/${name}` })
          }}
        />
      </>
    )
  }
  return (
    <>
      <PageHead title={t('New connector')} about={t('Where should it tell?')} back={back} />
      <div className="tiles">
        {CONNECTOR_TYPES.map((one) => {
          const { icon: Icon, label, about } = lookOf(one)
          return (
            <button
              key={one}
              type="button"
              className="card tile"
              onClick={() => change({ add: one })}
            >
              <Icon size={20} aria-hidden />
              <span className="strong">{label}</span>
              <span className="small muted">{about}</span>
            </button>
          )
        })}
      </div>
    </>
  )
}
