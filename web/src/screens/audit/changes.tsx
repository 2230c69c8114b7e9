/** Who changed what: filters, and a change with what differs. */
import { Link } from '@tanstack/react-router'
import { KeyRound, ScrollText, Server, Store, User } from 'lucide-react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { t } from '../../texts/t.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/form.tsx'
import type { Column } from '../../ui/grid.tsx'
import { Button, Empty, Json } from '../../ui/parts.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { SearchForm } from '../../ui/search-form.tsx'
import { Time } from '../../ui/time.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { ChangedFields, changesIn } from './changed-fields.tsx'
import { DayFields } from './day-fields.tsx'
import { spanOfDays } from './day-span.ts'

type Row = Schemas['ListAuditLogsAnswer']['data'][number]

/** What changes are made to, as actions begin. */
const RESOURCES = [
  'account',
  'alert_rule',
  'api_key',
  'billing',
  'connector',
  'endpoint',
  'event',
  'event_type',
  'inbound_endpoint',
  'project',
  'retention',
  'scim_token',
  'security',
  'signing_secret',
  'sso_connection',
  'sso_domain',
  'sub_account',
  'sub_account_session',
  'sub_account_settings',
  'subject_job',
  'team',
  'user',
  'workspace',
]

export function Changes() {
  const [{ resource, actor, from, to, row }, change] = useUrlState()
  const list = usePages<Row>(['audit', { resource, actor, from, to }], (cursor, signal) => {
    const query = {
      limit: 100,
      ...(cursor && { cursor }),
      ...(resource && { resource }),
      ...(actor && { actor }),
      ...spanOfDays(from, to),
    }
    return answerOf(api.GET('/api/v1/audit-logs', { params: { query }, signal }))
  })
  const opened = list.rows.find(({ id }) => id === row)
  const isFiltered = [resource, actor, from, to].some(Boolean)
  return (
    <>
      <SearchForm
        label={t('Who')}
        placeholder={t('E-mail address or id of whoever did it  ( / )')}
        value={actor}
        onSearch={(text) => change({ actor: text })}
      >
        <Select
          aria-label={t('What was changed')}
          value={resource ?? ''}
          onChange={(event) => change({ resource: event.target.value })}
          options={[['', t('Anything')], ...RESOURCES.map((one) => [one, one] as const)]}
        />
        <DayFields from={from} to={to} onChange={change} />
      </SearchForm>
      <RowList
        label={t('Changes')}
        list={list}
        columns={columns()}
        onOpen={({ id }) => change({ row: id })}
      >
        <Empty
          icon={ScrollText}
          title={isFiltered ? t('No change matches') : t('Nothing was changed yet')}
          command={listCurl()}
        >
          {t('Each change of settings is here with who made it, from where, and what differs.')}
        </Empty>
      </RowList>
      {opened && <Change row={opened} onClose={() => change({ row: '' })} />}
    </>
  )
}

function columns(): Column<Row>[] {
  return [
    {
      label: t('What'),
      width: 'minmax(120px, 1fr)',
      cell: ({ action }) => <span className="mono">{action}</span>,
    },
    { label: t('Who'), width: 'minmax(110px, 1fr)', cell: ({ actor }) => <Actor {...actor} /> },
    {
      label: t('Changed'),
      width: 'minmax(100px, 1.4fr)',
      broad: true,
      cell: ({ metadata }) => (
        <span className="muted">
          {changesIn(metadata)
            .map(({ field }) => field)
            .join(', ') || '–'}
        </span>
      ),
    },
    {
      label: t('From'),
      width: '120px',
      broad: true,
      cell: ({ ip }) => <span className="mono">{ip ?? '–'}</span>,
    },
    {
      label: t('When'),
      width: 'minmax(84px, 170px)',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ]
}

const ICONS = { user: User, api_key: KeyRound, sub_account: Store, system: Server }

function Actor({ type, name, id }: Row['actor']) {
  const Icon = ICONS[type]
  return (
    <span className="badge">
      <Icon size={14} aria-hidden /> {name ?? (type === 'system' ? t('the service') : (id ?? '–'))}
    </span>
  )
}

const PLACES: Readonly<Record<string, string>> = {
  alert_rule: 'alerts',
  endpoint: 'endpoints',
  event: 'events',
  sub_account: 'sub-accounts',
}

function Change({ row, onClose }: { row: Row; onClose: () => void }) {
  const [, change] = useUrlState()
  const { action, resource, resourceId, actor, ip, userAgent, requestId, createdAt } = row
  const changes = changesIn(row.metadata)
  const others = Object.fromEntries(
    Object.entries(row.metadata).filter(([name]) => name !== 'changes'),
  )
  const place = PLACES[resource]
  const by = row.actorUserId ?? actor.id ?? (actor.type === 'system' ? 'system' : null)
  return (
    <Dialog title={action} onClose={onClose} broad>
      <dl className="facts">
        <dt>{t('Who')}</dt>
        <dd className="row">
          <Actor {...actor} />
          {by !== null && (
            <Button size="small" onClick={() => change({ actor: by, row: '' })}>
              {t('All that they did')}
            </Button>
          )}
        </dd>
        <dt>{t('When')}</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        <dt>{resource}</dt>
        <dd className="mono">
          {place !== undefined && resourceId !== null && !action.endsWith('.delete') ? (
            <Link to={`/dashboard/${place}/${resourceId}`}>{resourceId}</Link>
          ) : (
            (resourceId ?? '–')
          )}
        </dd>
        <dt>{t('From')}</dt>
        <dd>
          <span className="mono">{ip ?? '–'}</span>
          {userAgent !== null && <span className="small muted wrap"> {userAgent}</span>}
        </dd>
        {requestId !== null && (
          <>
            <dt>{t('Request')}</dt>
            <dd className="mono">{requestId}</dd>
          </>
        )}
      </dl>
      {changes.length > 0 && <ChangedFields changes={changes} />}
      {Object.keys(others).length > 0 && <Json value={others} label={t('More of it')} />}
    </Dialog>
  )
}

function listCurl(): string {
  return `curl "${location.origin}/api/v1/audit-logs?limit=100" \\\n  -H "X-API-Key: $API_KEY"`
}
