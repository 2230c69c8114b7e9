/** For how many days what is kept, and what a change would remove. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { problemOf, Select } from '../../ui/form.tsx'
import { Button, Card, ErrorNote, NoAnswer } from '../../ui/parts.tsx'
import { count, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { usePaused } from '../../ui/use-paused.ts'
import { useForm } from '../auth/form-state.ts'

type Settings = Schemas['GetRetentionAnswer']
type Field = keyof Settings['effective']
type Days = Record<Field, number | null>

const FIELDS: readonly Field[] = [
  'eventDays',
  'deliveryAttemptDays',
  'auditLogDays',
  'authAuditDays',
]
const DAY_MS = 86_400_000
const MAX_DAYS = 7_300
const FIRST_DAYS = 30

function words(field: Field): [title: string, about: string] {
  switch (field) {
    case 'eventDays':
      return [
        t('Events'),
        t('With their deliveries, from their end on. What still waits is never removed.'),
      ]
    case 'deliveryAttemptDays':
      return [t('Attempts'), t('Requests and responses with headers and bodies.')]
    case 'auditLogDays':
      return [t('Audit log'), t('Who changed what.')]
    case 'authAuditDays':
      return [t('Sign-ins'), t('Who came in how, and the stations of jobs for people’s data.')]
  }
}

export function Retention() {
  const query = useQuery({
    queryKey: ['retention'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/me/retention', { signal })),
  })
  if (query.data === undefined) return <NoAnswer query={query} />
  return <RetentionForm key={JSON.stringify(query.data)} settings={query.data} />
}

function RetentionForm({ settings }: { settings: Settings }) {
  const client = useQueryClient()
  const off = useOff('account:write')
  const [days, setDays] = useState<Days>(() => pick(settings))
  const former = pick(settings)
  const changed = FIELDS.filter((field) => days[field] !== former[field])
  const form = useForm(async () => {
    const body = Object.fromEntries(changed.map((field) => [field, days[field]]))
    await answerOf(api.PATCH('/api/v1/me/retention', { body }))
    await client.invalidateQueries({ queryKey: ['retention'] })
    toast(t('Saved. What is older goes within the hour.'))
  })
  return (
    <form className="stack" onSubmit={form.onSubmit}>
      <Card>
        <ul className="list">
          {FIELDS.map((field) => (
            <RetentionRow
              key={field}
              field={field}
              days={days[field]}
              ofPlan={settings.planDefaults[field]}
              onChange={(value) => setDays({ ...days, [field]: value })}
              problem={problemOf(form.error, field)}
            />
          ))}
        </ul>
      </Card>
      {form.error !== null && <ErrorNote error={form.error} />}
      <div className="row">
        <Button
          type="submit"
          look="main"
          off={
            off ??
            (form.isBusy
              ? t('One moment …')
              : changed.length === 0
                ? t('Nothing was changed.')
                : undefined)
          }
        >
          {t('Save')}
        </Button>
        {changed.length > 0 && (
          <Button onClick={() => setDays(former)}>{t('Leave it as it was')}</Button>
        )}
      </div>
    </form>
  )
}

function pick({ eventDays, deliveryAttemptDays, auditLogDays, authAuditDays }: Settings): Days {
  return { eventDays, deliveryAttemptDays, auditLogDays, authAuditDays }
}

interface RetentionRowProps {
  field: Field
  days: number | null
  ofPlan: number
  onChange: (days: number | null) => void
  problem: string | undefined
}

function RetentionRow({ field, days, ofPlan, onChange, problem }: RetentionRowProps) {
  const [title, about] = words(field)
  const effective = days ?? ofPlan
  const mode = days === null ? 'plan' : days === 0 ? 'ever' : 'days'
  return (
    <li className="retention">
      <div className="grow">
        <p className="strong">{title}</p>
        <p className="small muted">{about}</p>
        <Effect field={field} days={effective} />
        {problem !== undefined && <p className="problem">{problem}</p>}
      </div>
      <div className="row">
        <Select
          aria-label={t('{what}: for how long', { what: title })}
          value={mode}
          onChange={({ target: { value } }) =>
            onChange(value === 'plan' ? null : value === 'ever' ? 0 : ofPlan || FIRST_DAYS)
          }
          options={[
            ['plan', t('as the plan says: {time}', { time: daysText(ofPlan) })],
            ['days', t('for some days')],
            ['ever', t('for ever')],
          ]}
        />
        {mode === 'days' && (
          <input
            className="input days"
            type="number"
            aria-label={t('{what}: days', { what: title })}
            min={1}
            max={MAX_DAYS}
            required
            value={days ?? ''}
            onChange={(event) => onChange(Math.max(1, Number(event.target.value)))}
          />
        )}
      </div>
    </li>
  )
}

function daysText(days: number): string {
  return days === 0 ? t('for ever') : t('{n} days', { n: days })
}

/** What the setting removes of what is there now. */
function Effect({ field, days }: { field: Field; days: number }) {
  const before =
    days === 0 ? null : new Date(Math.floor(Date.now() / DAY_MS - days) * DAY_MS).toISOString()
  const asked = usePaused(before)
  const query = useQuery({
    queryKey: ['retention', 'older', field, asked],
    queryFn: ({ signal }) => olderThan(field, asked as string, signal),
    enabled: asked !== null,
    retry: false,
  })
  if (before === null) return <p className="small">{t('Nothing is removed.')}</p>
  return (
    <p className="small">
      {t('Reaches back to')} <Time at={before} />
      {asked === before && query.data !== undefined && (
        <>
          {' · '}
          <span className={query.data === 0 ? 'delivered' : 'failed strong'}>
            {rows(query.data)}
          </span>
        </>
      )}
    </p>
  )
}

function rows(older: number | 'some'): string {
  if (older === 0) return t('nothing is older')
  if (older === 'some') return t('there are older ones, which go')
  return older >= 10_000
    ? t('{n} rows or more are older, and go', { n: count(older) })
    : t('{n} rows are older, and go', { n: count(older) })
}

const EPOCH = '2000-01-01T00:00:00Z'

async function olderThan(field: Field, to: string, signal: AbortSignal): Promise<number | 'some'> {
  const query = { to, limit: 1 }
  if (field === 'deliveryAttemptDays') {
    const params = { query: { start: EPOCH, end: to, limit: 1 } }
    return (await answerOf(api.GET('/api/v1/deliveries', { params, signal }))).pagination.total
  }
  const params = { query }
  const { data } = await answerOf<{ data: unknown[] }>(
    field === 'eventDays'
      ? api.GET('/api/v1/events', { params, signal })
      : field === 'auditLogDays'
        ? api.GET('/api/v1/audit-logs', { params, signal })
        : api.GET('/api/v1/auth-audit', { params, signal }),
  )
  return data.length === 0 ? 0 : 'some'
}
