/** A platform that the vocabulary can't describe: its own function in `odd/`, with the tools that the others use. */
import type { PublishedKeys } from './published-keys.ts'
import type { Reading } from './reading.ts'
import type { Verdict } from './verdict.ts'

export interface Tools {
  keys: PublishedKeys
  now(): number
}

export type OddVerifier = (reading: Reading, tools: Tools) => Verdict | Promise<Verdict>
