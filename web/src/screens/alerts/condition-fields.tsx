/** The condition of a rule, as fields or as the text that the API takes too. */
import {
  ALERT_METRICS,
  ALERT_OPERATORS,
  type AlertCondition,
  type AlertMetric,
  type AlertOperator,
  parseCondition,
  signOf,
} from '@posthorn/domain/alert-condition'
import { useState } from 'react'
import { t } from '../../texts/t.ts'
import { SelectField, TextField } from '../../ui/form.tsx'
import { Button } from '../../ui/parts.tsx'
import { conditionSentence, metricWord, operatorWord } from './alert-words.ts'

interface ConditionFieldsProps {
  text: string
  onChange: (text: string) => void
  /** What the server said of it. */
  problem: string | undefined
}

interface Fields {
  metric: AlertMetric
  operator: AlertOperator
  value: string
  window: string
}

const WINDOWS = ['1m', '5m', '10m', '15m', '30m', '1h', '6h', '24h']

export function ConditionFields({ text, onChange, problem }: ConditionFieldsProps) {
  const [isText, setText] = useState(false)
  const parsed = parseCondition(text)
  const own =
    parsed.outcome === 'ok'
      ? undefined
      : t('{message} (at character {column})', {
          message: parsed.message,
          column: parsed.column,
        })
  return (
    <fieldset className="stack tight">
      <legend className="row apart">
        {t('Fires when')}
        <Button size="small" look="plain" aria-pressed={isText} onClick={() => setText(!isText)}>
          {isText ? t('As fields') : t('As text')}
        </Button>
      </legend>
      {isText ? (
        <TextField
          label={t('Condition')}
          name="condition"
          className="mono"
          value={text}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
          problem={own ?? problem}
          hint={t('As {example}; the API takes the same text.', {
            example: 'failure_rate > 5 over 5m',
          })}
        />
      ) : (
        <AsFields text={text} onChange={onChange} problem={own ?? problem} />
      )}
      {parsed.outcome === 'ok' && <p className="muted">{conditionSentence(parsed.condition)}.</p>}
    </fieldset>
  )
}

function AsFields({ text, onChange, problem }: ConditionFieldsProps) {
  const [fields, setFields] = useState<Fields>(() => fieldsOf(text))
  function change(changed: Partial<Fields>): void {
    const next = { ...fields, ...changed }
    setFields(next)
    onChange(`${next.metric} ${signOf(next.operator)} ${next.value} over ${next.window}`)
  }
  const { metric, operator, value, window } = fields
  const windows = WINDOWS.includes(window) ? WINDOWS : [window, ...WINDOWS]
  return (
    <>
      <div className="fields">
        <SelectField
          label={t('Metric')}
          value={metric}
          onChange={(event) => change({ metric: event.target.value as AlertMetric })}
          options={ALERT_METRICS.map((one) => [one, metricWord(one)])}
        />
        <SelectField
          label={t('Compared')}
          value={operator}
          onChange={(event) => change({ operator: event.target.value as AlertOperator })}
          options={ALERT_OPERATORS.map((one) => [one, operatorWord(one)])}
        />
        <TextField
          label={unitLabel(metric)}
          type="number"
          step="any"
          required
          value={value}
          onChange={(event) => change({ value: event.target.value })}
        />
        <SelectField
          label={t('Over the last')}
          value={window}
          onChange={(event) => change({ window: event.target.value })}
          options={windows.map((one) => [one, one])}
        />
      </div>
      {problem !== undefined && <span className="problem">{problem}</span>}
    </>
  )
}

function unitLabel(metric: AlertMetric): string {
  if (metric === 'latency') return t('Milliseconds')
  if (metric === 'failure_rate' || metric === 'success_rate') return t('Per cent')
  return t('Number')
}

const FALLBACK: AlertCondition = { metric: 'failure_rate', operator: 'gt', value: 5, window: '5m' }

/** A text that is not one yet leaves the fields at what most rules begin with. */
function fieldsOf(text: string): Fields {
  const parsed = parseCondition(text)
  const condition = parsed.outcome === 'ok' ? parsed.condition : FALLBACK
  return { ...condition, value: String(condition.value) }
}
