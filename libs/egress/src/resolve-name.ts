/**
 * Resolves a name to all of its addresses, anew for every connection: nothing is cached here, so
 * that an answer can't outlive its check. Connections of one owner to one name that open at the
 * same time share one question.
 *
 * Questions go out by c-ares and not by getaddrinfo: that one occupies one of libuv's four threads
 * until it has an answer, so four names whose servers never answer would stop every other name, and
 * every file and hash besides. A name that the DNS does not know may be in the hosts file or below
 * a search domain, so getaddrinfo is asked then, by at most three at a time and one of each owner:
 * a zone that says "no such name" once and nothing from then on occupies a thread for many seconds.
 * Owners of such zones share one of the three from then on. It follows that the hosts file can't
 * override a name that the public DNS knows.
 */
import { lookup as getaddrinfo, Resolver } from 'node:dns/promises'
import { createSharedSlots } from '@posthorn/async/shared-slots'
import { createSingleFlight } from '@posthorn/async/single-flight'
import { within } from '@posthorn/async/within'

/**
 * Rejects with a `code`, such as ENOTFOUND.
 * @param owner of the connection: one owner's names never delay another's
 */
export type Lookup = (hostname: string, owner: string) => Promise<readonly string[]>

export interface NameResolver {
  lookup: Lookup
  close(): void
}

/**
 * 2 s, and once more: a resolver that works answers in far less, and one that lost the packet gets
 * a second one.
 */
const DNS_TIMEOUT_MS = 2000
const DNS_TRIES = 2
/**
 * How long an answer for one family waits for the other. RFC 8305 says 50 ms; 200 spares IPv6-only
 * hosts a retry.
 */
const OTHER_FAMILY_MS = 200
const GETADDRINFO_LIMITS = {
  /** libuv's default is four threads: one is always left to files and hashes. */
  slots: 3,
  slotsPerOwner: 1,
  slowSlots: 1,
  /** The hosts file takes microseconds, and a name server that works far less than this. */
  slowMs: 1_000,
  rememberMs: 600_000,
  waitingPerOwner: 1_000,
  /** No longer than most attempts take: whoever asked has given up by then. */
  maxWaitMs: 30_000,
}
const NOT_IN_DNS = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * @param servers `address:port` of the resolvers to ask instead of the machine's
 * @param askSystem asks getaddrinfo
 */
export function createNameResolver(
  servers?: readonly string[],
  askSystem: (hostname: string) => Promise<readonly string[]> = askGetaddrinfo,
): NameResolver {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
  if (servers) resolver.setServers(servers)
  const slots = createSharedSlots(GETADDRINFO_LIMITS, { refusal, clock: () => performance.now() })
  const questions = createSingleFlight<readonly string[]>()

  function system(hostname: string, owner: string): Promise<readonly string[]> {
    return slots(owner, () => askSystem(hostname))
  }

  async function resolve(hostname: string, owner: string): Promise<readonly string[]> {
    // Names without a dot are the hosts file's, or need a search domain.
    if (!hostname.includes('.') || hostname.endsWith('localhost')) return system(hostname, owner)
    try {
      return await bothFamilies(resolver.resolve4(hostname), resolver.resolve6(hostname))
    } catch (error) {
      if (!NOT_IN_DNS.has(codeOf(error))) throw error
      return system(hostname, owner)
    }
  }

  return {
    lookup: (hostname, owner) =>
      questions.run(`${owner} ${hostname}`, () => resolve(hostname, owner)),
    close: () => resolver.cancel(),
  }
}

/**
 * IPv4 first: more endpoints are reachable by it. Fails only when neither family has an address.
 */
async function bothFamilies(
  v4: Promise<string[]>,
  v6: Promise<string[]>,
): Promise<readonly string[]> {
  const both = Promise.allSettled([v4, v6])
  // It rejects when neither has an answer; the settled results tell more about that.
  await Promise.any([v4, v6]).catch(() => undefined)
  const settled = await within(OTHER_FAMILY_MS, both)
  if (!settled) return Promise.any([v4, v6])
  const addresses = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  if (addresses.length > 0) return addresses
  throw tellingFailure(settled)
}

/**
 * "Does not exist" must not win over "could not be asked", or a resolver's outage would look like a
 * typing error.
 */
function tellingFailure(settled: readonly PromiseSettledResult<string[]>[]): unknown {
  const reasons = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  return reasons.find((reason) => !NOT_IN_DNS.has(codeOf(reason))) ?? reasons[0]
}

async function askGetaddrinfo(hostname: string): Promise<readonly string[]> {
  const found = await getaddrinfo(hostname, { all: true, order: 'ipv4first' })
  return found.map(({ address }) => address)
}

function refusal(): Error {
  return Object.assign(new Error('other names of the same owner are still being asked for'), {
    code: 'ETIMEOUT',
  })
}

export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
