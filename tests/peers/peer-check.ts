/** A run of somebody else's program against ours. */
import type { Product } from '../e2e/posthorn.ts'

export interface PeerResult {
  ok: boolean
  /** How much was checked, in a line. */
  figures: string
  findings: string[]
}

export type PeerCheck = (product: Product) => Promise<PeerResult>
