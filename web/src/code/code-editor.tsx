/**
 * Editors of code and JSON, and what differs between two texts. Their parts are loaded when the
 * first one is shown: no page that has none pays for them.
 */
import { lazy, type ReactNode, Suspense, useId } from 'react'
import { Skeleton } from '../ui/parts.tsx'
import type { EditorProps } from './editor.tsx'
import type { DiffProps } from './text-diff.tsx'

const Editor = lazy(async () => ({ default: (await import('./editor.tsx')).Editor }))
const Diff = lazy(async () => ({ default: (await import('./text-diff.tsx')).TextDiff }))

interface CodeEditorProps extends Omit<EditorProps, 'describedBy' | 'isInvalid'> {
  hint?: ReactNode
  problem?: string | undefined
  /** The label is said, but stands elsewhere on the page. */
  isLabelHidden?: boolean
}

export function CodeEditor(props: CodeEditorProps) {
  const { hint, problem, isLabelHidden = false, ...editor } = props
  const id = useId()
  const below = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div className="field">
      {!isLabelHidden && <span className="label">{props.label}</span>}
      <Suspense fallback={<Skeleton lines={3} />}>
        <Editor {...editor} describedBy={below} isInvalid={problem !== undefined} />
      </Suspense>
      {problem && (
        <span className="problem" id={`${id}-problem`}>
          {problem}
        </span>
      )}
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  )
}

export function CodeDiff(props: DiffProps) {
  return (
    <Suspense fallback={<Skeleton lines={3} />}>
      <Diff {...props} />
    </Suspense>
  )
}
