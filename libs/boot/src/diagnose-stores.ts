/**
 * Looks at the stores that the settings name, as services would use them, and says in words what is
 * wrong.
 */
import { diagnoseKafka } from '@posthorn/bus/diagnose-kafka'
import type { StoreFinding } from '@posthorn/contracts/store-findings'
import type { Settings } from '@posthorn/runtime/config'
import { diagnoseRedis } from '@posthorn/state/diagnose-redis'
import { diagnosePostgres } from '@posthorn/store/diagnose-postgres'
import { kafkaAccess, redisAccess } from './store-access.ts'

export type Diagnosis = Readonly<Record<'postgres' | 'redis' | 'kafka', readonly StoreFinding[]>>

const NOT_SET = {
  postgres: 'DATABASE_URL is not set: only standalone has a Postgres of its own',
  redis: 'REDIS_URL is not set: only standalone can do without',
  kafka: 'KAFKA_BROKERS is not set: only standalone can do without',
}

export async function diagnoseStores(settings: Settings): Promise<Diagnosis> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, REDIS_URL, KAFKA_BROKERS } = settings
  const postgres = async (): Promise<StoreFinding[]> => {
    if (DATABASE_URL === undefined) return [{ level: 'warning', text: NOT_SET.postgres }]
    const direct = DATABASE_DIRECT_URL === undefined ? {} : { directUrl: DATABASE_DIRECT_URL }
    return await diagnosePostgres({ url: DATABASE_URL, ...direct }, Date.now)
  }
  const redis = async (): Promise<StoreFinding[]> =>
    REDIS_URL === undefined
      ? [{ level: 'warning', text: NOT_SET.redis }]
      : await diagnoseRedis(redisAccess(settings, REDIS_URL), Date.now)
  const kafka = async (): Promise<StoreFinding[]> =>
    KAFKA_BROKERS.length === 0
      ? [{ level: 'warning', text: NOT_SET.kafka }]
      : await diagnoseKafka(kafkaAccess(settings, 'posthorn-doctor'))
  return {
    postgres: await orWrong(postgres),
    redis: await orWrong(redis),
    kafka: await orWrong(kafka),
  }
}

/** A setting that cannot be used, such as a file that is not there, is told like a fault. */
async function orWrong(look: () => Promise<StoreFinding[]>): Promise<StoreFinding[]> {
  try {
    return await look()
  } catch (error) {
    return [{ level: 'wrong', text: (error as Error).message }]
  }
}

export function isWell(diagnosis: Diagnosis): boolean {
  return Object.values(diagnosis).every((findings) =>
    findings.every(({ level }) => level !== 'wrong'),
  )
}
