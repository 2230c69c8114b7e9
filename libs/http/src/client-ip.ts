/**
 * The address that a request came from. Each proxy in front of us adds the one that it saw at the
 * end of `X-Forwarded-For`; what stands before those was sent by the client, who may have made it
 * up.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** @param trustedProxies how many proxies of our own stand in front: `TRUSTED_PROXIES` */
export function clientIpOf(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies: number,
): string {
  const direct = request.socket.remoteAddress ?? ''
  const forwarded = request.headers['x-forwarded-for']
  if (trustedProxies === 0 || forwarded === undefined) return direct
  const addresses = String(forwarded).split(',')
  const address = addresses.at(-Math.min(trustedProxies, addresses.length))?.trim() ?? ''
  return isIP(address) === 0 ? direct : address
}
