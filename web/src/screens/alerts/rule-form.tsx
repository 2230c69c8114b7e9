/** A rule to be made or changed, beside what it would have done and what it will say. */
import { conditionText } from '@posthorn/domain/alert-condition'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useOff } from '../../session.tsx'
import { MessagePreview } from '../../templates/message-preview.tsx'
import { ALERT_DEFAULTS, sampleAlert } from '../../templates/sample-data.ts'
import { t } from '../../texts/t.ts'
import { problemOf, SelectField, TextField } from '../../ui/form.tsx'
import { Button, Card, ErrorNote } from '../../ui/parts.tsx'
import { useForm } from '../auth/form-state.ts'
import { useEndpointOptions } from '../endpoints/endpoint-options.ts'
import { type AlertRule, conditionOf } from './alert-words.ts'
import { ConditionFields } from './condition-fields.tsx'
import { ruleBody, type RuleTarget } from './rule-body.ts'
import { RuleFacts } from './rule-facts.tsx'
import { RulePreview } from './rule-preview.tsx'
import { RuleTargetFields } from './rule-target-fields.tsx'

interface RuleFormProps {
  /** null: a new one. */
  rule: AlertRule | null
  onSaved: (rule: AlertRule) => Promise<unknown>
}

const NEW_CONDITION = 'failure_rate > 5 over 5m'

export function RuleForm({ rule, onSaved }: RuleFormProps) {
  const off = useOff('alerts:write')
  const endpoints = useEndpointOptions()
  const connectors = useConnectorNames()
  const [condition, setCondition] = useState(rule?.conditionText ?? NEW_CONDITION)
  const [endpointId, setEndpointId] = useState(rule?.endpointId ?? '')
  const [name, setName] = useState(rule?.name ?? '')
  const [message, setMessage] = useState(rule?.action?.message ?? '')
  const [chosen, setTarget] = useState<RuleTarget | null>(() => (rule ? targetOf(rule) : null))
  const target = chosen ?? firstTarget(connectors)
  const parsed = conditionOf(condition)
  const form = useForm(async (fields) => {
    if (parsed === null) return
    const body = ruleBody(fields, parsed, target, endpointId || null)
    await onSaved(await save(rule, body))
  })
  const { error } = form
  return (
    <div className="cols">
      <Card>
        <form className="card-body stack" onSubmit={form.onSubmit}>
          <TextField
            label={t('Name')}
            name="name"
            required
            maxLength={255}
            value={name}
            onChange={(event) => setName(event.target.value)}
            placeholder={t('Payments fail')}
            problem={problemOf(error, 'name')}
          />
          <ConditionFields
            text={condition}
            onChange={setCondition}
            problem={problemOf(error, 'condition')}
          />
          <SelectField
            label={t('Endpoint')}
            value={endpointId}
            onChange={(event) => setEndpointId(event.target.value)}
            options={[['', t('All endpoints together')], ...endpoints]}
            problem={problemOf(error, 'endpointId')}
          />
          <RuleTargetFields
            rule={rule}
            target={target}
            onTarget={setTarget}
            connectors={connectors}
            error={error}
            message={message}
            onMessage={setMessage}
          />
          <TextField
            label={t('Tell again after')}
            name="cooldown"
            className="mono"
            defaultValue={rule?.cooldown ?? '15m'}
            pattern="(\d+(\.\d+)?(ms|s|m|h))+"
            required
            problem={problemOf(error, 'cooldown')}
            hint={t('While it goes on; such as 15m or 1h30m. Its end is told once.')}
          />
          <TextField
            label={t('Description')}
            name="description"
            maxLength={1_000}
            defaultValue={rule?.description ?? ''}
            placeholder={t('What to do when it fires')}
            problem={problemOf(error, 'description')}
          />
          {error !== null && <ErrorNote error={error} />}
          <div className="row">
            <Button
              type="submit"
              look="main"
              off={off ?? (form.isBusy ? t('One moment …') : incomplete(parsed))}
            >
              {rule === null ? t('Make the rule') : t('Save')}
            </Button>
          </div>
        </form>
      </Card>
      <div className="stack">
        <RulePreview condition={parsed} endpointId={endpointId || null} off={off} />
        {rule !== null && <RuleFacts rule={rule} />}
        {'action' in target && parsed !== null && (
          <Card title={t('What it says')}>
            <div className="card-body">
              <MessagePreview
                type={target.action}
                templates={{ title: '', text: message, color: '' }}
                defaults={ALERT_DEFAULTS}
                data={sampleAlert(name || t('Payments fail'), parsed)}
              />
            </div>
          </Card>
        )}
      </div>
    </div>
  )
}

function incomplete(parsed: unknown): string | undefined {
  return parsed === null ? t('Complete the condition first.') : undefined
}

/** A new rule for a connector is made as a command line makes it: from the condition's text. */
async function save(rule: AlertRule | null, body: ReturnType<typeof ruleBody>): Promise<AlertRule> {
  if (rule !== null) {
    const params = { path: { id: rule.id } }
    return await answerOf(api.PUT('/api/v1/alerting/rules/{id}', { params, body }))
  }
  const { action, connectorName, condition, ...about } = body
  if (connectorName !== null) {
    const text = { ...about, connectorName, condition: conditionText(condition) }
    return await answerOf(api.POST('/api/v1/alert-rules', { body: text }))
  }
  const own = { ...about, condition, action }
  return await answerOf(api.POST('/api/v1/alerting/rules', { body: own as never }))
}

function targetOf({ action, connectorName }: AlertRule): RuleTarget | null {
  if (connectorName !== null) return { connectorName }
  return action === null ? null : { action: action.type }
}

function firstTarget(connectors: readonly string[]): RuleTarget {
  const [connectorName] = connectors
  return connectorName === undefined ? { action: 'email' } : { connectorName }
}

function useConnectorNames(): string[] {
  const connectors = useQuery({
    queryKey: ['connectors', 'names'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/v1/connectors', { params: { query: { limit: 100 } }, signal })),
  })
  return connectors.data?.data.map(({ name }) => name) ?? []
}
