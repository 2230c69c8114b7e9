/** The customers of the workspace, each a tenant of its own. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Building2, Plus } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../api/client.ts'
import { usePages } from '../api/queries.ts'
import { apiCurl } from '../events/curl.ts'
import { useOff } from '../session.tsx'
import { t } from '../texts/t.ts'
import { Dialog } from '../ui/dialog.tsx'
import { problemOf, Select, TextField } from '../ui/form.tsx'
import type { Column } from '../ui/grid.tsx'
import { Button, Empty, ErrorNote, PageHead } from '../ui/parts.tsx'
import { RowList } from '../ui/row-list.tsx'
import { SearchForm } from '../ui/search-form.tsx'
import { Status } from '../ui/status.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Time } from '../ui/time.tsx'
import { useUrlState } from '../ui/url-state.ts'
import { useForm } from './auth/form-state.ts'
import { PortalLook } from './portal-look/portal-look.tsx'

type Row = Schemas['CreateSubAccountAnswer']

const EXAMPLE = { externalId: 'customer-42', name: 'Ada & Co' }

export function SubAccounts() {
  const [{ tab = 'accounts' }] = useUrlState()
  const [isMaking, setMaking] = useState(false)
  const off = useOff('sub-accounts:write')
  const navigate = useNavigate()
  return (
    <>
      <PageHead
        title={t('Sub-accounts')}
        about={t(
          'Your customers: each has endpoints and events of its own, and a portal to see them.',
        )}
        actions={
          <Button look="main" off={off} onClick={() => setMaking(true)}>
            <Plus size={14} aria-hidden /> {t('New sub-account')}
          </Button>
        }
      />
      <Tabs
        label={t('Parts of sub-accounts')}
        current={tab}
        tabs={[
          ['accounts', t('Customers')],
          ['look', t('The portal’s look')],
        ]}
      />
      {tab === 'look' ? <PortalLook /> : <Accounts />}
      {isMaking && (
        <NewSubAccount
          onClose={() => setMaking(false)}
          onMade={(id) => void navigate({ to: `/dashboard/sub-accounts/${id}` })}
        />
      )}
    </>
  )
}

function Accounts() {
  const navigate = useNavigate()
  const [{ q, status }, change] = useUrlState()
  const list = usePages<Row>(['sub-accounts', { q, status }], (cursor, signal) => {
    const query = {
      limit: 100,
      ...(cursor && { cursor }),
      ...(q && { q }),
      ...(status && { status: status as Row['status'] }),
    }
    return answerOf(api.GET('/api/v1/sub-accounts', { params: { query }, signal }))
  })
  return (
    <>
      <SearchForm
        label={t('Name or external id')}
        placeholder={t('How the name or the external id begins  ( / )')}
        value={q}
        onSearch={(text) => change({ q: text })}
      >
        <Select
          aria-label={t('Status')}
          value={status ?? ''}
          onChange={(event) => change({ status: event.target.value })}
          options={[
            ['', t('Any status')],
            ['active', t('active')],
            ['deactivated', t('deactivated')],
          ]}
        />
      </SearchForm>
      <RowList
        label={t('Sub-accounts')}
        list={list}
        columns={columns()}
        onOpen={({ id }) => void navigate({ to: `/dashboard/sub-accounts/${id}` })}
      >
        <Empty
          icon={Building2}
          title={q || status ? t('No sub-account matches') : t('No sub-accounts yet')}
          {...(q || status ? {} : { command: apiCurl('/sub-accounts', EXAMPLE) })}
        >
          {t(
            'Make one for each customer who is to receive webhooks, by the id that you know them by.',
          )}
        </Empty>
      </RowList>
    </>
  )
}

function columns(): Column<Row>[] {
  return [
    {
      label: t('Name'),
      width: 'minmax(120px, 1fr)',
      cell: ({ name, externalId }) => <span className="strong">{name ?? externalId}</span>,
    },
    {
      label: t('External id'),
      width: 'minmax(90px, 1fr)',
      cell: ({ externalId }) => <span className="mono">{externalId}</span>,
    },
    {
      label: t('State'),
      width: '120px',
      broad: true,
      cell: ({ status }) => <Status of={status} />,
    },
    {
      label: t('Made'),
      width: '170px',
      broad: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ]
}

function NewSubAccount({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }) {
  const client = useQueryClient()
  const form = useForm(async ({ externalId = '', name = '', email = '' }) => {
    const body = { externalId, ...(name && { name }), ...(email && { email }) }
    const { id } = await answerOf(api.POST('/api/v1/sub-accounts', { body }))
    await client.invalidateQueries({ queryKey: ['sub-accounts'] })
    onMade(id)
  })
  return (
    <Dialog title={t('New sub-account')} onClose={onClose}>
      <form className="stack" onSubmit={form.onSubmit}>
        <TextField
          label={t('External id')}
          name="externalId"
          required
          autoFocus
          placeholder="customer-42"
          className="mono"
          hint={t('What your own system calls this customer.')}
          problem={problemOf(form.error, 'externalId')}
        />
        <TextField label={t('Name')} name="name" problem={problemOf(form.error, 'name')} />
        <TextField
          label={t('E-mail')}
          name="email"
          type="email"
          problem={problemOf(form.error, 'email')}
        />
        {form.error !== null && <ErrorNote error={form.error} />}
        <div className="modal-foot">
          <Button type="submit" look="main" off={form.isBusy ? t('One moment …') : undefined}>
            {t('Make it')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
