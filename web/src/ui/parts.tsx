/** The small parts that every screen is made of. */
import { Link, type LinkProps } from '@tanstack/react-router'
import { ArrowLeft, Check, Copy, type LucideIcon, RefreshCw, TriangleAlert } from 'lucide-react'
import { type ButtonHTMLAttributes, type ReactNode, useState } from 'react'
import { isFailure } from '../api/client.ts'
import { t } from '../texts/t.ts'
import { explainCode } from './explain-code.ts'
import { toast } from './toast.tsx'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  look?: 'main' | 'danger' | 'plain'
  size?: 'small' | 'icon' | 'wide'
  /** Why it can't be used; a reader who hovers or tabs there learns it. */
  off?: string | undefined
}

export function Button({ look, size, off, onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={['button', look, size].filter(Boolean).join(' ')}
      aria-disabled={off !== undefined}
      title={off ?? rest.title}
      onClick={(event) => {
        if (off === undefined) onClick?.(event)
        else event.preventDefault()
      }}
    >
      {children}
    </button>
  )
}

export function ButtonLink({
  look,
  ...rest
}: LinkProps & { look?: 'main' | 'plain'; children: ReactNode }) {
  return <Link {...(rest as LinkProps)} className={['button', look].filter(Boolean).join(' ')} />
}

interface PageHeadProps {
  title: ReactNode
  about?: ReactNode
  actions?: ReactNode
  back?: { to: string; search?: Record<string, string>; label: string }
}

export function PageHead({ title, about, actions, back }: PageHeadProps) {
  return (
    <header className="page-head">
      <div>
        {back && (
          <Link to={back.to} search={(back.search ?? {}) as never} className="back">
            <ArrowLeft size={14} aria-hidden /> {back.label}
          </Link>
        )}
        <h1 className="wrap">{title}</h1>
        {about && <p>{about}</p>}
      </div>
      {actions && <div className="row">{actions}</div>}
    </header>
  )
}

interface CardProps {
  title?: string
  actions?: ReactNode
  /** What its content is read by: while that has no answer, or fails, the card says so. */
  query?: Unanswered & { data: unknown }
  children: ReactNode
}

export function Card({ title, actions, query, children }: CardProps) {
  const isAnswered = query === undefined || (query.data !== undefined && query.error === null)
  return (
    <section className="card">
      {title !== undefined && (
        <div className="card-head">
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      {!isAnswered && (
        <div className="card-body">
          <NoAnswer query={query} lines={3} />
        </div>
      )}
      {children}
    </section>
  )
}

interface EmptyProps {
  icon: LucideIcon
  title: string
  children: ReactNode
  /** A command that fills the place. */
  command?: string
  action?: ReactNode
}

export function Empty({ icon: Icon, title, children, command, action }: EmptyProps) {
  return (
    <div className="empty">
      <Icon aria-hidden />
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
      {command !== undefined && <Code text={command} label={t('Command')} />}
    </div>
  )
}

/** What failed, its code, the request's id for the log, and a way to try again. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const failure = isFailure(error) ? error : null
  const advice = failure && explainCode(failure)
  return (
    <div className="note error" role="alert">
      <TriangleAlert size={16} className="dead" aria-hidden />
      <div className="grow">
        <p className="strong">
          {advice ?? (error instanceof Error ? error.message : t('Something failed.'))}
        </p>
        {failure && advice && <p className="muted">{failure.message}</p>}
        {failure && (
          <p className="small muted">
            <code>{failure.code}</code>
            {failure.requestId && (
              <>
                {' · '}
                {t('request')} <code>{failure.requestId}</code>
              </>
            )}
          </p>
        )}
      </div>
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          <RefreshCw size={14} aria-hidden /> {t('Try again')}
        </Button>
      )}
    </div>
  )
}

export function Note({
  warning = false,
  icon: Icon,
  children,
}: {
  warning?: boolean
  icon: LucideIcon
  children: ReactNode
}) {
  return (
    <div className={warning ? 'note warning' : 'note'}>
      <Icon size={16} aria-hidden />
      <div className="grow">{children}</div>
    </div>
  )
}

export function Skeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div className="stack" role="status" aria-label={t('Loading')}>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} className={`skeleton s${at % 3}`} />
      ))}
    </div>
  )
}

interface Unanswered {
  error: unknown
  refetch: () => Promise<unknown>
}

/** In a screen's place while its query has no answer yet. */
export function NoAnswer({
  query: { error, refetch },
  lines = 8,
}: {
  query: Unanswered
  lines?: number
}) {
  if (error === null) return <Skeleton lines={lines} />
  return <ErrorNote error={error} onRetry={() => void refetch()} />
}

export function CopyButton({ text, label = t('Copy') }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <Button
      size="small"
      aria-label={label}
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => setCopied(true),
          () => toast(t('The browser does not let this page copy: select the text instead.')),
        )
        setTimeout(() => setCopied(false), 1_500)
      }}
    >
      {isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      {isCopied ? t('Copied') : t('Copy')}
    </Button>
  )
}

export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div className="code">
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} />
    </div>
  )
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/** Colouring each word of a larger text takes longer than reading it needs. */
const MAX_COLOURED = 40_000

/** JSON for reading. What it holds is text to the page, whatever it says. */
export function Json({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    <div className="code">
      <pre tabIndex={0} aria-label={label}>
        {text.length > MAX_COLOURED ? text : coloured(text)}
      </pre>
      <CopyButton text={text} />
    </div>
  )
}

function coloured(text: string): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const { 0: token, 1: string, 2: colon, index } of text.matchAll(TOKEN)) {
    parts.push(text.slice(end, index))
    const kind =
      colon !== undefined ? 'json-key' : string !== undefined ? 'json-text' : 'json-value'
    parts.push(
      <span key={index} className={kind}>
        {string ?? token}
      </span>,
      colon,
    )
    end = index + token.length
  }
  parts.push(text.slice(end))
  return parts
}
