/**
 * What an endpoint is set to, as a form for the dashboard and the portal. It shows what most people
 * need, and keeps the rest a click away.
 */
import { type FormEvent, useState } from 'react'
import { t } from '../texts/t.ts'
import { Check, problemOf, SelectField, TextField, textIn } from '../ui/form.tsx'
import { Button, ErrorNote } from '../ui/parts.tsx'

export interface EndpointValues {
  url: string
  description: string | null
  eventTypes: string[]
  maxRetries: number
  timeoutMs: number
  rateLimitPerSec: number
  fifo: boolean
  deliveryMode: 'push' | 'poll' | 'storage'
}

export const NEW_ENDPOINT: EndpointValues = {
  url: '',
  description: null,
  eventTypes: ['*'],
  maxRetries: 5,
  timeoutMs: 30_000,
  rateLimitPerSec: 0,
  fifo: false,
  deliveryMode: 'push',
}

interface EndpointFormProps {
  values: EndpointValues
  /** Names to choose from; other patterns can be typed. */
  eventTypes: readonly string[]
  action: string
  /** Settings of the operator's alone. */
  isFull: boolean
  off?: string | undefined
  onSave: (values: EndpointValues) => Promise<unknown>
}

export function EndpointForm({
  values,
  eventTypes,
  action,
  isFull,
  off,
  onSave,
}: EndpointFormProps) {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (off !== undefined || isBusy) return
    setBusy(true)
    setError(null)
    onSave(readForm(event.currentTarget, values))
      .catch(setError)
      .finally(() => setBusy(false))
  }
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label={t('URL')}
        name="url"
        type="url"
        required
        defaultValue={values.url}
        placeholder="https://example.com/webhooks"
        className="mono"
        problem={problemOf(error, 'url')}
        hint={t('POST requests with a JSON body and a signature come here.')}
      />
      <TextField
        label={t('Description')}
        name="description"
        maxLength={1_000}
        defaultValue={values.description ?? ''}
        placeholder={t('Orders, production')}
        problem={problemOf(error, 'description')}
      />
      <TextField
        label={t('Event types')}
        name="eventTypes"
        required
        defaultValue={values.eventTypes.join(', ')}
        list="event-types"
        className="mono"
        problem={problemOf(error, 'eventTypes')}
        hint={t('Separated by commas; payment.* means all that begin so, * means all.')}
      />
      <datalist id="event-types">
        {eventTypes.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <details>
        <summary>{t('Retries, limits and order')}</summary>
        <MoreFields values={values} error={error} isFull={isFull} />
      </details>
      {error !== null && <ErrorNote error={error} />}
      <div className="row">
        <Button type="submit" look="main" off={off ?? (isBusy ? t('One moment …') : undefined)}>
          {action}
        </Button>
      </div>
    </form>
  )
}

function MoreFields({
  values,
  error,
  isFull,
}: {
  values: EndpointValues
  error: unknown
  isFull: boolean
}) {
  return (
    <div className="stack">
      <TextField
        label={t('Attempts')}
        name="maxRetries"
        type="number"
        min={1}
        max={25}
        required
        defaultValue={values.maxRetries}
        problem={problemOf(error, 'maxRetries')}
        hint={t('After as many, the event is dead for this endpoint.')}
      />
      <TextField
        label={t('Timeout in milliseconds')}
        name="timeoutMs"
        type="number"
        min={100}
        max={60_000}
        required
        defaultValue={values.timeoutMs}
        problem={problemOf(error, 'timeoutMs')}
      />
      <TextField
        label={t('Requests a second')}
        name="rateLimitPerSec"
        type="number"
        min={0}
        max={100_000}
        required
        defaultValue={values.rateLimitPerSec}
        problem={problemOf(error, 'rateLimitPerSec')}
        hint={t('0 means no limit.')}
      />
      {isFull && (
        <SelectField
          label={t('Mode')}
          name="deliveryMode"
          defaultValue={values.deliveryMode}
          problem={problemOf(error, 'deliveryMode')}
          options={[
            ['push', t('push: we send requests')],
            ['poll', t('poll: the consumer fetches')],
            ...(values.deliveryMode === 'storage' ? ([['storage', t('storage')]] as const) : []),
          ]}
        />
      )}
      <Check
        label={t('In order: each event waits for the one before it')}
        name="fifo"
        defaultChecked={values.fifo}
      />
    </div>
  )
}

function readForm(form: HTMLFormElement, before: EndpointValues): EndpointValues {
  const text = (name: string): string => textIn(form, name)
  return {
    url: text('url'),
    description: text('description') || null,
    eventTypes: text('eventTypes')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
    maxRetries: Number(text('maxRetries')),
    timeoutMs: Number(text('timeoutMs')),
    rateLimitPerSec: Number(text('rateLimitPerSec')),
    fifo: text('fifo') !== '',
    deliveryMode: (text('deliveryMode') || before.deliveryMode) as EndpointValues['deliveryMode'],
  }
}

/** Only what was changed, so that two people who change different things do not undo each other. */
export function changesOf(before: EndpointValues, after: EndpointValues): Partial<EndpointValues> {
  const names = Object.keys(after) as (keyof EndpointValues)[]
  const changed = names.filter((name) => String(before[name]) !== String(after[name]))
  return Object.fromEntries(changed.map((name) => [name, after[name]]))
}
