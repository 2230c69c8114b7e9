/**
 * Spreads requests that arrive together over turns of the event loop: 300 that are refused without
 * waiting for anything took one turn of 220 ms.
 */
import type { IncomingMessage } from 'node:http'
import { createTurnShare } from '@posthorn/async/turn-share'
import { SUB_ACCOUNT_API } from '@posthorn/contracts/routes'

/** Begins a request in this turn, or in a later one unless its sender has left by then. */
export type BeginInTurn = (request: IncomingMessage, begin: () => void) => void

/**
 * The portal's tokens are the dearest thing that a stranger can send, so those requests wait among
 * themselves.
 */
const SHARE_MS = { portal: 5, others: 10 }
/** Whoever restarts processes that don't answer is answered ahead of a crowd. */
const PROBES = ['/live', '/ready']

export function createRequestTurns(): BeginInTurn {
  const now = () => performance.now()
  const portal = createTurnShare(SHARE_MS.portal, now)
  const others = createTurnShare(SHARE_MS.others, now)
  return (request, begin) => {
    const { url = '' } = request
    if (PROBES.includes(url)) return begin()
    const share = url.startsWith(SUB_ACCOUNT_API) ? portal : others
    share(() => {
      if (!request.socket.destroyed) begin()
    })
  }
}
