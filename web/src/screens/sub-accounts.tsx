/** The customers of the workspace, each a tenant of its own. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Building2, Plus } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../api/client.ts'
import { usePages } from '../api/queries.ts'
import { quoted } from '../events/quoted.ts'
import { useOff } from '../session.tsx'
import { t } from '../texts/t.ts'
import { Dialog } from '../ui/dialog.tsx'
import { problemOf, Select, TextField, textIn } from '../ui/form.tsx'
import { type Column, Grid } from '../ui/grid.tsx'
import { Button, Empty, ErrorNote, PageHead, Skeleton } from '../ui/parts.tsx'
import { Status } from '../ui/status.tsx'
import { Time } from '../ui/time.tsx'
import { useUrlState } from '../ui/url-state.ts'
import { useForm } from './auth/form-state.ts'

type Row = Schemas['CreateSubAccountAnswer']

export function SubAccounts() {
  const navigate = useNavigate()
  const [{ q, status }, change] = useUrlState()
  const [isMaking, setMaking] = useState(false)
  const off = useOff('sub-accounts:write')
  const list = usePages<Row>(['sub-accounts', { q, status }], (cursor, signal) => {
    const query = {
      limit: 100,
      ...(cursor && { cursor }),
      ...(q && { q }),
      ...(status && { status: status as Row['status'] }),
    }
    return answerOf(api.GET('/api/v1/sub-accounts', { params: { query }, signal }))
  })
  const isEmpty = list.data !== undefined && list.rows.length === 0
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
      <form
        className="filters"
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          change({ q: textIn(event.currentTarget, 'q') })
        }}
      >
        <input
          key={q ?? ''}
          className="input search"
          type="search"
          name="q"
          aria-label={t('Name or external id')}
          placeholder={t('How the name or the external id begins  ( / )')}
          defaultValue={q ?? ''}
        />
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
      </form>
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={8} />}
      {isEmpty && (
        <div className="card">
          <Empty
            icon={Building2}
            title={q || status ? t('No sub-account matches') : t('No sub-accounts yet')}
            {...(q || status ? {} : { command: createCurl() })}
          >
            {t(
              'Make one for each customer who is to receive webhooks, by the id that you know them by.',
            )}
          </Empty>
        </div>
      )}
      {list.rows.length > 0 && (
        <Grid
          label={t('Sub-accounts')}
          columns={columns()}
          rows={list.rows}
          onEnd={list.onEnd}
          isBusy={list.isBusy}
          onOpen={({ id }) => void navigate({ to: `/dashboard/sub-accounts/${id}` })}
        />
      )}
      {isMaking && (
        <NewSubAccount
          onClose={() => setMaking(false)}
          onMade={(id) => void navigate({ to: `/dashboard/sub-accounts/${id}` })}
        />
      )}
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

function createCurl(): string {
  const body = JSON.stringify({ externalId: 'customer-42', name: 'Ada & Co' })
  return [
    `curl -X POST ${location.origin}/api/v1/sub-accounts`,
    `-H "X-API-Key: $API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(body)}`,
  ].join(' \\\n  ')
}
