/** What the receiver answers with, so that a failure, its retries and its end can be watched. */
import { useQueryClient } from '@tanstack/react-query'
import { answerText } from './answer-text.ts'
import { t } from '../../texts/t.ts'
import { SelectField } from '../../ui/form.tsx'
import { Button, Card, ErrorNote } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'
import { useForm } from '../auth/form-state.ts'
import { type Answer, setAnswer } from './receiver-client.ts'

const STATUSES = [200, 202, 400, 401, 404, 410, 429, 500, 503]
const DELAYS = [0, 500, 2_000, 10_000, 40_000]

export function AnswerForm({ name, answer }: { name: string; answer: Answer }) {
  const client = useQueryClient()
  const form = useForm(async (fields) => {
    const next = { status: Number(fields['status']), delayMs: Number(fields['delayMs']) }
    await setAnswer(name, next)
    await client.invalidateQueries({ queryKey: ['receiver', name] })
    toast(t('From now on it answers {what}.', { what: answerText(next) }))
  })
  return (
    <Card title={t('What it answers')}>
      <form
        key={`${answer.status} ${answer.delayMs}`}
        className="card-body stack tight"
        onSubmit={form.onSubmit}
      >
        <div className="inline-form">
          <SelectField
            label={t('Status')}
            name="status"
            defaultValue={String(answer.status)}
            options={withOwn(STATUSES, answer.status).map((one) => [String(one), statusText(one)])}
          />
          <SelectField
            label={t('After')}
            name="delayMs"
            defaultValue={String(answer.delayMs)}
            options={withOwn(DELAYS, answer.delayMs).map((one) => [
              String(one),
              one === 0 ? t('no time') : `${one / 1_000} s`,
            ])}
          />
          <Button type="submit" off={form.isBusy ? t('One moment …') : undefined}>
            {t('Set')}
          </Button>
        </div>
        {form.error !== null && <ErrorNote error={form.error} />}
        <p className="small muted">
          {t('A destination may ask for its own: ?status=503&times=2&delayMs=500.')}
        </p>
      </form>
    </Card>
  )
}

/** The choices with the one in force, which may be another. */
function withOwn(choices: readonly number[], own: number): number[] {
  return choices.includes(own) ? [...choices] : [own, ...choices]
}

function statusText(status: number): string {
  const words: Readonly<Record<number, string>> = {
    200: t('200 taken'),
    202: t('202 taken'),
    400: t('400 refused'),
    401: t('401 refused'),
    404: t('404 not there'),
    410: t('410 wants nothing more'),
    429: t('429 too many'),
    500: t('500 failed'),
    503: t('503 not available'),
  }
  return words[status] ?? String(status)
}
