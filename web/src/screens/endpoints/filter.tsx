/**
 * The conditions that an event must meet, beside recent events: whether each meets them shows while
 * one types. It is evaluated here by the code that the service itself runs.
 */
import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleSlash, Filter, Plus, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Condition, compileFilter, type FilterOperator } from '@posthorn/domain/filter'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { Select } from '../../ui/form.tsx'
import { Button, Card, Empty, ErrorNote } from '../../ui/parts.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { firstEventCurl } from '../../events/curl.ts'
import { conditionOf, type ConditionDraft, draftOf, LISTS } from './filter-draft.ts'
import { pathsIn } from './paths-in.ts'
import { type RecentEvent, usePayloads, useRecentEvents } from './recent-events.ts'

export function FilterTab({ endpoint }: { endpoint: Schemas['Endpoint'] }) {
  const [drafts, setDrafts] = useState(() => (endpoint.filter ?? []).map(draftOf))
  const recent = useRecentEvents(endpoint)
  const payloads = usePayloads(recent.data ?? [])
  const paths = useMemo(() => pathsIn([...payloads.values()]), [payloads])
  const conditions = drafts.map(conditionOf)
  const filter = compileFilter(conditions)
  const problems = new Map(
    filter.outcome === 'invalid' ? filter.problems.map(({ path, message }) => [path, message]) : [],
  )
  const change = (key: number, changes: Partial<ConditionDraft>): void =>
    setDrafts(drafts.map((one) => (one.key === key ? { ...one, ...changes } : one)))
  const add = (field = paths[0] ?? '$.'): void =>
    setDrafts([...drafts, draftOf({ field, operator: 'eq', value: '' })])
  return (
    <div className="halves">
      <Card
        title={t('Conditions')}
        actions={<Save endpoint={endpoint} conditions={conditions} isValid={problems.size === 0} />}
      >
        <div className="card-body stack">
          {drafts.length === 0 ? (
            <p className="muted">
              {t('None: every event of the types that it subscribes to is sent.')}
            </p>
          ) : (
            <p className="muted">{t('All of them must hold for an event to be sent.')}</p>
          )}
          {drafts.map((draft, index) => (
            <ConditionRow
              key={draft.key}
              draft={draft}
              index={index}
              problems={problems}
              onChange={(changes) => change(draft.key, changes)}
              onRemove={() => setDrafts(drafts.filter(({ key }) => key !== draft.key))}
            />
          ))}
          <datalist id="filter-paths">
            {paths.map((path) => (
              <option key={path} value={path} />
            ))}
          </datalist>
          <div>
            <Button size="small" onClick={() => add()}>
              <Plus size={14} aria-hidden /> {t('Add a condition')}
            </Button>
          </div>
        </div>
      </Card>
      <Card title={t('Recent events')} query={recent}>
        {recent.data && (
          <Matches
            events={recent.data}
            payloads={payloads}
            filter={filter}
            example={endpoint.eventTypes[0] ?? '*'}
          />
        )}
      </Card>
    </div>
  )
}

function operators(): [FilterOperator, string][] {
  return [
    ['eq', t('is')],
    ['ne', t('is not')],
    ['gt', t('is more than')],
    ['gte', t('is at least')],
    ['lt', t('is less than')],
    ['lte', t('is at most')],
    ['in', t('is one of')],
    ['nin', t('is none of')],
    ['contains', t('contains')],
    ['startsWith', t('begins with')],
    ['endsWith', t('ends with')],
    ['exists', t('is there')],
    ['regex', t('fits the pattern')],
  ]
}

interface ConditionRowProps {
  draft: ConditionDraft
  index: number
  problems: ReadonlyMap<string, string>
  onChange: (changes: Partial<ConditionDraft>) => void
  onRemove: () => void
}

