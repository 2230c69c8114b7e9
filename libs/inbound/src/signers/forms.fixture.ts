/** Signers of platforms that sign the fields of a form. */
import {
  commonFields,
  FORM,
  hmac,
  secretsOf,
  type Signer,
  type SignerEvent,
  SOURCE_URL,
} from './signer.fixture.ts'

export const FORM_TYPE = { 'Content-Type': FORM }

export interface FormEvent extends SignerEvent {
  readonly body: string
  readonly header: string
  readonly secretIn?: string
  readonly text: (fields: string, body: string) => string
  readonly digest?: readonly ['sha1' | 'sha256', 'base64']
}

/** `<name><value>` of every field, sorted by name. */
export function joinedFields(body: string): string {
  const byName = new Map<string, Set<string>>()
  for (const [name, value] of new URLSearchParams(body))
    byName.set(name, (byName.get(name) ?? new Set()).add(value))
  const names = [...byName.keys()].sort()
  return names
    .flatMap((name) => [...(byName.get(name) as Set<string>)].sort().map((value) => name + value))
    .join('')
}

export function signedForm(event: FormEvent): Signer {
  const { url = SOURCE_URL, secretIn = 'secret', digest = ['sha1', 'base64'] } = event
  return {
    ...commonFields(event),
    secrets: secretsOf(event.source, 'utf8'),
    config: (secret) => ({ ...event.config, [secretIn]: secret }),
    sign({ body, secret, touch }) {
      const sealed = touch(hmac(secret, event.text(joinedFields(body), body), [...digest]))
      return { url, body, headers: { ...FORM_TYPE, ...event.headers, [event.header]: sealed } }
    },
    covers: { body: true, ...(event.pinned ? {} : { url: true as const }) },
    carriedIn: [event.header],
  }
}
