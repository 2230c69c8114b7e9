/** A connector to be made or changed, beside what its messages will look like. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useOff } from '../../session.tsx'
import { EVENT_DEFAULTS, type MessageTemplates } from '../../templates/sample-data.ts'
import { t } from '../../texts/t.ts'
import { problemOf, TextArea, TextField } from '../../ui/form.tsx'
import { Button, Card, ErrorNote } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'
import { listOf } from '../alerts/rule-body.ts'
import { useForm } from '../auth/form-state.ts'
import { useEventTypeNames } from '../endpoints/event-type-names.ts'
import {
  type ConnectorField,
  type ConnectorRow,
  type ConnectorType,
  configOf,
  fieldsOf,
  shownValue,
} from './connector-types.ts'
import { TemplatePreview } from './template-preview.tsx'

interface ConnectorFormProps {
  type: ConnectorType
  /** null: a new one. */
  connector: ConnectorRow | null
  onSaved: (connector: ConnectorRow) => Promise<unknown>
}

export function ConnectorForm({ type, connector, onSaved }: ConnectorFormProps) {
  const client = useQueryClient()
  const off = useOff('connectors:write')
  const names = useEventTypeNames()
  const fields = fieldsOf(type)
  const [templates, setTemplates] = useState<MessageTemplates>(() => ({
    title: connector?.template?.title ?? '',
    text: connector?.template?.text ?? '',
    color: connector?.template?.color ?? '',
  }))
  const form = useForm(async (given) => {
    const body = {
      config: configOf(fields, given),
      template: templateOf(templates),
      eventTypes: listOf(given['eventTypes']),
    }
    const saved = await save(connector, type, given['name'] ?? '', body)
    await client.invalidateQueries({ queryKey: ['connectors'] })
    toast(t('Saved.'))
    await onSaved(saved)
  })
  const { error } = form
  const change = (changed: Partial<MessageTemplates>): void =>
    setTemplates({ ...templates, ...changed })
  return (
    <div className="cols">
      <Card>
        <form className="card-body stack" onSubmit={form.onSubmit}>
          {connector === null && (
            <TextField
              label={t('Name')}
              name="name"
              required
              pattern="[A-Za-z0-9_\-]{1,64}"
              className="mono"
              placeholder="ops-chat"
              problem={problemOf(error, 'name')}
              hint={t('Letters, digits, - and _. Rules call it by this name.')}
            />
          )}
          {fields.map((field) => (
            <SettingField key={field.name} field={field} connector={connector} error={error} />
          ))}
          <TextField
            label={t('Told of events')}
            name="eventTypes"
            className="mono"
            list="event-types"
            defaultValue={connector?.eventTypes.join(', ') ?? ''}
            placeholder="order.*"
            problem={problemOf(error, 'eventTypes')}
            hint={t('Patterns, separated by commas. Empty: it is told by alert rules alone.')}
          />
          <datalist id="event-types">
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <fieldset className="stack tight">
            <legend>{t('Its own words')}</legend>
            <TextField
              label={type === 'email' ? t('Subject') : t('Title')}
              className="mono"
              value={templates.title}
              onChange={(event) => change({ title: event.target.value })}
              placeholder={EVENT_DEFAULTS.title}
              problem={problemOf(error, 'template.title')}
            />
            <TextArea
              label={t('Text')}
              rows={4}
              value={templates.text}
              onChange={(event) => change({ text: event.target.value })}
              placeholder="{{.event_type}}: {{json .payload}}"
              problem={problemOf(error, 'template.text')}
              hint={t('Go templates; the preview beside shows them as you type.')}
            />
            {type !== 'email' && type !== 'webhook' && (
              <TextField
                label={t('Colour')}
                className="mono"
                value={templates.color}
                onChange={(event) => change({ color: event.target.value })}
                placeholder="good, warning, danger, #1d4fd7"
                problem={problemOf(error, 'template.color')}
              />
            )}
          </fieldset>
          {error !== null && <ErrorNote error={error} />}
          <div className="row">
            <Button
              type="submit"
              look="main"
              off={off ?? (form.isBusy ? t('One moment …') : undefined)}
            >
              {connector === null ? t('Make the connector') : t('Save')}
            </Button>
          </div>
        </form>
      </Card>
      <TemplatePreview
        type={type}
        templates={templates}
        isOfEvents={(connector?.eventTypes.length ?? 0) > 0}
      />
    </div>
  )
}

interface SettingFieldProps {
  field: ConnectorField
  connector: ConnectorRow | null
  error: unknown
}

function SettingField({ field, connector, error }: SettingFieldProps) {
  const { name, label, kind, isRequired = false, placeholder, isPassword = false } = field
  const value = shownValue(field, connector?.config[name])
  const hint = value.startsWith('••••') ? t('Masked; leave it as it is to keep it.') : field.hint
  const shared = {
    label,
    name,
    defaultValue: value,
    problem: problemOf(error, `config.${name}`),
    ...(hint !== undefined && { hint }),
    ...(placeholder !== undefined && { placeholder }),
  }
  if (kind === 'headers') return <TextArea {...shared} rows={2} />
  return (
    <TextField
      {...shared}
      required={isRequired}
      autoComplete="off"
      className={kind === 'text' ? 'mono' : ''}
      type={kind === 'number' ? 'number' : isPassword && value === '' ? 'password' : 'text'}
    />
  )
}

/** null: the service's own words. */
function templateOf(templates: MessageTemplates) {
  const given = Object.entries(templates).filter(([, text]) => text.trim() !== '')
  return given.length === 0 ? null : Object.fromEntries(given)
}

interface ConnectorBody {
  config: Record<string, unknown>
  template: Record<string, string> | null
  eventTypes: string[]
}

async function save(
  connector: ConnectorRow | null,
  type: ConnectorType,
  name: string,
  body: ConnectorBody,
): Promise<ConnectorRow> {
  if (connector === null) {
    const made = { name, type, ...body } as never
    return await answerOf(api.POST('/api/v1/connectors', { body: made }))
  }
  const params = { path: { name: connector.name } }
  return await answerOf(api.PUT('/api/v1/connectors/{name}', { params, body }))
}
