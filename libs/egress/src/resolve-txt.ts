/** Reads TXT records, by which workspaces prove that a domain is theirs. */
import { Resolver } from 'node:dns/promises'

export interface TxtResolver {
  /** The records of a name, each as its strings. Rejects where there are none. */
  resolveTxt(name: string): Promise<string[][]>
  close(): void
}

/** 2 s, and once more, as for addresses. */
const LIMITS = { timeout: 2_000, tries: 2 }

/** @param servers `address:port` of the resolvers to ask instead of the machine's */
export function createTxtResolver(servers?: readonly string[]): TxtResolver {
  const resolver = new Resolver(LIMITS)
  if (servers) resolver.setServers(servers)
  return {
    resolveTxt: (name) => resolver.resolveTxt(name),
    close: () => resolver.cancel(),
  }
}
