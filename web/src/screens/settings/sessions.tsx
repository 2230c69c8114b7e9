/** Where one is signed in, and ending it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { t } from '../../texts/t.ts'
import { Button, Card, ErrorNote, Skeleton } from '../../ui/parts.tsx'
import { Time } from '../../ui/time.tsx'

export function Sessions() {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => answerOf(api.GET('/auth/sessions', { signal })),
  })
  async function end(id: string): Promise<void> {
    await answerOf(api.DELETE('/auth/sessions/{id}', { params: { path: { id } } }))
    await client.invalidateQueries({ queryKey: ['sessions'] })
  }
  return (
    <Card title={t('Sessions')}>
      {query.isPending && (
        <div className="card-body">
          <Skeleton lines={2} />
        </div>
      )}
      {query.error && (
        <div className="card-body">
          <ErrorNote error={query.error} />
        </div>
      )}
      <ul className="list">
        {query.data?.data.map(({ id, current, ip, userAgent, lastUsedAt }) => (
          <li key={id}>
            <span className="grow">
              <span className="wrap">{userAgent ?? t('unknown browser')}</span>
              <span className="small muted" style={{ display: 'block' }}>
                {ip} · {t('used')} <Time at={lastUsedAt} relative />
              </span>
            </span>
            {current ? (
              <span className="pill">{t('this one')}</span>
            ) : (
              <Button size="small" look="danger" onClick={() => void end(id)}>
                {t('End')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
