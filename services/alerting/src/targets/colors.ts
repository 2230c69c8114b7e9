/** The colour of a message: the template's, else by what happened. */
import type { Notification } from './target.ts'

export type ColorName = 'good' | 'warning' | 'danger' | 'info'

export interface MessageColor {
  name: ColorName
  /** `#rrggbb`. */
  hex: string
}

const HEX: Readonly<Record<ColorName, string>> = {
  good: '#2eb886',
  warning: '#daa038',
  danger: '#a30200',
  info: '#439fe0',
}

type Colored = Pick<Notification, 'color' | 'status' | 'severity'>

export function colorOf(notification: Colored): MessageColor {
  const wanted = notification.color?.trim().toLowerCase() ?? ''
  const name = nameOf(notification)
  if (wanted === 'good' || wanted === 'warning' || wanted === 'danger') {
    return { name: wanted, hex: HEX[wanted] }
  }
  return { name, hex: /^#[0-9a-f]{6}$/.test(wanted) ? wanted : HEX[name] }
}

function nameOf({ status, severity }: Colored): ColorName {
  if (status === 'resolved') return 'good'
  if (severity === 'critical' || severity === 'error') return 'danger'
  return severity
}
