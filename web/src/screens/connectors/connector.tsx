/** One connector: its settings, a test, and the rules that tell it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { answerOf, api } from '../../api/client.ts'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { Card, NoAnswer, PageHead } from '../../ui/parts.tsx'
import { Status } from '../../ui/status.tsx'
import { useAlertRules } from '../alerts/alerts.tsx'
import { conditionSentence, ruleStatus } from '../alerts/alert-words.ts'
import { ConnectorForm } from './connector-form.tsx'
import { type ConnectorRow, lookOf } from './connector-types.ts'
import { TestButton } from './test-button.tsx'

export function Connector() {
  const { name } = useParams({ strict: false }) as { name: string }
  const query = useQuery({
    queryKey: ['connectors', 'one', name],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/v1/connectors/{name}', { params: { path: { name } }, signal })),
  })
  const back = { to: '/dashboard/connectors', label: t('Connectors') }
  const connector = query.data
  if (connector === undefined) {
    return (
      <>
        <PageHead title={name} back={back} />
        <NoAnswer query={query} />
      </>
    )
  }
  return (
    <>
      <PageHead
        back={back}
        title={connector.name}
        about={lookOf(connector.type).label}
        actions={<Actions connector={connector} />}
      />
      <div className="stack">
        <ConnectorForm
          key={connector.updatedAt}
          type={connector.type}
          connector={connector}
          onSaved={async () => await query.refetch()}
        />
        <Rules name={connector.name} />
      </div>
    </>
  )
}

function Actions({ connector: { name } }: { connector: ConnectorRow }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const off = useOff('connectors:write')
  const params = { path: { name } }
  return (
    <>
      <TestButton
        off={off}
        onTest={() => answerOf(api.POST('/api/v1/connectors/{name}/test', { params }))}
      />
      <DeleteButton
        name={name}
        off={off}
        onDelete={async () => {
          await answerOf(api.DELETE('/api/v1/connectors/{name}', { params }))
          await client.invalidateQueries({ queryKey: ['connectors', 'list'] })
          await navigate({ to: '/dashboard/connectors' })
        }}
      >
        {t('A connector that a rule tells stays: change those rules first.')}
      </DeleteButton>
    </>
  )
}

function Rules({ name }: { name: string }) {
  const rules = useAlertRules()
  const own = rules.rows.filter(({ connectorName }) => connectorName === name)
  if (own.length === 0) return null
  return (
    <Card title={t('Rules that tell it')}>
      <ul className="list">
        {own.map((rule) => (
          <li key={rule.id}>
            <Link to={`/dashboard/alerts/${rule.id}`} className="strong">
              {rule.name}
            </Link>
            <span className="grow muted">{conditionSentence(rule.condition)}</span>
            <Status of={ruleStatus(rule)} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
