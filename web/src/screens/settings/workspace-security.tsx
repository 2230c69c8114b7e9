/** What the workspace asks of its members. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Button, Card, ErrorNote, Skeleton } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'

export function WorkspaceSecurity() {
  const client = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const off = useOff('account:write')
  const query = useQuery({
    queryKey: ['security'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/me/security', { signal })),
  })
  const isOn = query.data?.requireMfa === true
  async function change(): Promise<void> {
    await answerOf(api.PATCH('/api/v1/me/security', { body: { requireMfa: !isOn } }))
    await client.invalidateQueries({ queryKey: ['security'] })
    toast(t('Saved.'))
  }
  return (
    <Card
      title={t('Second factor of everybody')}
      actions={
        <Button size="small" off={off} onClick={() => setAsked(true)}>
          {isOn ? t('Ask for none') : t('Ask for one')}
        </Button>
      }
    >
      <div className="card-body">
        {query.error && <ErrorNote error={query.error} />}
        {query.isPending && <Skeleton lines={1} />}
        {query.data && (
          <p className="row">
            <ShieldCheck size={16} className={isOn ? 'delivered' : 'muted'} aria-hidden />
            {isOn
              ? t('Each member needs one; who has none may only set one up.')
              : t('Each member decides for themselves.')}
          </p>
        )}
      </div>
      {isAsked && (
        <Confirm
          title={isOn ? t('Ask members for no second factor?') : t('Ask each member for one?')}
          action={isOn ? t('Ask for none') : t('Ask for one')}
          onClose={() => setAsked(false)}
          onConfirm={change}
        >
          {isOn
            ? t('Those who have one keep it, and can remove it.')
            : t(
                'Members without one can do nothing else until they have set one up. API keys are not concerned.',
              )}
        </Confirm>
      )}
    </Card>
  )
}
