/** A portal that can't be opened: why, and the way back. */
import { Cookie, LogOut } from 'lucide-react'
import { useEffect } from 'react'
import { isFailure } from '../api/client.ts'
import { t } from '../texts/t.ts'
import { ErrorNote, Note } from '../ui/parts.tsx'
import { type Opened, wayBack } from './portal-session.ts'

export function Closed({ opened }: { opened: Exclude<Opened, { outcome: 'open' }> }) {
  if (opened.outcome === 'no-cookie') {
    return (
      <Frame>
        <Note icon={Cookie} warning>
          <p className="strong">{t('Your browser keeps no cookies for this frame.')}</p>
          <p>{t('Ask the page around it for a new link, and open that in a tab of its own.')}</p>
        </Note>
      </Frame>
    )
  }
  return <Ended failure={opened.failure} />
}

function Ended({ failure }: { failure: unknown }) {
  const back = isFailure(failure) ? wayBack(failure) : null
  useEffect(() => {
    if (back !== null) location.assign(back)
  }, [back])
  return (
    <Frame>
      {back === null ? (
        <ErrorNote error={failure} />
      ) : (
        <Note icon={LogOut}>{t('This session is over. You are being led back.')}</Note>
      )}
      {back !== null && <a href={back}>{t('Go back now')}</a>}
      {back === null && (
        <p className="muted">{t('Ask whoever sent you here for a new link: each opens once.')}</p>
      )}
    </Frame>
  )
}

/** In a frame the host's page has the main landmark. */
function Frame({ children }: { children: React.ReactNode }) {
  return (
    <div className="portal">
      <section className="page stack" aria-label={t('Webhooks')}>
        <h1>{t('Webhooks')}</h1>
        {children}
      </section>
    </div>
  )
}
