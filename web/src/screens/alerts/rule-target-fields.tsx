/** Where a rule tells: a connector, or a place of its own. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../texts/t.ts'
import { problemOf, SelectField, TextArea, TextField } from '../../ui/form.tsx'
import { headerLines } from '../../ui/header-lines.ts'
import type { AlertRule } from './alert-words.ts'
import type { RuleTarget } from './rule-body.ts'

interface RuleTargetFieldsProps {
  rule: AlertRule | null
  target: RuleTarget
  onTarget: (target: RuleTarget) => void
  connectors: readonly string[]
  error: unknown
  message: string
  onMessage: (message: string) => void
}

export function RuleTargetFields(props: RuleTargetFieldsProps) {
  const { target, onTarget, connectors } = props
  const chosen = 'action' in target ? `own:${target.action}` : `connector:${target.connectorName}`
  return (
    <fieldset className="stack">
      <legend>{t('Then tell')}</legend>
      <SelectField
        label={t('Where')}
        value={chosen}
        onChange={({ target: { value } }) => onTarget(targetOf(value))}
        problem={problemOf(props.error, 'connectorName')}
        options={[
          ...connectors.map(
            (name) => [`connector:${name}`, t('Connector {name}', { name })] as const,
          ),
          ['own:slack', t('A Slack webhook')],
          ['own:email', t('E-mail addresses')],
          ['own:webhook', t('A webhook')],
          ['own:pagerduty', 'PagerDuty'],
        ]}
        hint={
          connectors.length === 0 && (
            <>
              {t('Several rules can share a place:')}{' '}
              <Link to={'/dashboard/connectors' as string}>{t('make a connector')}</Link>
            </>
          )
        }
      />
      {'action' in target && <ActionFields key={target.action} {...props} type={target.action} />}
    </fieldset>
  )
}

function targetOf(chosen: string): RuleTarget {
  const colon = chosen.indexOf(':')
  const name = chosen.slice(colon + 1)
  return chosen.startsWith('own:') ? { action: name as 'slack' } : { connectorName: name }
}

function ActionFields({
  rule,
  type,
  error,
  message,
  onMessage,
}: RuleTargetFieldsProps & { type: 'slack' | 'email' | 'webhook' | 'pagerduty' }) {
  // The fields of another type than the rule has begin empty.
  const former = rule?.action?.type === type ? rule.action : null
  const [values] = useState(() => (former ?? {}) as Readonly<Record<string, unknown>>)
  const text = (name: string): string => {
    const value = values[name]
    return Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : ''
  }
  const field = (name: string) => ({
    name,
    defaultValue: text(name),
    problem: problemOf(error, `action.${name}`),
    autoComplete: 'off',
  })
  return (
    <>
      {(type === 'slack' || type === 'webhook') && (
        <TextField
          label={t('Webhook URL')}
          {...field('webhookUrl')}
          required
          className="mono"
          placeholder={
            type === 'slack' ? 'https://hooks.slack.com/services/…' : 'https://example.com/alerts'
          }
          {...(former && { hint: t('Masked; leave it as it is to keep it.') })}
        />
      )}
      {type === 'slack' && (
        <TextField label={t('Channel')} {...field('channel')} placeholder="#ops" />
      )}
      {type === 'email' && (
        <>
          <TextField
            label={t('To')}
            {...field('to')}
            required
            placeholder="ops@example.com"
            hint={t('Up to 20 addresses, separated by commas.')}
          />
          <TextField label={t('Subject')} {...field('subject')} className="mono" />
        </>
      )}
      {type === 'webhook' && (
        <TextArea
          label={t('Headers')}
          name="headers"
          rows={2}
          defaultValue={headerLines(values['headers'])}
          problem={problemOf(error, 'action.headers')}
          hint={t('One a line: Name: value')}
        />
      )}
      {type === 'pagerduty' && (
        <>
          <TextField label={t('Routing key')} {...field('routingKey')} required className="mono" />
          <SelectField
            label={t('Severity')}
            name="severity"
            defaultValue={text('severity') || 'error'}
            options={[
              ['critical', t('critical')],
              ['error', t('error')],
              ['warning', t('warning')],
              ['info', t('info')],
            ]}
          />
        </>
      )}
      <TextArea
        label={t('Message')}
        name="message"
        rows={3}
        value={message}
        onChange={(event) => onMessage(event.target.value)}
        placeholder="{{.message}}"
        problem={problemOf(error, 'action.message')}
        hint={t('A Go template; it knows {names}.', {
          names: '.rule .status .metric .operator .value .threshold .window .endpoint .at .message',
        })}
      />
    </>
  )
}
