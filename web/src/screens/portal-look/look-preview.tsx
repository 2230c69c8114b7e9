/** The portal as it will look: its parts in small, with the colours of the form. */
import type { ThemePalette } from '@posthorn/domain/portal-theme'
import { TimerReset } from 'lucide-react'
import type { CSSProperties } from 'react'
import { FONTS } from '../../portal/fonts.ts'
import { t } from '../../texts/t.ts'
import { Mark } from '../../ui/mark.tsx'
import { Button, Note } from '../../ui/parts.tsx'
import { Status } from '../../ui/status.tsx'
import type { LookAppearance, LookTheme } from './look.ts'

interface LookPreviewProps {
  look: LookTheme
  palette: ThemePalette
  appearance: LookAppearance
}

export function LookPreview({ look, palette, appearance }: LookPreviewProps) {
  const style = { ...palette, colorScheme: appearance, '--font': FONTS[look.font] }
  const events = [
    ['order.paid', 'delivered'],
    ['order.refunded', 'failed'],
    ['user.created', 'dead'],
  ] as const
  return (
    <div className="look" style={style as CSSProperties} inert>
      <div className="portal-head">
        <span className="brand">
          {look.logo === null ? <Mark /> : <img src={look.logo} alt="" />}
          {look.brandName ?? t('Webhooks')}
        </span>
        <span className="look-tab">{t('Endpoints')}</span>
      </div>
      <div className="stack look-page">
        <Note icon={TimerReset} warning>
          {t('This session ends')} {t('in {time}', { time: '2 min' })}.
        </Note>
        <ul className="card list">
          {events.map(([type, status], at) => (
            <li key={type} className={at === 0 ? 'look-current' : undefined}>
              <span className="grow mono">{type}</span>
              <Status of={status} />
            </li>
          ))}
        </ul>
        <div className="row">
          <Button look="main">{t('Send a test')}</Button>
          <Button>{t('Pause')}</Button>
        </div>
      </div>
    </div>
  )
}
