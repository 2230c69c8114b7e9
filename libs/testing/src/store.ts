/** A store that tests share, whatever it came from. */
export type StoreName = 'postgres' | 'redis' | 'kafka' | 's3'

export interface Store {
  url: string
  stop(): Promise<void>
}
