/** Who signed in and how, what was refused, and the stations of jobs for people's data. */
import { CircleCheck, CircleX, LogIn, ShieldAlert } from 'lucide-react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { browserName } from '../../ui/browser-name.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Doer } from '../../ui/doer.tsx'
import { Select } from '../../ui/form.tsx'
import type { Column } from '../../ui/grid.tsx'
import { Empty, Json, Note } from '../../ui/parts.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { SearchForm } from '../../ui/search-form.tsx'
import { Time } from '../../ui/time.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { DayFields } from './day-fields.tsx'
import { spanOfDays } from './day-span.ts'

type Row = Schemas['ListAuthAuditAnswer']['data'][number]

/** How the names of events begin. */
const FAMILIES = [
  'password.',
  'passkey.',
  'mfa.',
  'sso.',
  'session.',
  'signup.',
  'email.',
  'invite.',
  'scim.',
  'gdpr.',
]

export function SignIns() {
  const { role } = useSession()
  if (role === 'admin') return <Log />
  return (
    <Note icon={ShieldAlert}>
      {t('Only admins see who signed in. Your role does not: ask an admin of the workspace.')}
    </Note>
  )
}

function Log() {
  const [{ event, subject, from, to, row }, change] = useUrlState()
  const list = usePages<Row>(['auth-audit', { event, subject, from, to }], (cursor, signal) => {
    const query = {
      limit: 100,
      ...(cursor && { cursor }),
      ...(event && { event }),
      ...(subject && { subject }),
      ...spanOfDays(from, to),
    }
    return answerOf(api.GET('/api/v1/auth-audit', { params: { query }, signal }))
  })
  const opened = list.rows.find(({ id }) => id === row)
  return (
    <>
      <SearchForm
        label={t('Who')}
        placeholder={t('E-mail address  ( / )')}
        value={subject}
        onSearch={(text) => change({ subject: text })}
      >
        <Select
          aria-label={t('What happened')}
          value={event ?? ''}
          onChange={(changed) => change({ event: changed.target.value })}
          options={[
            ['', t('Anything')],
            ['password.login.fail', t('refused passwords')],
            ...FAMILIES.map((family) => [family, `${family}*`] as const),
          ]}
        />
        <DayFields from={from} to={to} onChange={change} />
      </SearchForm>
      <RowList
        label={t('Sign-ins')}
        list={list}
        columns={columns()}
        onOpen={({ id }) => change({ row: id })}
      >
        <Empty icon={LogIn} title={t('No sign-in matches')}>
          {t('Each way in leaves a row here: passwords, passkeys, single sign-on, refusals too.')}
        </Empty>
      </RowList>
      {opened && (
        <Dialog title={opened.event} onClose={() => change({ row: '' })} broad>
          <Detail row={opened} />
        </Dialog>
      )}
    </>
  )
}

function columns(): Column<Row>[] {
  return [
    {
      label: t('What'),
      width: 'minmax(130px, 1fr)',
      cell: ({ event }) => <EventName name={event} />,
    },
    {
      label: t('Who'),
      width: 'minmax(110px, 1fr)',
      cell: ({ subject }) =>
        subject === null ? <span className="muted">–</span> : <Doer name={subject} />,
    },
    {
      label: t('From'),
      width: '130px',
      broad: true,
      cell: ({ ip }) => <span className="mono">{ip ?? '–'}</span>,
    },
    {
      label: t('By'),
      width: 'minmax(100px, 1.4fr)',
      broad: true,
      cell: ({ userAgent }) => (
        <span className="muted">{userAgent === null ? '–' : browserName(userAgent)}</span>
      ),
    },
    {
      label: t('When'),
      width: 'minmax(84px, 170px)',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ]
}

function EventName({ name }: { name: string }) {
  const isBad = /\.(fail|failed|locked)$/.test(name)
  const Icon = isBad ? CircleX : CircleCheck
  return (
    <span className={isBad ? 'badge dead' : 'badge'}>
      <Icon size={14} aria-hidden /> <span className="mono">{name}</span>
    </span>
  )
}

function Detail({ row: { subject, userId, ip, userAgent, metadata, createdAt } }: { row: Row }) {
  return (
    <>
      <dl className="facts">
        <dt>{t('Who')}</dt>
        <dd>{subject ?? '–'}</dd>
        <dt>{t('User')}</dt>
        <dd className="mono">{userId ?? '–'}</dd>
        <dt>{t('When')}</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        <dt>{t('From')}</dt>
        <dd className="mono">{ip ?? '–'}</dd>
        <dt>{t('By')}</dt>
        <dd className="wrap">{userAgent ?? '–'}</dd>
      </dl>
      {Object.keys(metadata).length > 0 && <Json value={metadata} label={t('More of it')} />}
    </>
  )
}
