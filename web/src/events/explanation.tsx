/** The explanation of an event: its deliveries and what they wait for, and who did not match. */
import { CircleHelp } from 'lucide-react'
import type { Schemas } from '../api/client.ts'
import { t } from '../texts/t.ts'
import { endpointName } from '../endpoints/endpoint-name.ts'
import { Card, Note } from '../ui/parts.tsx'
import { Status } from '../ui/status.tsx'
import { Countdown } from '../ui/time.tsx'
import { mismatchText, summaryText, waitingText } from './explain-words.ts'

export function Explanation({ explanation }: { explanation: Schemas['EventExplanation'] }) {
  const { deliveries, endpoints } = explanation
  const others = endpoints.filter(({ matched }) => !matched)
  const nameOf = (id: string | null): string => {
    const endpoint = endpoints.find(({ endpointId }) => endpointId === id)
    return endpoint === undefined ? (id ?? t('the URL itself')) : endpointName(endpoint)
  }
  return (
    <div className="stack">
      <Note icon={CircleHelp} warning={explanation.status === 'dead'}>
        {summaryText(explanation)}
      </Note>
      {deliveries.length > 0 && (
        <Card title={t('Where it went')}>
          <ul className="list">
            {deliveries.map(({ id, endpointId, state, attempts, maxAttempts, waitsFor }) => (
              <li key={id}>
                <span className="grow">
                  <span className="strong wrap">{nameOf(endpointId)}</span>
                  {waitsFor && (
                    <span className="muted" style={{ display: 'block' }}>
                      {waitingText(waitsFor)}{' '}
                      {waitsFor.until && <Countdown until={waitsFor.until} />}
                    </span>
                  )}
                </span>
                <span className="muted small">
                  {t('attempt {n} of {max}', { n: attempts, max: maxAttempts })}
                </span>
                <Status of={stateWord(state)} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {others.length > 0 && (
        <Card title={t('Who did not get it, and why')}>
          <ul className="list">
            {others.map((endpoint) => (
              <li key={endpoint.endpointId}>
                <span className="grow">
                  <span className="strong wrap">{endpointName(endpoint)}</span>
                  <span className="muted wrap" style={{ display: 'block' }}>
                    {mismatchText(endpoint)}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}

/** A delivery that waits for its next attempt has the word that its event has. */
function stateWord(state: string): string {
  const words: Readonly<Record<string, string>> = { waiting: 'failed' }
  return words[state] ?? state
}