function ConditionRow({ draft, index, problems, onChange, onRemove }: ConditionRowProps) {
  const problem = ['field', 'operator', 'value'].map((part) => problems.get(`${index}.${part}`))
  const said = problem.find((one) => one !== undefined)
  const n = index + 1
  return (
    <div className="field">
      <div className="condition">
        <input
          className="input mono"
          aria-label={t('Field of condition {n}', { n })}
          list="filter-paths"
          value={draft.field}
          aria-invalid={problem[0] !== undefined}
          onChange={({ target }) => onChange({ field: target.value })}
        />
        <Select
          aria-label={t('Operator of condition {n}', { n })}
          value={draft.operator}
          onChange={({ target }) =>
            onChange({
              operator: target.value as FilterOperator,
              ...(target.value === 'exists' && { text: 'true' }),
            })
          }
          options={operators()}
        />
        {draft.operator === 'exists' ? (
          <Select
            aria-label={t('Value of condition {n}', { n })}
            value={draft.text}
            onChange={({ target }) => onChange({ text: target.value })}
            options={[
              ['true', t('yes')],
              ['false', t('no')],
            ]}
          />
        ) : (
          <input
            className="input mono"
            aria-label={t('Value of condition {n}', { n })}
            value={draft.text}
            placeholder={LISTS.includes(draft.operator) ? 'EUR, USD' : 'EUR'}
            aria-invalid={problem[2] !== undefined}
            onChange={({ target }) => onChange({ text: target.value })}
          />
        )}
        <Button
          look="plain"
          size="icon"
          aria-label={t('Remove condition {n}', { n })}
          onClick={onRemove}
        >
          <X size={14} aria-hidden />
        </Button>
      </div>
      {said && <span className="problem">{said}</span>}
    </div>
  )
}

interface MatchesProps {
  events: readonly RecentEvent[]
  payloads: ReadonlyMap<string, unknown>
  filter: ReturnType<typeof compileFilter>
  example: string
}

function Matches({ events, payloads, filter, example }: MatchesProps) {
  if (events.length === 0) {
    return (
      <Empty
        icon={Filter}
        title={t('No event of these types yet')}
        command={firstEventCurl({ eventType: example.replaceAll('*', 'example') })}
      >
        {t('Send one, and it shows here whether it meets the conditions.')}
      </Empty>
    )
  }
  const results = events.flatMap((event) => {
    const payload = payloads.get(event.id)
    if (payload === undefined || filter.outcome === 'invalid') return []
    return [{ event, result: filter.evaluate(payload) }]
  })
  const matching = results.filter(({ result }) => result.matches).length
  return (
    <>
      <p className="card-body strong" role="status">
        {filter.outcome === 'invalid'
          ? t('Correct the conditions, and the matches show here.')
          : t('{n} of {all} recent events meet them.', { n: matching, all: results.length })}
      </p>
      <ul className="list">
        {results.map(({ event, result }) => (
          <li key={event.id}>
            {result.matches ? (
              <CircleCheck size={16} className="delivered" aria-label={t('meets them')} />
            ) : (
              <CircleSlash size={16} className="dead" aria-label={t('does not')} />
            )}
            <span className="grow">
              <span className="mono">{event.eventType}</span>
              {!result.matches && <Why failed={result.failed} />}
            </span>
            <span className="small muted">
              <Time at={event.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

const MAX_SHOWN_CHARACTERS = 120

function Why({
  failed: { index, found, tooCostly },
}: {
  failed: { index: number; found: unknown[]; tooCostly: boolean }
}) {
  const values = found.map((one) => JSON.stringify(one)).join(', ')
  return (
    <span className="small muted wrap" style={{ display: 'block' }}>
      {tooCostly
        ? t('Its filter takes too many steps on this payload.')
        : t('Condition {n} found {seen}.', {
            n: index + 1,
            seen: values.slice(0, MAX_SHOWN_CHARACTERS) || t('nothing'),
          })}
    </span>
  )
}

interface SaveProps {
  endpoint: Schemas['Endpoint']
  conditions: Condition[]
  isValid: boolean
}

function Save({ endpoint, conditions, isValid }: SaveProps) {
  const client = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const off = useOff('endpoints:write')
  const filter = conditions.length === 0 ? null : conditions
  const isSame = JSON.stringify(filter) === JSON.stringify(endpoint.filter)
  async function save(): Promise<void> {
    const params = { path: { id: endpoint.id } }
    const body = { filter: filter as Schemas['Endpoint']['filter'] }
    await answerOf(api.PATCH('/api/v1/endpoints/{id}', { params, body }))
    await client.invalidateQueries({ queryKey: ['endpoints'] })
    toast(t('Saved as a new version.'))
  }
  const why = isValid ? undefined : t('A condition is not right yet.')
  return (
    <div className="row">
      {error !== null && <ErrorNote error={error} />}
      <Button
        size="small"
        look="main"
        off={off ?? why ?? (isSame ? t('Nothing was changed.') : undefined)}
        onClick={() => {
          setError(null)
          save().catch(setError)
        }}
      >
        {t('Save')}
      </Button>
    </div>
  )
}
