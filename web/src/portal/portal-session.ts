/**
 * The session of the portal: a link's token is exchanged once, by POST, after it has left the
 * address bar; from then on a cookie stands for it.
 */
import { answerOf, api, type Failure, isFailure, type Schemas } from '../api/client.ts'

export type PortalSession = Schemas['PortalSession']

export type May = (scope: PortalSession['scopes'][number]) => boolean

/** The path of a portal that is open: it has no token any more. */
const OPEN = '/portal/-'

export type Opened =
  | { outcome: 'open'; session: PortalSession }
  /** The link was good, but the browser keeps no cookie of ours in another site's frame. */
  | { outcome: 'no-cookie'; subAccountId: string }
  | { outcome: 'ended'; failure: unknown }

export async function openPortal(): Promise<Opened> {
  const token = location.pathname.split('/')[2] ?? ''
  if (`/portal/${token}` === OPEN) return await readSession(null)
  history.replaceState(null, '', OPEN + location.search)
  try {
    const exchanged = await answerOf(
      api.POST('/sub-account-api/auth/exchange', { body: { token: decodeURIComponent(token) } }),
    )
    return await readSession(exchanged.subAccountId)
  } catch (error) {
    // Opened a second time where the session lives: the page simply goes on.
    if (isFailure(error) && error.code === 'ALREADY_CONSUMED') {
      const opened = await readSession(null)
      return opened.outcome === 'open' ? opened : { outcome: 'ended', failure: error }
    }
    return { outcome: 'ended', failure: error }
  }
}

/** @param exchangedFor the sub-account of a link that was exchanged just now */
async function readSession(exchangedFor: string | null): Promise<Opened> {
  try {
    return { outcome: 'open', session: await answerOf(api.GET('/sub-account-api/session')) }
  } catch (error) {
    if (exchangedFor !== null && isFailure(error) && error.status === 401) {
      return { outcome: 'no-cookie', subAccountId: exchangedFor }
    }
    return { outcome: 'ended', failure: error }
  }
}

/** The way back to the host's page, which says why; null: nobody told where that is. */
export function wayBack({ returnUrl, subAccountId, code }: Failure): string | null {
  return returnUrl === null ? null : backTo(returnUrl, subAccountId ?? '', code)
}

/** Whatever is asked for first after the end of a session leads back to the host's page. */
export function leaveWhenOver(error: unknown): void {
  const back = isFailure(error) && error.status === 401 ? wayBack(error) : null
  if (back !== null) location.assign(back)
}

export function backTo(returnUrl: string, subAccountId: string, reason: string): string {
  const url = new URL(returnUrl)
  if (subAccountId !== '') url.searchParams.set('subAccountId', subAccountId)
  url.searchParams.set('reason', reason)
  return url.href
}
