/** The frame of the pages for people who are not signed in. */
import type { ReactNode } from 'react'
import { t } from '../../texts/t.ts'
import { Mark } from '../../ui/mark.tsx'

export function AuthPage({
  title,
  about,
  children,
}: {
  title: string
  about?: ReactNode
  children: ReactNode
}) {
  document.title = `${title} · Posthorn`
  return (
    <div className="auth">
      <main className="auth-form">
        <div className="stack">
          <a className="brand" href="/login">
            <Mark /> Posthorn
          </a>
          <div>
            <h1>{title}</h1>
            {about && <p className="muted">{about}</p>}
          </div>
          {children}
        </div>
      </main>
      <aside className="auth-side" aria-label={t('About Posthorn')}>
        <h2>{t('Webhooks that arrive, and can say why they did not.')}</h2>
        <Sample />
        <p className="muted">
          {t(
            'Signed, retried with back-off, in order where you ask for it; every attempt can be read back and sent again.',
          )}
        </p>
      </aside>
    </div>
  )
}

/** The life of one event, as the dashboard tells it. */
function Sample() {
  const lines = [
    ['12:04:31', 'payment.succeeded', 'queued', t('accepted')],
    ['12:04:31', 'POST /hooks → 503', 'failed', t('retry in {time}', { time: '30 s' })],
    ['12:05:01', 'POST /hooks → 200', 'delivered', '184 ms'],
  ]
  return (
    <div className="card">
      <ul className="list">
        {lines.map(([at, what, kind, rest]) => (
          <li key={what}>
            <span className="mono muted">{at}</span>
            <span className="mono grow">{what}</span>
            <span className={`badge ${kind}`}>{rest}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
