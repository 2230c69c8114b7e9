/**
 * A list of any length: only the rows in view are in the document. One stop for the Tab key; inside,
 * arrows or j and k move, Enter opens. The next page is asked for as the last rows come into view.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { t } from '../texts/t.ts'
import { count } from './time.tsx'

export interface Column<Row> {
  label: string
  cell: (row: Row) => ReactNode
  /** A track of CSS grid. */
  width: string
  /** The track on narrow screens; else the least that `width` says, and what flexes from nothing. */
  narrow?: string
  /** Left out on narrow screens. */
  broad?: boolean
}

interface GridProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  onOpen?: (row: Row) => void
  /** There is more: called near the end. */
  onEnd?: (() => void) | undefined
  isBusy?: boolean
  /** The rows are those of an earlier question, until the answer to a new one is there. */
  isStale?: boolean | undefined
}

const ROW_PX = 40
const AHEAD = 20

export function Grid<Row extends { id: string }>(props: GridProps<Row>) {
  const { label, columns, rows, onOpen, onEnd, isBusy = false, isStale } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(-1)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: AHEAD,
    initialRect: { width: 800, height: 600 },
  })
  const items = virtualizer.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (onEnd !== undefined && !isBusy && lastShown >= rows.length - AHEAD) onEnd()
  }, [lastShown, rows.length, onEnd, isBusy])

  function move(to: number): void {
    const next = Math.min(Math.max(to, 0), rows.length - 1)
    setCurrent(next)
    virtualizer.scrollToIndex(next)
  }
  function onKeyDown(event: KeyboardEvent): void {
    const to = targetOf(event.key, current, rows.length)
    const row = rows[current]
    if (to !== null) move(to)
    else if (event.key === 'Enter' && row !== undefined) onOpen?.(row)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="card" style={tracksOf(columns)}>
      <div
        ref={scroller}
        className="grid"
        role="grid"
        aria-label={label}
        aria-busy={isStale}
        aria-rowcount={onEnd === undefined ? rows.length + 1 : -1}
        aria-colcount={columns.length}
        tabIndex={0}
        aria-activedescendant={current >= 0 ? `${id}-${current}` : undefined}
        onKeyDown={onKeyDown}
        onFocus={() => current < 0 && rows.length > 0 && setCurrent(0)}
      >
        <div className="grid-row grid-head" role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <div
              key={column.label}
              role="columnheader"
              className={column.broad ? 'broad-only' : undefined}
            >
              {column.label}
            </div>
          ))}
        </div>
        <div className="grid-body" role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start }) => (
            <GridRow
              key={(rows[index] as Row).id}
              id={`${id}-${index}`}
              at={index}
              start={start}
              row={rows[index] as Row}
              isCurrent={index === current}
              columns={columns}
              onOpen={onOpen}
            />
          ))}
        </div>
      </div>
      <div className="grid-foot">
        <span>
          {isBusy
            ? t('Loading more …')
            : onEnd === undefined
              ? t('{n} in all', { n: count(rows.length) })
              : t('{n} loaded', { n: count(rows.length) })}
        </span>
        <span className="broad-only">
          <kbd>j</kbd> <kbd>k</kbd> {t('to move')} · <kbd>Enter</kbd> {t('to open')}
        </span>
      </div>
    </div>
  )
}

interface GridRowProps<Row> extends Pick<GridProps<Row>, 'columns' | 'onOpen'> {
  id: string
  at: number
  start: number
  row: Row
  isCurrent: boolean
}

function GridRow<Row>({ id, at, start, row, isCurrent, columns, onOpen }: GridRowProps<Row>) {
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={at + 2}
      aria-selected={isCurrent}
      className={isCurrent ? 'grid-row current' : 'grid-row'}
      style={{ transform: `translateY(${start}px)` }}
      onClick={() => onOpen?.(row)}
    >
      {columns.map((column) => (
        <div key={column.label} role="gridcell" className={column.broad ? 'broad-only' : undefined}>
          {column.cell(row)}
        </div>
      ))}
    </div>
  )
}

function tracksOf(columns: readonly Pick<Column<never>, 'width' | 'narrow' | 'broad'>[]) {
  const narrow = columns
    .filter(({ broad }) => broad !== true)
    .map((column) => column.narrow ?? leastOf(column.width))
  return {
    '--columns': columns.map(({ width }) => width).join(' '),
    '--columns-narrow': narrow.join(' '),
  } as CSSProperties
}

function leastOf(width: string): string {
  return width.replace(/^minmax\((\d+px), \d+px\)$/, '$1').replace(/^minmax\(\d+px, /, 'minmax(0, ')
}

const PAGE_ROWS = 15

function targetOf(key: string, current: number, length: number): number | null {
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return current + 1
    case 'ArrowUp':
    case 'k':
      return current - 1
    case 'PageDown':
      return current + PAGE_ROWS
    case 'PageUp':
      return current - PAGE_ROWS
    case 'Home':
      return 0
    case 'End':
      return length - 1
    default:
      return null
  }
}
