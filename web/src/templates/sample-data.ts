/** Data as alerts and events have it when a message is rendered, made up for a preview. */
import { type AlertCondition, signOf } from '@posthorn/domain/alert-condition'

export interface MessageTemplates {
  title: string
  text: string
  color: string
}

/** As the service has them, where nobody wrote others. */
export const ALERT_DEFAULTS: MessageTemplates = {
  title: '[{{.label}}] {{.rule}}',
  text: '{{.message}}',
  color: 'danger',
}
export const EVENT_DEFAULTS: MessageTemplates = {
  title: '{{.event_type}}',
  text: '{{range $name, $value := .payload}}{{$name}}: {{$value}}\n{{end}}',
  color: '',
}

export function sampleAlert(rule: string, condition: AlertCondition) {
  const { metric, operator, value: threshold, window } = condition
  const own = {
    rule,
    status: 'firing',
    metric,
    operator,
    value: threshold,
    threshold,
    window,
    endpoint: '',
    at: new Date().toISOString(),
    message: `${metric} is ${threshold}, ${signOf(operator)} ${threshold} over ${window}`,
  }
  return { ...own, label: 'FIRING', event_type: 'alert.firing', payload: own }
}

export function sampleEvent(eventType: string, payload: Readonly<Record<string, unknown>>) {
  return { ...payload, event_type: eventType, payload }
}
