/** Where one is signed in, and ending it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { t } from '../../texts/t.ts'
import { browserName } from '../../ui/browser-name.ts'
import { Button, Card } from '../../ui/parts.tsx'
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
    <Card title={t('Sessions')} query={query}>
      <ul className="list">
        {query.data?.data.map(({ id, current, ip, userAgent, lastUsedAt }) => (
          <li key={id}>
            <span className="grow">
              <span className="wrap" title={userAgent ?? undefined}>
                {userAgent === null ? t('unknown browser') : browserName(userAgent)}
              </span>
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
