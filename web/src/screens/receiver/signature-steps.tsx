/**
 * How a receiver verifies a request, with the values of this one. With a secret that is typed in,
 * the browser computes the signature itself; the secret goes nowhere.
 */
import { CircleCheck, CircleX } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { t } from '../../texts/t.ts'
import { TextField } from '../../ui/form.tsx'
import { Card, Code } from '../../ui/parts.tsx'
import type { Received, ReceivedRequest } from './receiver-client.ts'
import { verifyExample } from './verify-example.ts'

interface SignatureStepsProps {
  request: ReceivedRequest
  headerNames: Received['headerNames']
}

export function SignatureSteps({ request, headerNames }: SignatureStepsProps) {
  const { signature, body } = request
  const { outcome, timestamp, value, ageSeconds, toleranceSeconds } = signature
  const [secret, setSecret] = useState('')
  const computed = useSignature(secret, `${timestamp}.${body}`)
  const isUnsigned = outcome === 'unsigned'
  return (
    <Card title={t('The signature, step by step')} actions={<Outcome of={signature} />}>
      <div className="card-body stack">
        <ol className="steps">
          <Step title={t('Read the two headers.')} isGood={!isUnsigned}>
            <dl className="facts mono small">
              <dt>{headerNames.timestamp}</dt>
              <dd>{timestamp ?? t('missing')}</dd>
              <dt>{headerNames.signature}</dt>
              <dd>{value ?? t('missing')}</dd>
            </dl>
          </Step>
          <Step
            title={t('Refuse what is old: somebody may have kept it and sent it again.')}
            isGood={isUnsigned ? null : outcome !== 'stale'}
          >
            {ageSeconds !== null && (
              <p className="muted">
                {t('It was {age} s old as it arrived; {most} s are allowed.', {
                  age: ageSeconds,
                  most: toleranceSeconds,
                })}
              </p>
            )}
          </Step>
          <Step title={t('Join the time and the raw body by a dot.')}>
            <Code text={`${timestamp ?? '…'}.${body}`} label={t('What is signed')} />
          </Step>
          <Step title={t('Compute HMAC-SHA256 of that with the secret, in hex.')}>
            <TextField
              label={t('Secret of the endpoint')}
              type="password"
              autoComplete="off"
              className="mono"
              placeholder="whsec_…"
              value={secret}
              onChange={({ target }) => setSecret(target.value)}
              hint={t('Only your browser uses it: it is sent nowhere.')}
            />
            {computed && <Code text={computed} label={t('The signature that your secret makes')} />}
          </Step>
          <Step
            title={t('Compare the two, in a time that does not depend on where they differ.')}
            isGood={isUnsigned ? null : computed ? computed === value : outcome === 'verified'}
          >
            <p className="muted">{comparison(signature, computed)}</p>
          </Step>
        </ol>
        <details>
          <summary>{t('The same in code')}</summary>
          <Code text={verifyExample(headerNames, toleranceSeconds)} label={t('The same in code')} />
        </details>
      </div>
    </Card>
  )
}

function Step({
  title,
  isGood = null,
  children,
}: {
  title: string
  /** null: there is nothing to find here. */
  isGood?: boolean | null
  children?: ReactNode
}) {
  return (
    <li>
      <div className="stack tight">
        <span className="row tight strong">
          {title}
          {isGood === null ? null : isGood ? (
            <CircleCheck size={14} className="delivered" aria-label={t('good')} />
          ) : (
            <CircleX size={14} className="dead" aria-label={t('not good')} />
          )}
        </span>
        {children}
      </div>
    </li>
  )
}

function Outcome({ of: { outcome } }: { of: ReceivedRequest['signature'] }) {
  const isGood = outcome === 'verified'
  return (
    <span className={isGood ? 'badge delivered' : 'badge dead'}>
      {isGood ? <CircleCheck size={14} aria-hidden /> : <CircleX size={14} aria-hidden />}
      {isGood ? t('signature verified') : t('signature not verified')}
    </span>
  )
}

function comparison(
  { outcome, value, secretHint }: ReceivedRequest['signature'],
  computed: string | null,
): string {
  if (computed) {
    return computed === value
      ? t('Your secret makes the same signature: the request is genuine.')
      : t('Your secret makes another signature: it is not the one that this was signed with.')
  }
  const texts = {
    verified: t('They are the same, with the secret that ends with …{hint}.', {
      hint: secretHint ?? '',
    }),
    unsigned: t('There is no signature to compare: this came from somebody else.'),
    stale: t('It is too old to be believed, whatever its signature.'),
    mismatch: t('No secret that is known here makes this signature.'),
  }
  return texts[outcome]
}

/** null: without a secret, or where the browser has no cryptography (a page without https). */
function useSignature(secret: string, signed: string): string | null {
  const [signature, setSignature] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    setSignature(null)
    if (secret !== '' && isSecureContext) {
      void sign(secret, signed).then((made) => isCurrent && setSignature(made))
    }
    return () => {
      isCurrent = false
    }
  }, [secret, signed])
  return signature
}

async function sign(secret: string, signed: string): Promise<string> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [
    'sign',
  ])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(signed)))
  return `v1=${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
