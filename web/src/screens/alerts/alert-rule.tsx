/** One alert rule: what it watches and tells, when it would have fired, and what it told of. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { BellOff, BellRing } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { Button, ErrorNote, NoAnswer, PageHead } from '../../ui/parts.tsx'
import { Status } from '../../ui/status.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { TestButton } from '../connectors/test-button.tsx'
import { AlertHistory } from './alert-history.tsx'
import { type AlertRule as Rule, conditionSentence, ruleStatus } from './alert-words.ts'
import { RuleForm } from './rule-form.tsx'

const LIVE_MS = 5_000

export function AlertRule() {
  const { id } = useParams({ strict: false }) as { id: string }
  return id === 'new' ? <NewRule /> : <KnownRule id={id} />
}

const back = () => ({ to: '/dashboard/alerts', label: t('Alerts') })

function NewRule() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <>
      <PageHead title={t('New rule')} back={back()} />
      <RuleForm
        rule={null}
        onSaved={async () => {
          await client.invalidateQueries({ queryKey: ['alert-rules'] })
          toast(t('The rule watches from now on.'))
          await navigate({ to: '/dashboard/alerts' })
        }}
      />
    </>
  )
}

function KnownRule({ id }: { id: string }) {
  const client = useQueryClient()
  const [{ tab = 'settings' }] = useUrlState()
  const query = useQuery({
    queryKey: ['alert-rules', id],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/v1/alerting/rules/{id}', { params: { path: { id } }, signal })),
    refetchInterval: LIVE_MS,
  })
  const rule = query.data
  if (rule === undefined) {
    return (
      <>
        <PageHead title={t('Rule')} back={back()} />
        <NoAnswer query={query} />
      </>
    )
  }
  return (
    <>
      <PageHead
        back={back()}
        title={
          <span className="row">
            {rule.name} <Status of={ruleStatus(rule)} />
          </span>
        }
        about={conditionSentence(rule.condition)}
        actions={<Actions rule={rule} />}
      />
      <Tabs
        label={t('Parts of the rule')}
        current={tab}
        tabs={[
          ['settings', t('Settings')],
          ['history', t('History')],
        ]}
      />
      {tab === 'history' ? (
        <AlertHistory ruleId={id} />
      ) : (
        <RuleForm
          key={rule.updatedAt}
          rule={rule}
          onSaved={async () => {
            await client.invalidateQueries({ queryKey: ['alert-rules'] })
            toast(t('Saved. The rule starts anew.'))
          }}
        />
      )}
    </>
  )
}

function Actions({ rule }: { rule: Rule }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const off = useOff('alerts:write')
  const [error, setError] = useState<unknown>(null)
  const params = { path: { id: rule.id } }
  async function flip(): Promise<void> {
    setError(null)
    const call = rule.enabled
      ? api.POST('/api/v1/alerting/rules/{id}/disable', { params })
      : api.POST('/api/v1/alerting/rules/{id}/enable', { params })
    await answerOf<unknown>(call).catch(setError)
    await client.invalidateQueries({ queryKey: ['alert-rules'] })
  }
  return (
    <>
      <TestButton
        off={off}
        onTest={() => answerOf(api.POST('/api/v1/alerting/rules/{id}/test', { params }))}
      />
      <Button off={off} onClick={() => void flip()}>
        {rule.enabled ? <BellOff size={14} aria-hidden /> : <BellRing size={14} aria-hidden />}
        {rule.enabled ? t('Mute') : t('Enable')}
      </Button>
      <DeleteButton
        name={rule.name}
        off={off}
        onDelete={async () => {
          await answerOf(api.DELETE('/api/v1/alerting/rules/{id}', { params }))
          await client.invalidateQueries({ queryKey: ['alert-rules', 'list'] })
          await navigate({ to: '/dashboard/alerts' })
        }}
      >
        {t('If it fires just now, its end is told first. Its history stays.')}
      </DeleteButton>
      {error !== null && <ErrorNote error={error} />}
    </>
  )
}
