/** How events stand in a list, and by which states it is filtered. */
import type { Schemas } from '../api/client.ts'
import { t } from '../texts/t.ts'
import type { Column } from '../ui/grid.tsx'
import { ResponseCode, Status } from '../ui/status.tsx'
import { Countdown, Time } from '../ui/time.tsx'

type Item = Schemas['PortalEventListItem']

export function statusOptions(): [value: string, label: string][] {
  return [
    ['', t('Any status')],
    ['queued', t('queued')],
    ['delivering', t('delivering')],
    ['delivered', t('delivered')],
    ['failed', t('retry due')],
    ['dead', t('dead')],
  ]
}

export function eventColumns(): Column<Item>[] {
  return [
    {
      label: t('Status'),
      width: '116px',
      narrow: '88px',
      cell: ({ status }) => <Status of={status} />,
    },
    {
      label: t('Event'),
      width: 'minmax(120px, 2fr)',
      cell: ({ eventType, destination }) => (
        <span className="mono" title={eventType ?? destination ?? ''}>
          {eventType ?? destination}
        </span>
      ),
    },
    {
      label: t('Answer'),
      width: '96px',
      broad: true,
      cell: ({ lastStatusCode }) => <ResponseCode code={lastStatusCode} />,
    },
    {
      label: t('Attempts'),
      width: '72px',
      broad: true,
      cell: ({ attempts, maxAttempts }) => t('{n} of {max}', { n: attempts, max: maxAttempts }),
    },
    {
      label: t('Next attempt'),
      width: '120px',
      broad: true,
      cell: ({ nextAttemptAt }) =>
        nextAttemptAt === null ? (
          <span className="muted">–</span>
        ) : (
          <Countdown until={nextAttemptAt} />
        ),
    },
    {
      label: t('Accepted'),
      width: 'minmax(84px, 170px)',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ]
}
