/** What a connector's messages look like, of an alert or of an event whose payload can be changed. */
import { useState } from 'react'
import { MessagePreview, useRender } from '../../templates/message-preview.tsx'
import {
  ALERT_DEFAULTS,
  EVENT_DEFAULTS,
  type MessageTemplates,
  sampleAlert,
  sampleEvent,
} from '../../templates/sample-data.ts'
import { t } from '../../texts/t.ts'
import { Select, TextArea, TextField } from '../../ui/form.tsx'
import { objectIn } from '../../ui/json-object.ts'
import { Card, Json } from '../../ui/parts.tsx'
import type { ConnectorType } from './connector-types.ts'

const SAMPLE = JSON.stringify(
  { orderId: 'o_42', amount: 19.99, customer: { name: 'Ada & Co', country: 'DE' } },
  null,
  2,
)
const CONDITION = { metric: 'failure_rate', operator: 'gt', value: 5, window: '5m' } as const

export function TemplatePreview({
  type,
  templates,
  isOfEvents,
}: {
  type: ConnectorType
  templates: MessageTemplates
  /** It is told of events, which its templates are then written for. */
  isOfEvents: boolean
}) {
  const [of, setOf] = useState(isOfEvents ? 'event' : 'alert')
  const [eventType, setEventType] = useState('order.paid')
  const [text, setText] = useState(SAMPLE)
  const payload = objectIn(text)
  const isAlert = of === 'alert'
  const alert = sampleAlert(t('Payments fail'), CONDITION)
  const render = useRender()
  const own = templates.text.trim() === '' ? null : render?.(templates.text, JSON.stringify(alert))
  // A webhook's own words are the message among its fields; an event is sent as it is.
  const message = own?.outcome === 'ok' ? own.text : alert.message
  return (
    <Card
      title={t('Preview')}
      actions={
        <Select
          aria-label={t('Of what')}
          value={of}
          onChange={(event) => setOf(event.target.value)}
          options={[
            ['alert', t('of an alert')],
            ['event', t('of an event')],
          ]}
        />
      }
    >
      <div className="card-body stack">
        {type === 'webhook' ? (
          <Json
            label={t('Body of the request')}
            value={isAlert ? { ...alert.payload, message } : (payload ?? text)}
          />
        ) : (
          <MessagePreview
            type={type}
            templates={templates}
            defaults={isAlert ? ALERT_DEFAULTS : EVENT_DEFAULTS}
            data={isAlert ? alert : sampleEvent(eventType, payload ?? {})}
          />
        )}
        {!isAlert && (
          <>
            <TextField
              label={t('Event type')}
              className="mono"
              value={eventType}
              onChange={(event) => setEventType(event.target.value)}
            />
            <TextArea
              label={t('Payload')}
              rows={7}
              value={text}
              onChange={(event) => setText(event.target.value)}
              problem={payload === null ? t('This is no JSON object.') : undefined}
            />
          </>
        )}
      </div>
    </Card>
  )
}
