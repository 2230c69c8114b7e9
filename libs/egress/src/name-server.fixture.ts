/** A name server on loopback, over UDP, whose answers the test decides. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export const A = 1
export const TXT = 16
export const AAAA = 28
export const SERVFAIL = 2
export const NXDOMAIN = 3

type RecordType = typeof A | typeof AAAA | typeof TXT
/** The data of records; of a TXT record each string behind its length. */
export type NameAnswer = { addresses: readonly Buffer[] } | { code: number } | 'silence'

export interface NameServer {
  /** `address:port`, as a resolver takes it. */
  address: string
  close(): Promise<void>
}

/** @param answer is asked with the whole name, in lower case, and the type */
export async function startNameServer(
  answer: (name: string, type: RecordType) => NameAnswer,
): Promise<NameServer> {
  const server = createSocket('udp4', (query, from) => {
    const nameEnd = query.indexOf(0, 12)
    const type = query.readUInt16BE(nameEnd + 1) as RecordType
    const given = answer(nameOf(query), type)
    if (given === 'silence') return
    server.send(reply(query.subarray(0, nameEnd + 5), type, given), from.port)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${server.address().port}`,
    close: () => new Promise((done) => server.close(() => done())),
  }
}

function nameOf(query: Buffer): string {
  const labels: string[] = []
  for (let at = 12; (query[at] ?? 0) > 0; at += (query[at] ?? 0) + 1) {
    labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] ?? 0)))
  }
  return labels.join('.').toLowerCase()
}

function reply(query: Buffer, type: number, answer: Exclude<NameAnswer, 'silence'>): Buffer {
  const head = Buffer.from(query)
  const addresses = 'code' in answer ? [] : answer.addresses
  head.writeUInt16BE(0x8180 | ('code' in answer ? answer.code : 0), 2)
  head.writeUInt16BE(addresses.length, 6)
  // The message has no authority and no additional records.
  head.writeUInt32BE(0, 8)
  const records = addresses.map((address) => {
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length])
    return Buffer.concat([record, address])
  })
  return Buffer.concat([head, ...records])
}
