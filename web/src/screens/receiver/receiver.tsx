/**
 * The demo receiver's page: what arrives, as it arrives; how its signature is verified, step by
 * step; and what it is answered with.
 */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Inbox, Pause, Play, ShieldCheck, ShieldX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { firstEventCurl } from '../../events/curl.ts'
import { t } from '../../texts/t.ts'
import { type Column, Grid } from '../../ui/grid.tsx'
import { Keys } from '../../ui/keys.tsx'
import { Mark } from '../../ui/mark.tsx'
import {
  Button,
  Card,
  CopyButton,
  Empty,
  ErrorNote,
  Json,
  PageHead,
  Skeleton,
} from '../../ui/parts.tsx'
import { ResponseCode } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { AnswerForm } from './answer-form.tsx'
import { readReceived, type Received, type ReceivedRequest } from './receiver-client.ts'
import { SignatureSteps } from './signature-steps.tsx'

const LIVE_MS = 1_000

export function Receiver() {
  const { name } = useParams({ strict: false }) as { name: string }
  const [isLive, setLive] = useState(true)
  const query = useQuery({
    queryKey: ['receiver', name],
    queryFn: ({ signal }) => readReceived(name, signal),
    refetchInterval: isLive ? LIVE_MS : false,
  })
  useEffect(() => {
    document.title = `${name} · ${t('Receiver')} · Posthorn`
  }, [name])
  const url = `${location.origin}/receiver/${name}`
  return (
    <div className="portal">
      <header className="portal-head receiver-head">
        <a className="brand grow" href="/dashboard">
          <Mark /> Posthorn
        </a>
        <a href="/dashboard">{t('To the dashboard')}</a>
      </header>
      <main className="page" id="content">
        <PageHead
          title={t('Receiver {name}', { name })}
          about={
            <span className="row tight">
              <code className="wrap">{url}</code>{' '}
              <CopyButton text={url} label={t('Copy the address')} />
            </span>
          }
          actions={
            <Button onClick={() => setLive(!isLive)} aria-pressed={isLive}>
              {isLive ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
              {isLive ? t('Live') : t('Stopped')}
            </Button>
          }
        />
        {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
        {query.isPending && <Skeleton lines={8} />}
        {query.data && <Arrived name={name} url={url} received={query.data} />}
      </main>
      <Keys places={[{ to: '/dashboard', label: t('To the dashboard') }]} />
    </div>
  )
}

function Arrived({ name, url, received }: { name: string; url: string; received: Received }) {
  const [{ request }, change] = useUrlState()
  const { requests, answer, headerNames } = received
  const shown = requests.find(({ id }) => String(id) === request) ?? requests[0]
  if (shown === undefined) {
    return (
      <div className="stack">
        <div className="card">
          <Empty
            icon={Inbox}
            title={t('Nothing has arrived yet')}
            command={firstEventCurl({ destination: url })}
          >
            {t(
              'Send an event to this address, or make it the URL of an endpoint: each request shows here at once.',
            )}
          </Empty>
        </div>
        <AnswerForm name={name} answer={answer} />
      </div>
    )
  }
  return (
    <div className="receiver">
      <div className="stack">
        <AnswerForm name={name} answer={answer} />
        <Grid
          label={t('Requests')}
          columns={columns(headerNames.eventType)}
          rows={requests.map((one) => ({ ...one, id: String(one.id) }))}
          onOpen={({ id }) => change({ request: id })}
        />
      </div>
      <Details key={shown.id} request={shown} headerNames={headerNames} />
    </div>
  )
}

type Row = Omit<ReceivedRequest, 'id'> & { id: string }

/** @param typeHeader the name of the header that has the event's type */
function columns(typeHeader: string): Column<Row>[] {
  return [
    {
      label: t('Signature'),
      width: '104px',
      cell: ({ verified }) => <Verified is={verified} />,
    },
    {
      label: t('Answer'),
      width: '56px',
      narrow: '40px',
      cell: ({ answered }) => <ResponseCode code={answered.status} />,
    },
    {
      label: t('Event'),
      width: 'minmax(60px, 1fr)',
      broad: true,
      cell: ({ headers }) => <span className="mono">{headers[typeHeader] ?? '–'}</span>,
    },
    {
      label: t('When'),
      width: '96px',
      narrow: '84px',
      cell: ({ receivedAt }) => <Time at={receivedAt} />,
    },
  ]
}

function Verified({ is }: { is: boolean }) {
  return is ? (
    <span className="badge delivered">
      <ShieldCheck size={14} aria-hidden /> {t('verified')}
    </span>
  ) : (
    <span className="badge dead">
      <ShieldX size={14} aria-hidden /> {t('not verified')}
    </span>
  )
}

function Details({
  request,
  headerNames,
}: {
  request: ReceivedRequest
  headerNames: Received['headerNames']
}) {
  const { method, body, headers, receivedAt } = request
  const type = headers[headerNames.eventType]
  return (
    <div className="stack">
      <Card
        title={t('Request')}
        actions={
          <span className="row">
            {type && <code className="strong wrap">{type}</code>}
            <span className="pill mono">{method}</span>
            <span className="muted">
              <Time at={receivedAt} />
            </span>
          </span>
        }
      >
        <div className="card-body stack tight">
          <Json value={pretty(body)} label={t('Body of the request')} />
          <details>
            <summary>{t('{n} headers', { n: Object.keys(headers).length })}</summary>
            <dl className="facts mono small">
              {Object.entries(headers).map(([name, value]) => [
                <dt key={name}>{name}</dt>,
                <dd key={`${name}:`}>{value}</dd>,
              ])}
            </dl>
          </details>
        </div>
      </Card>
      <SignatureSteps request={request} headerNames={headerNames} />
    </div>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
