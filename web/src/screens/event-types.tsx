/** The kinds of events, each with the schema of its payload. */
import { useQueryClient } from '@tanstack/react-query'
import { Plus, Tags } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../api/client.ts'
import { usePages } from '../api/queries.ts'
import { CodeEditor } from '../code/code-editor.tsx'
import { firstEventCurl } from '../events/curl.ts'
import { useOff } from '../session.tsx'
import { t } from '../texts/t.ts'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { problemOf, TextField } from '../ui/form.tsx'
import type { Column } from '../ui/grid.tsx'
import { objectIn } from '../ui/json-object.ts'
import { Button, Empty, ErrorNote, Json, PageHead } from '../ui/parts.tsx'
import { RowList } from '../ui/row-list.tsx'
import { Time } from '../ui/time.tsx'
import { toast } from '../ui/toast.tsx'
import { useUrlState } from '../ui/url-state.ts'
import { useForm } from './auth/form-state.ts'
import { exampleOf } from '../events/example-of.ts'

type Row = Schemas['EventType']

export function EventTypes() {
  const [{ open }, change] = useUrlState()
  const off = useOff('event-types:write')
  const list = usePages<Row>(['event-types', 'list'], (cursor, signal) =>
    answerOf(
      api.GET('/api/v1/event-types', {
        params: { query: { limit: 100, ...(cursor && { cursor }) } },
        signal,
      }),
    ),
  )
  const opened = open === 'new' ? null : list.rows.find(({ id }) => id === open)
  return (
    <>
      <PageHead
        title={t('Event types')}
        about={t('What endpoints subscribe to. A schema refuses payloads that do not fit.')}
        actions={
          <Button look="main" off={off} onClick={() => change({ open: 'new' })}>
            <Plus size={14} aria-hidden /> {t('New event type')}
          </Button>
        }
      />
      <RowList
        label={t('Event types')}
        list={list}
        columns={columns()}
        onOpen={({ id }) => change({ open: id })}
      >
        <Empty
          icon={Tags}
          title={t('No event types yet')}
          command={firstEventCurl({ eventType: 'order.paid' })}
        >
          {t(
            'Events may have any type; one that is named here has a schema, and shows in forms and in the portal.',
          )}
        </Empty>
      </RowList>
      {opened !== undefined && (
        <EventTypeDialog type={opened} off={off} onClose={() => change({ open: '' })} />
      )}
    </>
  )
}

function columns(): Column<Row>[] {
  return [
    {
      label: t('Name'),
      width: 'minmax(120px, 1fr)',
      cell: ({ name }) => <span className="mono">{name}</span>,
    },
    {
      label: t('Description'),
      width: 'minmax(100px, 2fr)',
      broad: true,
      cell: ({ description }) => <span className="muted">{description}</span>,
    },
    {
      label: t('Schema'),
      width: '96px',
      cell: ({ schema, schemaVersion }) =>
        schema === null ? <span className="muted">–</span> : (schemaVersion ?? t('yes')),
    },
    {
      label: t('Changed'),
      width: '170px',
      broad: true,
      cell: ({ updatedAt }) => <Time at={updatedAt} />,
    },
  ]
}

const SCHEMA = JSON.stringify(
  {
    type: 'object',
    required: ['orderId'],
    properties: {
      orderId: { type: 'string' },
      amount: { type: 'integer', minimum: 0 },
      currency: { enum: ['EUR', 'USD'] },
    },
  },
  null,
  2,
)

function EventTypeDialog({
  type,
  off,
  onClose,
}: {
  type: Row | null
  off: string | undefined
  onClose: () => void
}) {
  const client = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const [schemaText, setSchemaText] = useState(
    type === null ? '' : type.schema === null ? '' : JSON.stringify(type.schema, null, 2),
  )
  const schema = parsedSchema(schemaText)
  const form = useForm(async ({ name = '', description = '' }) => {
    const body = {
      name,
      description: description || null,
      schema: schema.value as Record<string, never> | null,
    }
    await answerOf(
      type === null
        ? api.POST('/api/v1/event-types', { body })
        : api.PUT('/api/v1/event-types/{id}', { params: { path: { id: type.id } }, body }),
    )
    await client.invalidateQueries({ queryKey: ['event-types'] })
    toast(t('Saved.'))
    onClose()
  })
  if (isDeleting && type !== null) {
    return (
      <Confirm
        title={t('Delete {name}?', { name: type.name })}
        action={t('Delete it')}
        onClose={onClose}
        onConfirm={async () => {
          await answerOf(
            api.DELETE('/api/v1/event-types/{id}', { params: { path: { id: type.id } } }),
          )
          await client.invalidateQueries({ queryKey: ['event-types'] })
        }}
      >
        {t('Events of this type are still taken, but no schema looks at them.')}
      </Confirm>
    )
  }
  return (
    <Dialog title={type === null ? t('New event type') : type.name} onClose={onClose} broad>
      <form className="stack" onSubmit={form.onSubmit}>
        <TextField
          label={t('Name')}
          name="name"
          required
          autoFocus={type === null}
          defaultValue={type?.name ?? ''}
          placeholder="order.paid"
          className="mono"
          problem={problemOf(form.error, 'name')}
        />
        <TextField
          label={t('Description')}
          name="description"
          defaultValue={type?.description ?? ''}
          problem={problemOf(form.error, 'description')}
        />
        <CodeEditor
          label={t('JSON schema')}
          language="json"
          minLines={10}
          value={schemaText}
          onChange={setSchemaText}
          problem={schema.problem ?? problemOf(form.error, 'schema')}
          hint={t('Empty: any payload is taken.')}
        />
        {schema.value === null ? (
          schema.problem === undefined && (
            <div>
              <Button size="small" onClick={() => setSchemaText(SCHEMA)}>
                {t('Begin with an example')}
              </Button>
            </div>
          )
        ) : (
          <div className="field">
            <span className="label">{t('An example that fits')}</span>
            <Json value={exampleOf(schema.value)} label={t('An example that fits')} />
          </div>
        )}
        {form.error !== null && <ErrorNote error={form.error} />}
        <div className="modal-foot">
          {type !== null && (
            <Button look="danger" off={off} onClick={() => setDeleting(true)}>
              {t('Delete')}
            </Button>
          )}
          <Button type="submit" look="main" off={off ?? schema.problem}>
            {t('Save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function parsedSchema(text: string): {
  value: Record<string, unknown> | null
  problem: string | undefined
} {
  const value = objectIn(text)
  const isFit = value !== null || text.trim() === ''
  return { value, problem: isFit ? undefined : t('This is no JSON object.') }
}
