/** Alert rules, with what is wrong now; and what they told of. */
import { useNavigate } from '@tanstack/react-router'
import { BellRing, Plus } from 'lucide-react'
import { answerOf, api } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { apiCurl } from '../../events/curl.ts'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import type { Column } from '../../ui/grid.tsx'
import { Button, Empty, PageHead } from '../../ui/parts.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { Status } from '../../ui/status.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { AlertHistory } from './alert-history.tsx'
import {
  type AlertRule,
  conditionSentence,
  ruleStatus,
  targetText,
  valueText,
} from './alert-words.ts'

const LIVE_MS = 5_000
const EXAMPLE = {
  name: 'Payments fail',
  condition: { metric: 'failure_rate', operator: 'gt', value: 5, window: '5m' },
  action: { type: 'email', to: ['ops@example.com'] },
}

export function useAlertRules() {
  return usePages<AlertRule>(
    ['alert-rules', 'list'],
    (cursor, signal) =>
      answerOf(
        api.GET('/api/v1/alerting/rules', {
          params: { query: { limit: 100, ...(cursor && { cursor }) } },
          signal,
        }),
      ),
    LIVE_MS,
  )
}

export function Alerts() {
  const [{ tab = 'rules' }] = useUrlState()
  const navigate = useNavigate()
  const off = useOff('alerts:write')
  return (
    <>
      <PageHead
        title={t('Alerts')}
        about={t('Rules that watch your deliveries, and tell you before your customers do.')}
        actions={
          <Button
            look="main"
            off={off}
            onClick={() => void navigate({ to: '/dashboard/alerts/new' as string })}
          >
            <Plus size={14} aria-hidden /> {t('New rule')}
          </Button>
        }
      />
      <Tabs
        label={t('Parts of alerts')}
        current={tab}
        tabs={[
          ['rules', t('Rules')],
          ['history', t('History')],
        ]}
      />
      {tab === 'history' ? <AlertHistory /> : <Rules />}
    </>
  )
}

function Rules() {
  const navigate = useNavigate()
  const list = useAlertRules()
  return (
    <RowList
      label={t('Rules')}
      list={list}
      columns={columns()}
      onOpen={({ id }) => void navigate({ to: `/dashboard/alerts/${id}` })}
    >
      <Empty
        icon={BellRing}
        title={t('No rules yet')}
        command={apiCurl('/alerting/rules', EXAMPLE)}
      >
        {t(
          'A rule compares one number over a time with a limit: failures, latency, silence. Before you save one you see when it would have fired.',
        )}
      </Empty>
    </RowList>
  )
}

function columns(): Column<AlertRule>[] {
  return [
    {
      label: t('State'),
      width: '96px',
      narrow: '80px',
      cell: (rule) => <Status of={ruleStatus(rule)} />,
    },
    {
      label: t('Rule'),
      width: 'minmax(110px, 1fr)',
      cell: ({ name }) => <span className="strong">{name}</span>,
    },
    {
      label: t('Fires when'),
      width: 'minmax(140px, 2fr)',
      broad: true,
      cell: ({ condition }) => <span className="muted">{conditionSentence(condition)}</span>,
    },
    {
      label: t('Tells'),
      width: 'minmax(80px, 1fr)',
      broad: true,
      cell: (rule) => targetText(rule),
    },
    {
      label: t('Now'),
      width: '84px',
      cell: ({ lastValue, condition }) =>
        lastValue === null ? (
          <span className="muted">–</span>
        ) : (
          valueText(condition.metric, lastValue)
        ),
    },
    {
      label: t('Since'),
      width: '130px',
      broad: true,
      cell: ({ stateSince }) => <Time at={stateSince} relative />,
    },
  ]
}
