/** What a change made different, field by field; texts of many lines as their lines that differ. */
import { t } from '../../texts/t.ts'
import { diffLines } from '../../ui/diff-lines.ts'

export interface FieldChange {
  field: string
  from: unknown
  to: unknown
}

/** The changes that a row of the log names; what is not of their shape is left out. */
export function changesIn(metadata: Readonly<Record<string, unknown>>): FieldChange[] {
  const { changes } = metadata
  return Array.isArray(changes) ? changes.filter(isChange) : []
}

function isChange(value: unknown): value is FieldChange {
  return typeof value === 'object' && value !== null && 'field' in value
}

export function ChangedFields({ changes }: { changes: readonly FieldChange[] }) {
  return (
    <table className="matrix diff">
      <thead>
        <tr>
          <th scope="col">{t('Field')}</th>
          <th scope="col">{t('What differs')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, from, to }) => (
          <tr key={field}>
            <th scope="row" className="mono">
              {field}
            </th>
            <td>
              <Lines from={from} to={to} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Lines({ from, to }: { from: unknown; to: unknown }) {
  const lines = diffLines(textOf(from), textOf(to)).filter(
    ({ kind, text }) => kind !== 'same' || text !== '',
  )
  return (
    <pre className="wrap diff-lines">
      {lines.map(({ kind, text, at }) => (
        <span key={`${kind}${at}`} className={kind}>
          {kind === 'removed' ? '− ' : kind === 'added' ? '+ ' : '  '}
          {text}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
