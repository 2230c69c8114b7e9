/**
 * The script that changes what an endpoint is sent, beside an event to try it on: each pause in
 * typing runs it, and what it makes of the event is shown as what changes.
 */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleSlash, Play, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { CodeDiff, CodeEditor } from '../../code/code-editor.tsx'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Select } from '../../ui/form.tsx'
import { objectIn } from '../../ui/json-object.ts'
import { Button, Card, ErrorNote, Note, Skeleton } from '../../ui/parts.tsx'
import { localTime } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { usePaused } from '../../ui/use-paused.ts'
import { usePayload, useRecentEvents } from './recent-events.ts'

const TEMPLATE = `// What this returns is sent instead. null sends nothing.
function transform(event) {
  return {
    payload: { ...event.payload, type: event.eventType },
  }
}
`
const EXAMPLE = { orderId: 'o_1', amount: 1250, currency: 'EUR' }

export function TransformationTab({ endpoint }: { endpoint: Schemas['Endpoint'] }) {
  const [script, setScript] = useState(endpoint.transformation ?? TEMPLATE)
  const sample = useSample(endpoint)
  const off = useOff('endpoints:write')
  const run = useRun(script, sample, off === undefined)
  const line = Number(/\(line (\d+)\)/.exec(run.data?.error ?? '')?.[1] ?? 0)
  const error = run.data?.error ?? ''
  const marks = useMemo(() => (line === 0 ? [] : [{ line, message: error }]), [line, error])
  return (
    <div className="halves">
      <Card title={t('Script')} actions={<Save endpoint={endpoint} script={script} off={off} />}>
        <div className="card-body stack tight">
          <CodeEditor
            label={t('Script')}
            isLabelHidden
            language="javascript"
            value={script}
            onChange={setScript}
            onRun={() => void run.refetch()}
            marks={marks}
            minLines={14}
          />
          <p className="small muted">
            {t(
              'It runs in a sandbox without network or clock: 100 ms, 16 MiB. Ctrl-Enter runs it now.',
            )}
          </p>
        </div>
      </Card>
      <div className="stack">
        <Card title={t('Sample event')} actions={sample.chooser}>
          <div className="card-body">
            <CodeEditor
              label={t('Sample payload')}
              isLabelHidden
              language="json"
              value={sample.text}
              onChange={sample.setText}
              onRun={() => void run.refetch()}
              problem={sample.payload === null ? t('This is no JSON object.') : undefined}
            />
          </div>
        </Card>
        <Card
          title={t('What would be sent')}
          actions={
            <Button size="small" off={off} onClick={() => void run.refetch()}>
              <Play size={14} aria-hidden /> {t('Run')}
            </Button>
          }
        >
          <div className="card-body stack tight" aria-live="polite">
            {off === undefined ? (
              <Outcome run={run} sample={sample} />
            ) : (
              <p className="muted">{off}</p>
            )}
          </div>
        </Card>
      </div>
    </div>
  )
}

interface Sample {
  text: string
  setText: (text: string) => void
  /** null: the text is no JSON object. */
  payload: Record<string, unknown> | null
  eventType: string
  /** Whether the event that is to be tried is known. */
  isReady: boolean
  chooser: ReactNode
}

/** A recent event, in the URL by its id, or one of one's own. */
function useSample(endpoint: Schemas['Endpoint']): Sample {
  const [{ sample }, change] = useUrlState()
  const recent = useRecentEvents(endpoint)
  const chosen = sample ?? recent.data?.[0]?.id ?? null
  const event = usePayload(chosen)
  const [text, setText] = useState(() => JSON.stringify(EXAMPLE, null, 2))
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    if (event.data !== undefined) setText(JSON.stringify(event.data.payload, null, 2))
    if (event.data !== undefined || event.isError) setReady(true)
  }, [event.data, event.isError])
  const hasNone = chosen === null && !recent.isPending
  const options = (recent.data ?? []).map(({ id, eventType, createdAt }): [string, string] => [
    id,
    `${eventType} · ${localTime(createdAt)}`,
  ])
  return {
    text,
    setText,
    payload: objectIn(text),
    eventType: event.data?.eventType ?? 'order.paid',
    isReady: isReady || hasNone,
    chooser: options.length > 0 && (
      <Select
        aria-label={t('Sample event')}
        value={chosen ?? ''}
        onChange={({ target }) => change({ sample: target.value })}
        options={options}
      />
    ),
  }
}

function useRun(script: string, { payload, eventType, isReady }: Sample, isAllowed: boolean) {
  const wanted = JSON.stringify({ transformation: script, event: { eventType, payload } })
  const body = usePaused(wanted)
  return useQuery({
    queryKey: ['transformation', body],
    queryFn: ({ signal }) =>
      answerOf(
        api.POST('/api/v1/transformations/test', { body: JSON.parse(body) as never, signal }),
      ),
    enabled: isAllowed && isReady && payload !== null && wanted === body,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

function Outcome({ run, sample }: { run: ReturnType<typeof useRun>; sample: Sample }) {
  if (run.error) return <ErrorNote error={run.error} onRetry={() => void run.refetch()} />
  if (run.data === undefined) return <Skeleton lines={3} />
  const { result, error } = run.data
  if (error !== null) {
    return (
      <Note icon={TriangleAlert} warning>
        <p className="strong">{t('The script failed.')}</p>
        <p className="mono small wrap">{error}</p>
      </Note>
    )
  }
  if (result === null) {
    return <Note icon={CircleSlash}>{t('Nothing: the script drops this event.')}</Note>
  }
  const headers = Object.entries(result.headers)
  return (
    <>
      <p className="row tight delivered strong">
        <CircleCheck size={14} aria-hidden /> {t('It ran. What changes is marked.')}
      </p>
      <CodeDiff
        label={t('What would be sent')}
        before={JSON.stringify(sample.payload, null, 2)}
        after={JSON.stringify(result.payload, null, 2)}
      />
      {headers.length > 0 && (
        <dl className="facts mono small">
          {headers.map(([name, value]) => [
            <dt key={name}>{name}</dt>,
            <dd key={`${name}:`}>{value}</dd>,
          ])}
        </dl>
      )}
    </>
  )
}

function Save({
  endpoint,
  script,
  off,
}: {
  endpoint: Schemas['Endpoint']
  script: string
  off: string | undefined
}) {
  const client = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const [isRemoving, setRemoving] = useState(false)
  const isSame = script === endpoint.transformation
  async function save(transformation: string | null): Promise<void> {
    const params = { path: { id: endpoint.id } }
    await answerOf(api.PATCH('/api/v1/endpoints/{id}', { params, body: { transformation } }))
    await client.invalidateQueries({ queryKey: ['endpoints'] })
    toast(t('Saved as a new version.'))
  }
  return (
    <div className="row">
      {endpoint.transformation !== null && (
        <Button size="small" look="danger" off={off} onClick={() => setRemoving(true)}>
          {t('Remove')}
        </Button>
      )}
      <Button
        size="small"
        look="main"
        off={off ?? (isSame ? t('Nothing was changed.') : undefined)}
        onClick={() => {
          setError(null)
          save(script).catch(setError)
        }}
      >
        {t('Save')}
      </Button>
      {error !== null && <ErrorNote error={error} />}
      {isRemoving && (
        <Confirm
          title={t('Remove the script?')}
          action={t('Remove')}
          onClose={() => setRemoving(false)}
          onConfirm={() => save(null)}
        >
          {t('Payloads are then sent as they were accepted. The script stays in the versions.')}
        </Confirm>
      )}
    </div>
  )
}
