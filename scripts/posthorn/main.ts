/** `posthorn`: runs what its arguments name, in this process. */
import { diagnoseStores, isWell } from '@posthorn/boot/diagnose-stores'
import { VERSION } from '@posthorn/boot/version'
import { newApiKey } from '@posthorn/domain/api-key'
import { prepareDatabase } from '@posthorn/boot/prepare-database'
import { readSettings, requireSettings, type Settings } from '@posthorn/runtime/config'
import { migrate } from '@posthorn/store/migrate'
import { planMigrations } from '@posthorn/store/plan-migrations'
import { readCommand, USAGE } from './commands.ts'
import { diagnosisText } from './doctor.ts'
import { planText } from './plan-text.ts'

const command = readCommand(process.argv.slice(2))
if (command.name === 'run') {
  await import(new URL(`../../services/${command.service}/src/main.ts`, import.meta.url).href)
} else {
  process.exitCode = await runOnce()
}

async function runOnce(): Promise<number> {
  switch (command.name) {
    case 'help':
      process.stdout.write(USAGE)
      return 0
    case 'version':
      process.stdout.write(`${VERSION}\n`)
      return 0
    case 'wrong':
      process.stderr.write(`posthorn: ${command.message}\n\n${USAGE}`)
      return 2
    case 'migrate':
      return await migrateOrPlan(command.plan)
    case 'doctor':
      return await lookAtStores()
    case 'run':
      throw new Error('a service runs until a signal ends it')
  }
}

async function lookAtStores(): Promise<number> {
  try {
    const diagnosis = await diagnoseStores(readSettings(process.env))
    process.stdout.write(diagnosisText(diagnosis))
    return isWell(diagnosis) ? 0 : 1
  } catch (error) {
    process.stderr.write(`posthorn: ${(error as Error).message}\n`)
    return 1
  }
}

async function migrateOrPlan(isPlan: boolean): Promise<number> {
  try {
    const settings = readSettings(process.env)
    const { DATABASE_URL } = requireSettings(settings, ['DATABASE_URL'])
    const databaseUrl = settings.DATABASE_DIRECT_URL ?? DATABASE_URL
    if (isPlan) process.stdout.write(planText(await planMigrations(databaseUrl)))
    else await bringUpToDate(settings, databaseUrl)
    return 0
  } catch (error) {
    const { message, cause } = error as Error
    process.stderr.write(
      `posthorn: ${message}${cause instanceof Error ? `: ${cause.message}` : ''}\n`,
    )
    return 1
  }
}

async function bringUpToDate(settings: Settings, databaseUrl: string): Promise<void> {
  const { MASTER_KEY, MASTER_KEY_PREVIOUS, BOOTSTRAP_API_KEY } = settings
  const { pending } = await planMigrations(databaseUrl)
  if (MASTER_KEY === undefined) await migrate(databaseUrl)
  else {
    const apiKey = BOOTSTRAP_API_KEY ?? newApiKey('production')
    const masterKeys = [MASTER_KEY, ...MASTER_KEY_PREVIOUS]
    const made = await prepareDatabase({ databaseUrl, settings, masterKeys, apiKey })
    // Shown only this once: there is no other way to learn a generated key.
    if (made && BOOTSTRAP_API_KEY === undefined)
      process.stdout.write(`The first API key: ${apiKey}\n`)
  }
  const ran = pending.map(({ name }) => `  ${name}\n`).join('')
  process.stdout.write(
    ran === '' ? 'The database is up to date.\n' : `These migrations ran:\n${ran}`,
  )
}
