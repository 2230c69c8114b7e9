/** What a dispatcher is told and given. */
import type { Bus } from '@posthorn/bus/bus'
import type { Brand } from '@posthorn/domain/brand'
import type { Egress } from '@posthorn/egress/egress'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { Sandbox } from '@posthorn/sandbox/sandbox'
import type { StateStore } from '@posthorn/state/state-store'
import type { DatabaseClock } from '@posthorn/store/clock'
import type { Pool } from '@posthorn/store/pool'
import type { Seal } from '@posthorn/store/seal'

export interface DispatcherConfig {
  brand: Brand
  /** Ours, as in `User-Agent: Posthorn/<version>`. */
  version: string
  /** `STORAGE_DIR`: below it storage endpoints may write files. undefined: none may. */
  storageDir?: string | undefined
  /** `MAX_TRIES_IN_FLIGHT` */
  slots: number
}

export interface DispatcherDeps {
  pool: Pool
  bus: Bus
  state: StateStore
  egress: Pick<Egress, 'send'>
  sandbox: Pick<Sandbox, 'run'>
  seal: Pick<Seal, 'open'>
  clock: Pick<DatabaseClock, 'now'>
  log: Log
  metrics: Metrics
  random?: () => number
}
