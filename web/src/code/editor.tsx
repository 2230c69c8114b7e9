/** An editor of JSON or JavaScript, with marks at the lines that are wrong. */
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { type Diagnostic, linter, lintGutter, setDiagnostics } from '@codemirror/lint'
import { openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { type Language, lookOf } from './editor-look.ts'

export interface LineMark {
  /** The first line is 1. */
  line: number
  message: string
}

export interface EditorProps {
  value: string
  language: Language
  label: string
  /** Without it the text is for reading, searching and folding. */
  onChange?: (value: string) => void
  /** Ctrl-Enter. */
  onRun?: () => void
  marks?: readonly LineMark[]
  /** Begins with the search open. */
  isSearching?: boolean
  minLines?: number
  describedBy?: string
  isInvalid?: boolean
}

const LINE_PX = 20
const LINT_MS = 300

export function Editor(props: EditorProps) {
  const { value, isInvalid = false, marks = [] } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    const { isSearching, onChange } = latest.current
    const made = new EditorView({
      parent: place.current as HTMLDivElement,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          partsOf(latest.current),
          onChange === undefined
            ? [EditorState.readOnly.of(true), EditorView.editable.of(false)]
            : editing(() => latest.current),
        ],
      }),
    })
    view.current = made
    if (isSearching === true) openSearchPanel(made)
    return () => made.destroy()
    // The editor keeps its own state; what changes later is told to it below.
  }, [])
  useEffect(() => {
    const { state } = view.current as EditorView
    if (state.doc.toString() === value) return
    view.current?.dispatch({ changes: { from: 0, to: state.doc.length, insert: value } })
  }, [value])
  useEffect(() => {
    const made = view.current as EditorView
    const found = marks.map(({ line, message }): Diagnostic => {
      const { from, to } = made.state.doc.line(Math.min(Math.max(line, 1), made.state.doc.lines))
      return { from, to, severity: 'error', message }
    })
    if (latest.current.language !== 'json') made.dispatch(setDiagnostics(made.state, found))
  }, [marks])
  useEffect(() => {
    view.current?.contentDOM.setAttribute('aria-invalid', String(isInvalid))
  }, [isInvalid])
  return <div ref={place} className={isInvalid ? 'code-editor invalid' : 'code-editor'} />
}

function partsOf({ language, label, describedBy, minLines = 6 }: EditorProps): Extension {
  return [
    lookOf(language, label, describedBy),
    lineNumbers(),
    foldGutter(),
    drawSelection(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    bracketMatching(),
    search({ top: true }),
    keymap.of([...searchKeymap, ...foldKeymap]),
    EditorView.theme({ '.cm-content, .cm-gutter': { minHeight: `${minLines * LINE_PX + 16}px` } }),
  ]
}

/** What only an editor that writes needs. The Tab key still goes on to what comes next. */
function editing(latest: () => EditorProps): Extension {
  const { language } = latest()
  return [
    history(),
    indentOnInput(),
    closeBrackets(),
    lintGutter(),
    language === 'json' ? linter(lintJson, { delay: LINT_MS }) : [],
    keymap.of([
      {
        key: 'Mod-Enter',
        run() {
          latest().onRun?.()
          return latest().onRun !== undefined
        },
      },
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...historyKeymap,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) latest().onChange?.(update.state.doc.toString())
    }),
  ]
}

/** Nothing at all is allowed: the form says what that means. */
function lintJson(view: EditorView): Diagnostic[] {
  return view.state.doc.toString().trim() === '' ? [] : jsonParseLinter()(view)
}
