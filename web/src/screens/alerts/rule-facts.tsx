/** How a rule stands: what it measured last, and since when it is quiet or firing. */
import { t } from '../../texts/t.ts'
import { Card } from '../../ui/parts.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { type AlertRule, ruleStatus, valueText } from './alert-words.ts'

export function RuleFacts({ rule }: { rule: AlertRule }) {
  const { id, condition, lastValue, lastEvaluatedAt, stateSince } = rule
  return (
    <Card title={t('Facts')}>
      <div className="card-body">
        <dl className="facts">
          <dt>{t('State')}</dt>
          <dd>
            <Status of={ruleStatus(rule)} />
          </dd>
          <dt>{t('Since')}</dt>
          <dd>
            <Time at={stateSince} />
          </dd>
          <dt>{t('Now')}</dt>
          <dd>{lastValue === null ? '–' : valueText(condition.metric, lastValue)}</dd>
          <dt>{t('Looked at')}</dt>
          <dd>{lastEvaluatedAt === null ? '–' : <Time at={lastEvaluatedAt} />}</dd>
          <dt>{t('Id')}</dt>
          <dd className="mono small">{id}</dd>
        </dl>
      </div>
    </Card>
  )
}
