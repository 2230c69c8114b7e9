/** What a database needs before any service works on it: this version's tables, and a workspace. */
import type { Settings } from '@posthorn/runtime/config'
import { bootstrap } from '@posthorn/store/bootstrap'
import { migrate } from '@posthorn/store/migrate'
import { openPool } from '@posthorn/store/pool'
import { createSeal } from '@posthorn/store/seal'

export interface Preparation {
  databaseUrl: string
  settings: Settings
  masterKeys: readonly string[]
  /** The API key of the first workspace, if there is none yet. */
  apiKey: string
}

/** @returns whether the first workspace was made now, with this API key */
export async function prepareDatabase(preparation: Preparation): Promise<boolean> {
  const { databaseUrl, settings, masterKeys, apiKey } = preparation
  await migrate(databaseUrl)
  const pool = openPool({ url: databaseUrl, max: 1, name: 'posthorn start', onError: () => {} })
  try {
    return await bootstrap(pool, createSeal(masterKeys), {
      apiKey,
      plan: settings.DEFAULT_PLAN,
      admin: adminOf(settings),
    })
  } finally {
    await pool.end()
  }
}

function adminOf({ BOOTSTRAP_EMAIL: email, BOOTSTRAP_PASSWORD: password }: Settings) {
  if (email === undefined && password === undefined) return null
  if (email === undefined || password === undefined) {
    throw new Error('BOOTSTRAP_EMAIL and BOOTSTRAP_PASSWORD go together: set both or none')
  }
  return { email, password }
}
