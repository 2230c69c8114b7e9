/** What an endpoint was set to before, what each change was, and going back. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { CodeDiff } from '../../code/code-editor.tsx'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Doer } from '../../ui/doer.tsx'
import { Button, Card, NoAnswer } from '../../ui/parts.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'

export function Versions({ endpoint }: { endpoint: Schemas['Endpoint'] }) {
  const client = useQueryClient()
  const [target, setTarget] = useState<number | null>(null)
  const off = useOff('endpoints:write')
  const query = useQuery({
    queryKey: ['endpoints', endpoint.id, 'versions', endpoint.version],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/v1/endpoints/{id}/versions', {
          params: { path: { id: endpoint.id }, query: { limit: 100 } },
          signal,
        }),
      ),
  })
  if (query.data === undefined) return <NoAnswer query={query} />
  return (
    <Card>
      <ul className="list">
        {query.data.data.map((version) => (
          <li key={version.version}>
            <span className="strong">{t('Version {n}', { n: version.version })}</span>
            <span className="grow muted">
              {version.changes.length === 0
                ? t('made')
                : t('changed: {fields}', { fields: version.changes.join(', ') })}
            </span>
            <span className="muted small">
              <Doer name={version.changedBy} /> · <Time at={version.changedAt} />
            </span>
            {version.version !== endpoint.version && (
              <Button size="small" off={off} onClick={() => setTarget(version.version)}>
                <History size={14} aria-hidden /> {t('Back to this')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {target !== null && (
        <Confirm
          title={t('Back to version {n}?', { n: target })}
          action={t('Go back')}
          broad
          onClose={() => setTarget(null)}
          onConfirm={async () => {
            await answerOf(
              api.POST('/api/v1/endpoints/{id}/versions/{n}/rollback', {
                params: { path: { id: endpoint.id, n: target } },
              }),
            )
            await client.invalidateQueries({ queryKey: ['endpoints'] })
            toast(t('Saved as a new version.'))
          }}
        >
          <Diff id={endpoint.id} from={endpoint.version} to={target} />
        </Confirm>
      )}
    </Card>
  )
}

function Diff({ id, from, to }: { id: string; from: number; to: number }) {
  const query = useQuery({
    queryKey: ['endpoints', id, 'diff', from, to],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/v1/endpoints/{id}/versions/diff', {
          params: { path: { id }, query: { v1: from, v2: to } },
          signal,
        }),
      ),
  })
  if (query.data === undefined) return <NoAnswer query={query} />
  return (
    <div className="stack tight">
      {query.data.changes.map(({ field, from: now, to: then }) => (
        <div key={field} className="field">
          <span className="label mono">{field}</span>
          <CodeDiff label={field} before={textOf(now)} after={textOf(then)} />
        </div>
      ))}
    </div>
  )
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value, null, 2)
}
