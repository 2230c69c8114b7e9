/**
 * `npm run peers`: runs programs of others against a `standalone` of its own, and prints what each
 * of them found. They are not part of `npm test`, because they have to be downloaded. Ends with 1
 * when something was found.
 */
import { parseArgs } from 'node:util'
import { commandOptions } from '@posthorn/testing/command-options'
import { startPosthorn } from '../e2e/posthorn.ts'
import { checkKeycloak, KEYCLOAK_DOMAIN } from './check-keycloak.ts'
import { checkScim } from './check-scim.ts'
import type { PeerCheck } from './peer-check.ts'

const PEERS: Readonly<Record<string, PeerCheck>> = {
  'scim2-tester': checkScim,
  keycloak: checkKeycloak,
}

const USAGE = 'usage: npm run peers -- [--only <part of a name>] [--list]'

const { names, list } = commandOptions(USAGE, (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      list: { type: 'boolean', default: false },
    },
  })
  const chosen = Object.keys(PEERS).filter(
    (name) => values.only.length === 0 || values.only.some((part) => name.includes(part)),
  )
  if (chosen.length === 0) throw new Error('--only: no peer has such a name; --list shows them')
  return { names: chosen, list: values.list }
})

async function run(): Promise<void> {
  const posthorn = await startPosthorn('standalone', { SSO_TRUSTED_DOMAINS: KEYCLOAK_DOMAIN })
  try {
    for (const name of names) {
      const result = await PEERS[name]?.(posthorn)
      process.stdout.write(
        `${result?.ok === true ? 'ok   ' : 'FOUND'}  ${name}: ${result?.figures}\n`,
      )
      for (const finding of result?.findings ?? []) process.stdout.write(`       ${finding}\n`)
      if (result?.ok !== true) process.exitCode = 1
    }
  } finally {
    await posthorn.stop()
  }
}

if (list) for (const name of names) process.stdout.write(`${name}\n`)
else await run()
