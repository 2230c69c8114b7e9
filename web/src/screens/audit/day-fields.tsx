/** From which day to which, for logs. */
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
      <input
        className="input"
        type="date"
        aria-label={t('From the day')}
        value={from ?? ''}
        onChange={(event) => onChange({ from: event.target.value })}
      />
      <input
        className="input"
        type="date"
        aria-label={t('To the day')}
        value={to ?? ''}
        onChange={(event) => onChange({ to: event.target.value })}
      />
    </>
  )
}
