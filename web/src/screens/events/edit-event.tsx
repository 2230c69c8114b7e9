/** Editing the payload of an event that failed, and sending it again; the diff shows what changes. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { CodeDiff, CodeEditor } from '../../code/code-editor.tsx'
import { t } from '../../texts/t.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Button, ErrorNote } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'

export function EditEvent({
  event,
  onClose,
}: {
  event: Schemas['EventDetail']
  onClose: () => void
}) {
  const client = useQueryClient()
  const before = JSON.stringify(event.payload, null, 2)
  const [text, setText] = useState(before)
  const [error, setError] = useState<unknown>(null)
  const payload = parsed(text)
  const isChanged = text !== before
  async function send(): Promise<void> {
    try {
      const body = { payload: payload as Record<string, never>, replay: true }
      await answerOf(
        api.PATCH('/api/v1/events/{eventId}', { params: { path: { eventId: event.id } }, body }),
      )
      await client.invalidateQueries({ queryKey: ['event', event.id] })
      toast(t('The edited event is queued again.'))
      onClose()
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <Dialog title={t('Edit and replay')} onClose={onClose} broad>
      <CodeEditor
        label={t('Payload')}
        language="json"
        minLines={10}
        value={text}
        onChange={setText}
        problem={payload === null ? t('This is no JSON object.') : undefined}
      />
      {isChanged && (
        <div className="field">
          <span className="label">{t('What changes')}</span>
          <CodeDiff label={t('What changes')} before={before} after={text} />
        </div>
      )}
      {error !== null && <ErrorNote error={error} />}
      <div className="modal-foot">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button
          look="main"
          off={payload === null ? t('This is no JSON object.') : undefined}
          onClick={() => void send()}
        >
          {t('Replay with this payload')}
        </Button>
      </div>
    </Dialog>
  )
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
