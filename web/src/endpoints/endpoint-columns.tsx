/** How endpoints stand in a list, for the operator and in the portal. */
import { t } from '../texts/t.ts'
import type { Column } from '../ui/grid.tsx'
import { Status } from '../ui/status.tsx'
import { type EndpointState, endpointState } from './endpoint-state.ts'

export function stateColumn(): Column<EndpointState> {
  return {
    label: t('State'),
    width: '140px',
    cell: (endpoint) => <Status of={endpointState(endpoint)} />,
  }
}

interface ListedEndpoint extends EndpointState {
  description: string | null
  url: string | null
  eventTypes: readonly string[]
}

export function endpointColumns(): Column<ListedEndpoint>[] {
  return [
    stateColumn(),
    {
      label: t('Endpoint'),
      width: 'minmax(120px, 2fr)',
      cell: ({ description, url }) =>
        description ? (
          <>
            <span className="strong">{description}</span>{' '}
            <span className="muted mono broad-only">{url}</span>
          </>
        ) : (
          <span className="mono">{url}</span>
        ),
    },
    {
      label: t('Events'),
      width: 'minmax(100px, 1fr)',
      broad: true,
      cell: ({ eventTypes }) => <span className="mono">{eventTypes.join(', ')}</span>,
    },
  ]
}
