/** What an attempt's error means, and what to do about it. */
import { t } from '../texts/t.ts'

interface Words {
  what: string
  remedy: string
}

/** @param error `<category>: <detail>`, as attempts have it */
export function attemptWords(error: string): Words | null {
  const category = error.split(':', 1)[0] ?? ''
  return WORDS[category]?.() ?? null
}

const WORDS: Readonly<Record<string, () => Words>> = {
  timeout: () => ({
    what: t('The receiver took longer than the timeout.'),
    remedy: t('Answer 2xx first and work afterwards, or raise the timeout of the endpoint.'),
  }),
  dns: () => ({
    what: t('The name of the receiver could not be resolved.'),
    remedy: t('Look for a typing error in the URL, and whether the domain still exists.'),
  }),
  tls: () => ({
    what: t('No encrypted connection could be made.'),
    remedy: t(
      'Look at the certificate of the receiver: it may have ended, or be for another name.',
    ),
  }),
  refused: () => ({
    what: t('Nothing listens at this address.'),
    remedy: t('See that the receiver runs, and that its port and firewall are right.'),
  }),
  reset: () => ({
    what: t('The receiver closed the connection before it answered.'),
    remedy: t('It may have crashed or been restarted: its log at this time tells.'),
  }),
  blocked: () => ({
    what: t('The address is not allowed: it is private, or outside the allowed ranges.'),
    remedy: t('Use a public address, or allow the range in the settings of the endpoint.'),
  }),
  http_4xx: () => ({
    what: t('The receiver refused the request.'),
    remedy: t(
      'Often the path, a credential or the signature’s secret. Its answer below may say which.',
    ),
  }),
  http_5xx: () => ({
    what: t('The receiver failed.'),
    remedy: t('Its own log at this time has the reason.'),
  }),
  http_3xx: () => ({
    what: t('The receiver sent us elsewhere; redirects are not followed.'),
    remedy: t('Set the URL of the endpoint to where it leads.'),
  }),
  transformation: () => ({
    what: t('The transformation of the endpoint failed.'),
    remedy: t('Correct the script; the error says where.'),
  }),
  storage: () => ({
    what: t('The storage did not take the event.'),
    remedy: t('Look at the bucket, the region and the credentials of the endpoint.'),
  }),
  internal: () => ({
    what: t('The fault was ours.'),
    remedy: t('It does not count against the endpoint.'),
  }),
}
