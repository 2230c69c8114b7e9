/** From which day to which, for logs. */
import type { ChangeEventHandler } from 'react'
import { t } from '../../texts/t.ts'
import type { UrlState } from '../../ui/url-state.ts'

interface DayFieldsProps {
  from: string | undefined
  to: string | undefined
  onChange: (change: UrlState) => void
}

export function DayFields({ from, to, onChange }: DayFieldsProps) {
  return (
    <>
      <DayField
        label={t('From')}
        value={from}
        onChange={(event) => onChange({ from: event.target.value })}
      />
      <DayField
        label={t('to')}
        value={to}
        onChange={(event) => onChange({ to: event.target.value })}
      />
    </>
  )
}

interface DayFieldProps {
  label: string
  value: string | undefined
  onChange: ChangeEventHandler<HTMLInputElement>
}

function DayField({ label, value = '', onChange }: DayFieldProps) {
  return (
    <label>
      {label}
      <input className="input" type="date" value={value} onChange={onChange} />
    </label>
  )
}
