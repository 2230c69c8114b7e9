/** What all editors have in common: our colours, our language's words, and a policy's nonce. */
import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { t } from '../texts/t.ts'

export type Language = 'json' | 'javascript'

const languages: Readonly<Record<Language, () => Extension>> = { json, javascript }

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent-main-900)' },
  { tag: [tags.string, tags.regexp], color: 'var(--chart-delivered)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--chart-failed)' },
  { tag: [tags.keyword, tags.operatorKeyword, tags.definitionKeyword], color: 'var(--delivering)' },
  { tag: tags.function(tags.variableName), color: 'var(--accent-main-900)' },
  { tag: tags.comment, color: 'var(--text-2)', fontStyle: 'italic' },
])

const sizes = EditorView.theme({
  '&': {
    border: '1px solid var(--border-strong)',
    borderRadius: '6px',
    backgroundColor: 'var(--bg-000)',
    color: 'var(--text)',
    overflow: 'hidden',
  },
  '&.cm-focused': { outline: '2px solid var(--accent-main-900)', outlineOffset: '1px' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    fontSize: '13px',
    lineHeight: '20px',
    maxHeight: 'min(480px, 60vh)',
  },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--bg-100)',
    color: 'var(--text-2)',
    border: 'none',
    borderRight: '1px solid var(--border)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--bg-100)' },
  '&.cm-focused .cm-activeLineGutter': { backgroundColor: 'var(--bg-200)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection':
    { backgroundColor: 'color-mix(in srgb, var(--accent-main-900) 24%, transparent)' },
  '&:not(.cm-focused) .cm-matchingBracket': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-main-100)',
    outline: '1px solid var(--accent-main-900)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-panels': { backgroundColor: 'var(--bg-100)', color: 'var(--text)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--border)' },
  '.cm-panel.cm-search': { padding: '6px 32px 6px 8px', fontFamily: 'var(--font)' },
  '.cm-panel.cm-search label': { fontSize: '13px' },
  '.cm-textfield': {
    border: '1px solid var(--border-strong)',
    borderRadius: '4px',
    backgroundColor: 'var(--bg-000)',
    fontSize: '13px',
  },
  '.cm-button': {
    border: '1px solid var(--border)',
    borderRadius: '4px',
    background: 'var(--bg-000)',
    fontSize: '13px',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--warning-100)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--accent-main-100)' },
  '.cm-foldPlaceholder': {
    border: 'none',
    backgroundColor: 'var(--bg-200)',
    color: 'var(--text)',
  },
  '.cm-tooltip': {
    border: '1px solid var(--border)',
    borderRadius: '6px',
    backgroundColor: 'var(--bg-000)',
    boxShadow: 'var(--shadow-high)',
  },
  '.cm-diagnostic': { fontFamily: 'var(--font)', fontSize: '13px' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--chart-dead)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--chart-dead)',
  },
  '.cm-changedText, .cm-insertedLine .cm-changedText': {
    background: 'color-mix(in srgb, var(--chart-delivered) 24%, transparent) !important',
  },
  '.cm-changedLine, .cm-inlineChangedLine, .cm-insertedLine': {
    backgroundColor: 'color-mix(in srgb, var(--chart-delivered) 10%, transparent) !important',
  },
  '.cm-deletedChunk': {
    backgroundColor: 'color-mix(in srgb, var(--chart-dead) 10%, transparent) !important',
  },
  '.cm-deletedChunk .cm-deletedText': {
    background: 'color-mix(in srgb, var(--chart-dead) 22%, transparent) !important',
    textDecoration: 'none',
  },
  '.cm-changedLineGutter': { background: 'var(--chart-delivered) !important' },
  '.cm-deletedLineGutter': { background: 'var(--chart-dead) !important' },
  '.cm-collapsedLines': {
    background: 'var(--bg-100)',
    color: 'var(--text-2)',
    fontFamily: 'var(--font)',
  },
})

/**
 * What differs is on a tint, where coloured words would lack contrast: a difference has none.
 *
 * @param describedBy ids of what stands below the editor
 */
export function lookOf(language: Language | null, label: string, describedBy = ''): Extension {
  return [
    EditorView.cspNonce.of(
      document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.nonce ?? '',
    ),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      // A region that scrolls is reached by the Tab key, also when it is only for reading.
      tabindex: '0',
      ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
    }),
    EditorState.phrases.of(phrases()),
    language === null ? [] : [languages[language](), syntaxHighlighting(colours)],
    sizes,
  ]
}

/** The words of the editor's own parts, which it has in English. */
function phrases(): Record<string, string> {
  return {
    Find: t('Find'),
    Replace: t('Replace'),
    next: t('next'),
    previous: t('previous'),
    all: t('all'),
    'match case': t('match case'),
    regexp: t('regular expression'),
    'by word': t('whole words'),
    replace: t('replace'),
    'replace all': t('replace all'),
    close: t('Close'),
    'Fold line': t('Fold the line'),
    'Unfold line': t('Unfold the line'),
    'folded code': t('folded'),
    unfold: t('unfold'),
    '$ unchanged lines': t('$ lines are the same'),
  }
}
