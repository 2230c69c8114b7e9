/** A store that tests share, whatever it came from. */
export type StoreName = 'postgres' | 'redis' | 'kafka' | 's3'

export interface SharedStore {
  url: string
  stop(): Promise<void>
}
