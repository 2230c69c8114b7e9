/** What differs between two texts, line by line and word by word; what is the same is folded. */
import { unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { lookOf } from './editor-look.ts'

export interface DiffProps {
  before: string
  after: string
  label: string
}

const SCAN_LIMIT = 2_000

export function TextDiff({ before, after, label }: DiffProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const made = new EditorView({
      parent: place.current as HTMLDivElement,
      state: EditorState.create({
        doc: after,
        extensions: [
          lookOf(null, label),
          lineNumbers(),
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          unifiedMergeView({
            original: before,
            mergeControls: false,
            collapseUnchanged: { margin: 2, minSize: 6 },
            diffConfig: { scanLimit: SCAN_LIMIT },
          }),
        ],
      }),
    })
    return () => made.destroy()
  }, [before, after, label])
  return <div ref={place} className="code-editor" />
}
