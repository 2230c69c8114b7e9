/** A list in each of its states: it failed, is not there yet, holds nothing, or has rows. */
import type { ReactNode } from 'react'
import { type Column, Grid } from './grid.tsx'
import { ErrorNote, Skeleton } from './parts.tsx'

/** What `usePages` answers, as far as a list needs it. */
interface RowsOf<Row> {
  data: unknown
  error: unknown
  isPending: boolean
  isPlaceholderData: boolean
  rows: readonly Row[]
  onEnd: (() => void) | undefined
  isBusy: boolean
  refetch: () => Promise<unknown>
}

interface RowListProps<Row> {
  label: string
  list: RowsOf<Row>
  columns: readonly Column<Row>[]
  onOpen?: ((row: Row) => void) | undefined
  /** What teaches when there is nothing, such as an `Empty`. */
  children: ReactNode
}

export function RowList<Row extends { id: string }>(props: RowListProps<Row>) {
  const { label, list, columns, onOpen, children } = props
  const { data, error, isPending, isPlaceholderData, rows, onEnd, isBusy, refetch } = list
  return (
    <>
      {error !== null && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton lines={8} />}
      {data !== undefined && rows.length === 0 && <div className="card">{children}</div>}
      {rows.length > 0 && (
        <Grid
          label={label}
          columns={columns}
          rows={rows}
          onEnd={onEnd}
          isBusy={isBusy}
          isStale={isPlaceholderData}
          {...(onOpen && { onOpen })}
        />
      )}
    </>
  )
}
