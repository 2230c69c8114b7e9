/** What a message will look like, with data as it could be. It follows the templates as they are typed. */
import { useEffect, useState } from 'react'
import { t } from '../texts/t.ts'
import type { renderPreview } from './render-preview.ts'
import type { MessageTemplates } from './sample-data.ts'

interface MessagePreviewProps {
  /** Where it is sent: `slack`, `email` and so on. */
  type: string
  templates: MessageTemplates
  /** What is rendered where a template is empty, as the service does. */
  defaults: MessageTemplates
  data: Readonly<Record<string, unknown>>
}

type Render = typeof renderPreview

const COLOURS: Readonly<Record<string, string>> = {
  good: '#2eb886',
  warning: '#daa038',
  danger: '#a30200',
}
const FALLBACK = '#439fe0'

export function MessagePreview({ type, templates, defaults, data }: MessagePreviewProps) {
  const render = useRender()
  if (render === null) return <div className="skeleton s0" />
  const json = JSON.stringify(data)
  const rendered = (name: keyof MessageTemplates) =>
    render(templates[name].trim() === '' ? defaults[name] : templates[name], json)
  const parts = { title: rendered('title'), text: rendered('text'), color: rendered('color') }
  const problems = Object.entries(parts).flatMap(([name, part]) =>
    part.outcome === 'failed' ? [`${name}: ${part.message}`] : [],
  )
  const textOf = (name: keyof MessageTemplates): string =>
    parts[name].outcome === 'ok' ? parts[name].text : ''
  const wanted = textOf('color').trim().toLowerCase()
  const colour = COLOURS[wanted] ?? (/^#[0-9a-f]{6}$/.test(wanted) ? wanted : FALLBACK)
  return (
    <div className="stack tight">
      {problems.map((problem) => (
        <p key={problem} className="problem" role="alert">
          {problem}
        </p>
      ))}
      <div className="message" aria-label={t('Preview of the message')} role="group">
        {type === 'email' ? (
          <div className="message-mail">
            <span className="muted">{t('Subject')}:</span> <b>{textOf('title')}</b>
          </div>
        ) : (
          <span className="message-bar" style={{ background: colour }} aria-hidden />
        )}
        <div className="grow">
          {type !== 'email' && <p className="strong wrap">{textOf('title')}</p>}
          <p className="wrap message-text">{textOf('text')}</p>
        </div>
      </div>
    </div>
  )
}

/** @returns null: it is still being loaded */
export function useRender(): Render | null {
  const [render, setRender] = useState<Render | null>(null)
  useEffect(() => {
    void import('./render-preview.ts').then((module) => setRender(() => module.renderPreview))
  }, [])
  return render
}
