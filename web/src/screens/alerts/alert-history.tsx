/** What alert rules told of, and whether that arrived. */
import { useNavigate } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { localeOf, t } from '../../texts/t.ts'
import type { Column } from '../../ui/grid.tsx'
import { Empty } from '../../ui/parts.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'

type Row = Schemas['AlertHistoryItem']
const LIVE_MS = 5_000

/** @param ruleId undefined: of all rules */
export function AlertHistory({ ruleId }: { ruleId?: string }) {
  const navigate = useNavigate()
  const list = usePages<Row>(
    ['alert-history', ruleId],
    (cursor, signal) => {
      const query = { limit: 100, ...(ruleId && { ruleId }), ...(cursor && { cursor }) }
      return answerOf(api.GET('/api/v1/alerting/history', { params: { query }, signal }))
    },
    LIVE_MS,
  )
  return (
    <RowList
      label={t('History')}
      list={list}
      columns={columns(ruleId === undefined)}
      onOpen={
        ruleId === undefined
          ? (row) => void navigate({ to: `/dashboard/alerts/${row.ruleId}` })
          : undefined
      }
    >
      <Empty icon={History} title={t('Nothing was told yet')} command={evaluateCurl()}>
        {t('Each firing shows here, and its end, with whether the message arrived.')}
      </Empty>
    </RowList>
  )
}

/** Rules are evaluated every ten seconds anyhow. */
function evaluateCurl(): string {
  return `curl -X POST ${location.origin}/api/v1/alerting/evaluate \\\n  -H "X-API-Key: $API_KEY"`
}

const number = (value: number): string =>
  new Intl.NumberFormat(localeOf(), { maximumFractionDigits: 2 }).format(value)

function columns(withRule: boolean): Column<Row>[] {
  return [
    {
      label: t('What'),
      width: '96px',
      narrow: '80px',
      cell: ({ status }) => <Status of={status} />,
    },
    ...(withRule
      ? [
          {
            label: t('Rule'),
            width: 'minmax(100px, 1fr)',
            cell: ({ ruleName }: Row) => <span className="strong">{ruleName}</span>,
          },
        ]
      : []),
    {
      label: t('Value'),
      width: '130px',
      broad: true,
      cell: ({ value, threshold }) =>
        t('{value} (limit {threshold})', {
          value: value === null ? '–' : number(value),
          threshold: number(threshold),
        }),
    },
    {
      label: t('Message'),
      width: '110px',
      broad: true,
      cell: ({ delivery }) => <Status of={delivery === 'failed' ? 'lost' : delivery} />,
    },
    {
      label: t('Details'),
      width: 'minmax(100px, 2fr)',
      broad: true,
      cell: ({ error, attempts }) => (
        <span className="muted" title={error ?? undefined}>
          {error ?? (attempts > 1 ? t('after {n} attempts', { n: attempts }) : '–')}
        </span>
      ),
    },
    { label: t('When'), width: 'minmax(84px, 170px)', cell: ({ at }) => <Time at={at} /> },
  ]
}
