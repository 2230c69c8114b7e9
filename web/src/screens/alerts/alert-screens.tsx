/** The screens of alerts, which come together. */
export { AlertRule } from './alert-rule.tsx'
export { Alerts } from './alerts.tsx'
