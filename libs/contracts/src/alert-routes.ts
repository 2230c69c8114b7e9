/** The routes of alert rules and of what they notified of. */
import { may } from './access.ts'
import * as alerting from './alerting.ts'
import { PageQuery } from './fields.ts'
import { API, entry } from './route.ts'

const FEATURE = { feature: 'alerting' } as const
const READ = may('alerts:read', FEATURE)
const WRITE = may('alerts:write', FEATURE)
/** Two templates of 16 KiB with half of their characters escaped, headers and recipients. */
const MAX_RULE_BYTES = 128 * 1024

const EXAMPLE = {
  name: 'Too many failures',
  condition: { metric: 'failure_rate', operator: 'gt', value: 5, window: '5m' },
  action: {
    type: 'slack',
    webhookUrl: 'https://hooks.slack.com/services/T000/B000/XXXX',
    message: '{{.rule}}: {{.value}} is over {{.threshold}}',
  },
  cooldown: '15m',
}

export function alertRoutes(brand: string) {
  const schemas = alerting.alertSchemas(brand)
  return {
    ...ruleRoutes(schemas),
    ...ruleControlRoutes,
    previewAlertRule: entry({
      method: 'POST',
      path: `${API}/alerting/rules/preview`,
      service: 'alerting',
      access: WRITE,
      // It changes nothing.
      audit: null,
      summary: 'When a condition would have fired over the past hours; nothing is saved or sent',
      status: 200,
      body: alerting.PreviewAlertRule,
      answer: alerting.AlertPreview,
      example: { condition: EXAMPLE.condition, hours: 24 },
    }),
    createAlertRuleFromText: entry({
      method: 'POST',
      path: `${API}/alert-rules`,
      service: 'alerting',
      access: WRITE,
      audit: 'alert_rule.create',
      summary: 'Create an alert rule from a condition as text, which notifies by a connector',
      status: 201,
      body: schemas.CreateConnectorAlertRule,
      answer: alerting.AlertRule,
      errors: ['INVALID_STATE'],
      maxBodyBytes: MAX_RULE_BYTES,
      example: {
        name: 'Too many failures',
        condition: 'failure_rate > 5 over 5m',
        connectorName: 'ops-chat',
      },
    }),
  }
}

function ruleRoutes(schemas: alerting.AlertSchemas) {
  return {
    createAlertRule: entry({
      method: 'POST',
      path: `${API}/alerting/rules`,
      service: 'alerting',
      access: WRITE,
      audit: 'alert_rule.create',
      summary: 'Create an alert rule',
      status: 201,
      body: schemas.CreateAlertRule,
      answer: alerting.AlertRule,
      errors: ['INVALID_STATE', 'DESTINATION_BLOCKED'],
      maxBodyBytes: MAX_RULE_BYTES,
      example: EXAMPLE,
    }),
    listAlertRules: entry({
      method: 'GET',
      path: `${API}/alerting/rules`,
      service: 'alerting',
      access: READ,
      summary: 'List alert rules, newest first',
      status: 200,
      query: PageQuery,
      answer: alerting.AlertRulePage,
    }),
    getAlertRule: entry({
      method: 'GET',
      path: `${API}/alerting/rules/:id`,
      service: 'alerting',
      access: READ,
      summary: 'Read an alert rule with its state',
      status: 200,
      answer: alerting.AlertRule,
    }),
    updateAlertRule: entry({
      method: 'PUT',
      path: `${API}/alerting/rules/:id`,
      service: 'alerting',
      access: WRITE,
      audit: 'alert_rule.update',
      summary: 'Change an alert rule; fields left out stay as they are, and it starts in ok',
      status: 200,
      body: schemas.UpdateAlertRule,
      answer: alerting.AlertRule,
      errors: ['DESTINATION_BLOCKED'],
      maxBodyBytes: MAX_RULE_BYTES,
      example: { cooldown: '30m' },
    }),
    deleteAlertRule: entry({
      method: 'DELETE',
      path: `${API}/alerting/rules/:id`,
      service: 'alerting',
      access: WRITE,
      audit: 'alert_rule.delete',
      summary: 'Delete an alert rule; its history stays',
      status: 204,
    }),
  }
}

const ruleControlRoutes = {
  enableAlertRule: entry({
    method: 'POST',
    path: `${API}/alerting/rules/:id/enable`,
    service: 'alerting',
    access: WRITE,
    audit: 'alert_rule.enable',
    summary: 'Enable an alert rule; it starts in ok',
    status: 200,
    answer: alerting.AlertRule,
    // Its endpoint or its connector is gone.
    errors: ['BAD_REQUEST'],
  }),
  disableAlertRule: entry({
    method: 'POST',
    path: `${API}/alerting/rules/:id/disable`,
    service: 'alerting',
    access: WRITE,
    audit: 'alert_rule.disable',
    summary: 'Disable an alert rule: it is evaluated no more',
    status: 200,
    answer: alerting.AlertRule,
  }),
  testAlertRule: entry({
    method: 'POST',
    path: `${API}/alerting/rules/:id/test`,
    service: 'alerting',
    access: WRITE,
    // It changes nothing.
    audit: null,
    summary: 'Send a sample of what an alert rule sends, at once and without retries',
    status: 200,
    answer: alerting.NotificationTested,
  }),
  evaluateAlertRules: entry({
    method: 'POST',
    path: `${API}/alerting/evaluate`,
    service: 'alerting',
    access: WRITE,
    // It changes states, as each evaluation does, and no configuration.
    audit: null,
    summary: 'Evaluate all enabled alert rules now, and notify as usual',
    status: 200,
    answer: alerting.AlertsEvaluated,
  }),
  listAlertHistory: entry({
    method: 'GET',
    path: `${API}/alerting/history`,
    service: 'alerting',
    access: READ,
    summary: 'What alert rules notified of, newest first',
    status: 200,
    query: alerting.AlertHistoryQuery,
    answer: alerting.AlertHistoryPage,
  }),
}
