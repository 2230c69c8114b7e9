/** What is written to a store, and what came of it. */
import type { SendError, SendResponse } from '@posthorn/egress/egress'

export interface StoredEvent {
  eventId: string
  eventType: string | null
  /** Epoch ms. */
  createdAt: number
  body: string
}

/** The store responded, and did not take the object. */
export interface RefusedWrite extends SendResponse {
  refusal: string
}

export interface StorageError extends Omit<SendError, 'category'> {
  category: 'storage'
}

export type WriteResult = SendResponse | RefusedWrite | SendError | StorageError
